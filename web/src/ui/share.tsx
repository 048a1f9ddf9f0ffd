import { useSignal, type Signal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { giveUp, invite, reach, renew } from "../api";
import { dropSeat, invitationLink, invitationTo, isOnlyHere, keepInvitation, keptSeats, renewSeat, seatLink } from "../seats";
import type { Reach, Side } from "../wire";
import { Game, type GamePage } from "./context";
import { Dialog } from "./dialog";

/** Links to the seats of the game, what to do with one's own, and the game as files. */
export function ShareDialog() {
  const game = useContext(Game);
  const { table, open } = game;
  const info = table.info.value;
  const seats = keptSeats().filter((seat) => seat.game === info?.id);
  const origin = useSignal(location.origin);
  const others = seats.filter((seat) => !info?.for_two || !seat.sides.length);
  const name = (sides: readonly Side[]): string =>
    sides.length === 2 ? "Both sides (one screen)" : sides.length ? table.sideName(sides[0]!) : "Observers";
  return (
    <Dialog title="Links and files" onClose={() => (open.value = null)}>
      {info?.for_two && <Friend origin={origin.value} />}
      {!info?.for_two && <p>This game was made for one person, who holds every seat of it. Who has a link sits there.</p>}
      <ul class="links">
        {others.map((seat) => (
          <Link key={seat.secret} label={name(seat.sides)} link={seatLink(seat.secret, origin.value)} />
        ))}
      </ul>
      <ReachNote origin={origin} />
      {!others.length && !info?.for_two && <p class="quiet">This browser holds no other seat of this game.</p>}
      {info?.for_two && <OwnSeat />}
      <div class="row-buttons">
        <button type="button" onClick={() => void saveAs(game, "record")}>
          Download the record
        </button>
        <button type="button" onClick={() => void saveAs(game, "situation")}>
          Download the situation
        </button>
      </div>
      <DiceNote />
    </Dialog>
  );
}

/** The game as a file. */
export async function saveAs({ table, open }: GamePage, what: "record" | "situation"): Promise<void> {
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
}

function Link({ label, link }: { label: string; link: string }) {
  return (
    <li>
      <label>
        {label}
        <input readOnly value={link} onFocus={(e) => e.currentTarget.select()} />
      </label>
      <button type="button" onClick={() => void navigator.clipboard?.writeText(link)}>
        Copy
      </button>
    </li>
  );
}

/** Whether links lead here from other machines too, and by which of the addresses of this one. */
function ReachNote({ origin }: { origin: Signal<string> }) {
  const found = useSignal<Reach | null>(null);
  useEffect(() => {
    if (!isOnlyHere()) return;
    void reach().then((told) => {
      found.value = told;
      origin.value = told.addresses[0] ?? location.origin;
    });
  }, []);
  if (!found.value) return null;
  if (found.value.only_here || !found.value.addresses.length)
    return (
      <p class="source">
        These links work on this machine only. To let others in, start the program with <code>grognard serve --listen 0.0.0.0</code>
        {" "}and let its port through your firewall.
      </p>
    );
  return (
    <p class="source">
      <label>
        Address of this machine for your friends{" "}
        <select value={origin.value} onChange={(e) => (origin.value = e.currentTarget.value)}>
          {[...found.value.addresses, location.origin].map((address) => (
            <option key={address}>{address}</option>
          ))}
        </select>
      </label>{" "}
      It works in your own network; from outside, your router must pass the port on.
    </p>
  );
}

/** The link for the other player, while nobody has taken the other seat. */
function Friend({ origin }: { origin: string }) {
  const { table } = useContext(Game);
  const made = useSignal(invitationTo(table.info.value?.id ?? ""));
  const mine = table.seat.value?.sides[0];
  const side = table.presence.value?.free.find((free) => free !== mine);
  if (!mine) return null;
  if (!side) return <p>Both seats are taken. The observers&rsquo; link may go to anybody.</p>;
  const again = async (): Promise<void> => {
    const { secret } = await invite(table.secret, side);
    keepInvitation(table.info.value?.id ?? "", secret);
    made.value = secret;
  };
  return (
    <>
      <p>
        Send the {table.sideName(side)} link to your opponent. It works once; the game begins when they have sat down. The
        observers&rsquo; link may go to anybody.
      </p>
      <ul class="links">{made.value && <Link label={table.sideName(side)} link={invitationLink(made.value, origin)} />}</ul>
      <button type="button" onClick={() => void again()}>
        {made.value ? "Make another link; the old one is worth nothing then" : "Invite somebody"}
      </button>
    </>
  );
}

/** A seat can move to another device, and be given up. */
function OwnSeat() {
  const { table } = useContext(Game);
  const shown = useSignal(false);
  const sure = useSignal(false);
  if (!table.seat.value?.sides.length) return null;
  const { secret } = table;
  const change = async (): Promise<void> => {
    const seat = await renew(secret);
    renewSeat(secret, seat.secret);
    location.reload();
  };
  const leave = async (): Promise<void> => {
    await giveUp(secret);
    dropSeat(secret);
    location.hash = "#/";
  };
  return (
    <details>
      <summary>Your own seat</summary>
      {shown.value ? (
        <ul class="links">
          <Link label="For another device of yours" link={seatLink(secret)} />
        </ul>
      ) : (
        <button type="button" onClick={() => (shown.value = true)}>
          Show a link for another device of yours
        </button>
      )}
      <div class="row-buttons">
        <button type="button" onClick={() => void change()}>
          Renew it: links of before are worth nothing then
        </button>
        {sure.value ? (
          <button type="button" class="main" onClick={() => void leave()}>
            Yes, I give my seat up
          </button>
        ) : (
          <button type="button" onClick={() => (sure.value = true)}>
            Give it up …
          </button>
        )}
      </div>
    </details>
  );
}

function DiceNote() {
  const info = useContext(Game).table.info.value;
  if (info?.seed_chosen)
    return <p class="source">Somebody chose the seed of the dice, and so could know them beforehand.</p>;
  if (!info?.commitment) return null;
  return (
    <p class="source">
      The server committed itself to its part of the dice before it heard yours: <code class="hash">{info.commitment}</code>. Both
      are shown when the game is over; <code>grognard verify</code> then proves every roll.
    </p>
  );
}
