/** What lies beside the map: the turn track and boxes, as places to open, to take counters from and to put them into. */

import { signal } from "@preact/signals";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { Point } from "../board/geometry";
import type { HoldingBox, Piece, Turn } from "../wire";
import { Game, type GamePage } from "./context";
import { CounterPicture } from "./counter";
import { Icon } from "./icon";
import { capital, Case, Rich } from "./text";
import { counted } from "../words";

/** Units on the turn track lie in the box of their turn. */
export const TRACK = "track";
/** A press that moves less than this is a click. */
const CLICK = 6;
const SIZE = 42;

/** The counter that is being dragged out of a box, and where it is. */
const dragged = signal<{ unit: string; at: Point } | null>(null);

/** The box that lies at this place in the window. */
export function boxAt({ x, y }: Point): string | null {
  return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-box]")?.dataset["box"] ?? null;
}

export function Tray() {
  const game = useContext(Game);
  const { table, box } = game;
  const boxes = table.view.value?.boxes ?? [];
  const turns = table.sequence.value?.turns ?? [];
  if (table.handOver.value || table.moment.value || game.reel.isOn) return null;
  const shown = boxes.filter(({ name, pieces }) => name !== TRACK && (pieces.length > 0 || game.hand.boxes.value.has(name)));
  const open = box.value === TRACK ? null : shown.find(({ name }) => name === box.value);
  return (
    <section class="tray" aria-label="Boxes beside the map">
      {open && <OpenBox key={open.name} place={open} />}
      {box.value === TRACK && <Track turns={turns} waiting={boxes.find(({ name }) => name === TRACK)?.pieces ?? []} />}
      <div class="tray-row">
        {turns.length > 0 && <Chip game={game} name={TRACK} title="turn track" pieces={boxes.find(({ name }) => name === TRACK)?.pieces ?? []} />}
        {shown.map(({ name, title, pieces }) => (
          <Chip key={name} game={game} name={name} title={title} pieces={pieces} />
        ))}
      </div>
      <Dragged />
    </section>
  );
}

/** A box that is closed: a click opens it, and a counter can be dropped on it. */
function Chip({ game, name, title, pieces }: { game: GamePage; name: string; title: string; pieces: readonly Piece[] }) {
  const { box, hand } = game;
  const ready = pieces.some(({ front }) => front && hand.ready.value.has(front.unit));
  const takes = hand.boxes.value.has(name);
  return (
    <button
      type="button"
      class="chip"
      data-box={name}
      data-ready={ready}
      data-takes={takes}
      aria-expanded={box.value === name}
      title={takes ? "The unit in the hand can go here" : ready ? "Units in it can act" : undefined}
      onClick={() => (box.value = box.value === name ? null : name)}
    >
      {capital(title)}
      {pieces.length > 0 && <small> {pieces.length}</small>}
    </button>
  );
}

function Head({ title }: { title: string }) {
  const { box } = useContext(Game);
  return (
    <header>
      <h2>{capital(title)}</h2>
      <button type="button" class="icon" aria-label={`Close: ${title}`} onClick={() => (box.value = null)}>
        <Icon name="close" />
      </button>
    </header>
  );
}

function OpenBox({ place }: { place: HoldingBox }) {
  const { hand, table } = useContext(Game);
  const unit = hand.unit.value;
  return (
    <div class="tray-box card" data-box={place.name} data-takes={hand.boxes.value.has(place.name)}>
      <Head title={place.title} />
      {unit && hand.boxes.value.has(place.name) && (
        <button type="button" class="main" onClick={() => void hand.putInto(place.name)}>
          Put {table.looks.value.title(unit)} here
        </button>
      )}
      <Counters pieces={place.pieces} />
    </div>
  );
}

function Counters({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <ul class="counters">
      {pieces.map((piece, i) => (
        <li key={piece.front?.unit ?? i}>
          <Boxed piece={piece} />
        </li>
      ))}
    </ul>
  );
}

