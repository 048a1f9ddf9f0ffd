import { useContext } from "preact/hooks";
import { keptSeats, seatLink } from "../seats";
import type { Side } from "../wire";
import { Game } from "./context";
import { Dialog } from "./dialog";

/** Links to the seats that this browser holds, and the game as files. */
export function ShareDialog() {
  const { table, open } = useContext(Game);
  const info = table.info.value;
  const seats = keptSeats().filter((seat) => seat.game === info?.id);
  const name = (sides: readonly Side[]): string =>
    sides.length === 2 ? "Both sides (one screen)" : sides.length ? table.sideName(sides[0]!) : "Observers";
  const save = async (what: "record" | "situation"): Promise<void> => {
    const answer = await table.tryAsk<"record" | "situation">({ what } as { what: "record" });
    if (!answer) return;
    if (!("text" in answer)) {
      table.refusal.value = answer;
      open.value = null;
      return;
    }
    const url = URL.createObjectURL(new Blob([answer.text], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = answer.name;
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Dialog title="Links and files" onClose={() => (open.value = null)}>
      <p>Who has a link sits there. Send a side&rsquo;s link to your opponent, the observers&rsquo; to anybody.</p>
      <ul class="links">
        {seats.map((seat) => (
          <li key={seat.secret}>
            <label>
              {name(seat.sides)}
              <input readOnly value={seatLink(seat.secret)} onFocus={(e) => e.currentTarget.select()} />
            </label>
            <button type="button" onClick={() => void navigator.clipboard?.writeText(seatLink(seat.secret))}>
              Copy
            </button>
          </li>
        ))}
      </ul>
      {!seats.length && <p class="quiet">This browser holds no other seat of this game.</p>}
      <div class="row-buttons">
        <button type="button" onClick={() => void save("record")}>
          Download the record
        </button>
        <button type="button" onClick={() => void save("situation")}>
          Download the situation
        </button>
      </div>
      {info?.commitment && (
        <p class="source">
          The dice were committed to before the first action: <code class="hash">{info.commitment}</code>. The seed is shown
          when the game is over; <code>grognard verify</code> then proves every roll.
        </p>
      )}
    </Dialog>
  );
}
