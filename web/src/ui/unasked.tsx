import { useContext } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Game, type GamePage } from "./context";
import { Dialog } from "./dialog";
import { capital, Case, plain } from "./text";
import type { Unasked } from "../wire";

/** What ends the game or binds both players: asked for a second time. */
const FINAL: ReadonlySet<string> = new Set(["concede", "accept-draw"]);

/** What may be done without being asked, behind its button. */
export function UnaskedDialog({ onClose }: { onClose: () => void }) {
  const game = useContext(Game);
  const unasked = game.table.update.value?.unasked ?? [];
  return (
    <Dialog title="Without being asked" onClose={onClose}>
      <p>At any time, whoever is to decide:</p>
      <ul class="unasked">
        {unasked.map((deed) => (
          <li key={deed.line}>
            <Deed game={game} deed={deed} done={onClose} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** A draw that the other side has offered, where nobody can miss it. */
export function DrawOffered({ game }: { game: GamePage }) {
  const unasked = game.table.update.value?.unasked ?? [];
  const answers = unasked.filter((deed) => deed.form === "accept-draw" || deed.form === "decline-draw");
  if (!answers.length) return null;
  return (
    <div class="choices draw" role="group" aria-label="A draw is offered">
      <span>A draw is offered.</span>
      {answers.map((deed) => (
        <Deed key={deed.line} game={game} deed={deed} done={() => undefined} />
      ))}
    </div>
  );
}

function Deed({ game, deed, done }: { game: GamePage; deed: Unasked; done: () => void }) {
  const sure = useSignal(!FINAL.has(deed.form));
  const { table } = game;
  // Who plays both sides must know which of them speaks.
  const side = table.seat.value?.sides.length === 2 ? `${table.sideName(deed.side)}: ` : "";
  const says = plain(deed.text, table.looks.value);
  const act = async (): Promise<void> => {
    if (!sure.value) sure.value = true;
    else if (await game.table.act([deed.line])) done();
  };
  const asks = sure.value && FINAL.has(deed.form);
  return (
    <span class="choice">
      <button type="button" disabled={game.table.busy.value} onClick={() => void act()}>
        {asks ? `Yes, ${side}${says}` : capital(`${side}${says}`)}
      </button>
      <Case number={deed.case} />
    </span>
  );
}