/** A counter in a box: a click picks it, and it can be dragged to a hex or another box. */
function Boxed({ piece }: { piece: Piece }) {
  const game = useContext(Game);
  const { hand, table } = game;
  const unit = piece.front?.unit;
  const title = unit ? capital(table.looks.value.title(unit)) : `${table.sideName(piece.side)}, not seen`;
  const able = unit !== undefined && (hand.base.value.ofUnit(unit).length > 0 || table.unasked.value.ofUnit(unit).length > 0);
  return (
    <button
      type="button"
      class="boxed"
      data-unit={unit}
      data-ready={able}
      aria-pressed={unit !== undefined && hand.unit.value === unit}
      // Not disabled: whoever is clicked tells why it stays.
      aria-disabled={!able}
      title={title}
      onClick={() => unit && void (able ? hand.pickUnit(unit) : hand.whyNot(unit))}
      onPointerDown={(event) => able && unit && drag(game, unit, event)}
    >
      <CounterPicture look={table.looks.value.of(piece)} size={SIZE} />
      <small>{title}</small>
    </button>
  );
}

/** The whole track: dates, who comes, and what else happens when. */
function Track({ turns, waiting }: { turns: readonly Turn[]; waiting: readonly Piece[] }) {
  const { table } = useContext(Game);
  const now = table.view.value?.turn;
  const ref = useRef<HTMLLIElement>(null);
  useEffect(() => {
    const here = ref.current;
    if (here?.parentElement) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft;
  }, [now]);
  const due = new Map(turns.flatMap(({ turn, arrives }) => arrives.map((unit) => [unit, turn] as const)));
  const of = (turn: number | undefined): Piece[] => waiting.filter(({ front }) => (front ? due.get(front.unit) : undefined) === turn);
  const unseen = waiting.filter(({ front }) => !front);
  const others = of(undefined).filter(({ front }) => front);
  return (
    <div class="tray-box track card" data-box={TRACK}>
      <Head title="turn track" />
      <ol class="track-boxes" tabIndex={0} aria-label="Turns">
        {turns.map((turn) => (
          <li key={turn.turn} ref={turn.turn === now ? ref : null} class="track-box" aria-current={turn.turn === now ? "step" : undefined}>
            <h3>
              {turn.turn}
              {turn.title && <small> {turn.title}</small>}
            </h3>
            <Counters pieces={of(turn.turn)} />
            <ul class="track-notes">
              {turn.notes.map((note, i) => (
                <li key={i}>
                  <Rich text={note.text} begin /> <Case number={note.case} />
                </li>
              ))}
            </ul>
          </li>
        ))}
        {others.length > 0 && (
          <li class="track-box">
            <h3>On no fixed turn</h3>
            <Counters pieces={others} />
          </li>
        )}
        {unseen.length > 0 && (
          <li class="track-box">
            <h3>Not in sight</h3>
            {(["axis", "soviet"] as const).map((side) => {
              const count = unseen.filter((piece) => piece.side === side).length;
              return count > 0 && <p key={side}>{`${table.sideName(side)}: ${counted(count, "counter")}`}</p>;
            })}
          </li>
        )}
      </ol>
    </div>
  );
}

/** Follows a counter that is dragged out of a box until it is let go. With a finger one taps it and then the hex. */
function drag(game: GamePage, unit: string, down: PointerEvent): void {
  if (down.button !== 0 || down.pointerType === "touch") return;
  const { hand } = game;
  const done = new AbortController();
  const { signal: until } = done;
  const place = (event: PointerEvent): Point => ({ x: event.clientX, y: event.clientY });
  const move = (event: PointerEvent): void => {
    const far = Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) > CLICK;
    if (!dragged.value && far) hand.liftUnit(unit);
    if (dragged.value || far) dragged.value = { unit, at: place(event) };
    if (dragged.value) hand.point(game.board.value?.cellAt(place(event))?.label ?? null);
  };
  const up = (event: PointerEvent): void => {
    done.abort();
    if (!dragged.value) return;
    dragged.value = null;
    const hex = game.board.value?.cellAt(place(event))?.label;
    const box = boxAt(place(event));
    if (hex) void hand.putDown(hex);
    else if (box && box !== game.table.boxes.value.get(unit)) void hand.putInto(box);
  };
  const stop = (): void => {
    done.abort();
    dragged.value = null;
  };
  window.addEventListener("pointermove", move, { signal: until });
  window.addEventListener("pointerup", up, { signal: until });
  window.addEventListener("pointercancel", stop, { signal: until });
}

function Dragged() {
  const { table } = useContext(Game);
  const shown = dragged.value;
  const look = shown && table.looks.value.printed(shown.unit);
  if (!shown || !look) return null;
  return (
    <div class="dragged" style={{ left: `${shown.at.x}px`, top: `${shown.at.y}px` }} aria-hidden="true">
      <CounterPicture look={look} size={SIZE} />
    </div>
  );
}
