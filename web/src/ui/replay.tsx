import { useContext, useEffect } from "preact/hooks";
import { journeys } from "../journeys";
import { PACES } from "../motion";
import { gameHash } from "../seats";
import { pace, type Pace } from "../settings";
import { branchOff } from "./analysis";
import { Game } from "./context";
import { Die } from "./dice";
import { EyesChoice } from "./eyes";
import { Icon } from "./icon";
import { Meaning } from "./reel";
import { Rich } from "./text";
import type { Happening } from "../wire";

/** How long a moment is shown at least when the replay goes on by itself, and how long after a hex of a way. */
const STEP = { off: 650, slow: 1100, normal: 650, fast: 250 } as const;

/** The slider through the whole game, with ticks for turns and combats. */
export function ReplayBar() {
  const game = useContext(Game);
  const { table } = game;
  const moment = table.moment.value;
  const going = table.playing.value;
  const last = table.update.value?.at ?? 0;
  useEffect(() => {
    if (!going || !moment) return;
    if (moment.at >= last) {
      table.playing.value = false;
      return;
    }
    const hexes = Math.max(0, ...journeys(moment.entry ? [moment.entry] : [], new Map()).map((journey) => journey.hexes.length));
    const wait = Math.max(STEP[pace.value], PACES[pace.value] * (hexes + 1));
    const timer = window.setTimeout(() => void table.scrub(moment.at + 1), wait);
    return () => clearTimeout(timer);
  }, [going, moment, last]);
  if (!moment) return null;
  const of = table.update.value?.at ?? moment.of;
  const marks = table.marks.value ?? [];
  const linkTo = (at: number): string =>
    `${location.origin}/${gameHash(table.info.value?.id ?? "", table.seat.value?.sides ?? [], at)}`;
  const go = (at: number): void => {
    table.playing.value = false;
    void table.scrub(Math.max(0, Math.min(of, at)));
  };
  const turns = marks.filter((mark) => mark.kind === "turn");
  const combats = marks.filter((mark) => mark.kind === "combat");
  const before = (list: typeof marks): number => list.findLast((mark) => mark.at < moment.at)?.at ?? 0;
  const after = (list: typeof marks): number => list.find((mark) => mark.at > moment.at)?.at ?? of;
  return (
    <section class="replay" aria-label="Replay">
      <div class="slider">
        <svg class="ticks" viewBox={`0 0 ${Math.max(1, of)} 10`} preserveAspectRatio="none" aria-hidden="true">
          {marks
            .filter((mark) => mark.kind !== "phase")
            .map((mark, i) => (
              <rect key={i} class={mark.kind} x={mark.at - of / 800} y={mark.kind === "turn" ? 0 : 4} width={of / 400} height={10} />
            ))}
        </svg>
        <input
          type="range"
          min={0}
          max={of}
          value={moment.at}
          aria-label="Moment"
          aria-valuetext={`after ${moment.at} of ${of} actions`}
          onInput={(e) => go(Number(e.currentTarget.value))}
        />
      </div>
      <div class="replay-buttons">
        <button type="button" title="Start (Home)" aria-label="Start" onClick={() => go(0)}>
          <Icon name="first" />
        </button>
        <button type="button" title="Turn back" onClick={() => go(before(turns))}>
          « turn
        </button>
        <button type="button" title="Combat back" onClick={() => go(before(combats))}>
          ‹ combat
        </button>
        <button type="button" title="Step back (←)" aria-label="Step back" onClick={() => go(moment.at - 1)}>
          <Icon name="back" />
        </button>
        <button type="button" aria-pressed={going} onClick={() => (table.playing.value = !going)}>
          {going ? "Pause" : "Play"}
        </button>
        <output aria-live="off">
          {moment.at} / {of}
        </output>
        <button type="button" title="Step on (→)" aria-label="Step on" onClick={() => go(moment.at + 1)}>
          <Icon name="on" />
        </button>
        <button type="button" title="Next combat" onClick={() => go(after(combats))}>
          combat ›
        </button>
        <button type="button" title="Next turn" onClick={() => go(after(turns))}>
          turn »
        </button>
        <button type="button" title="Now (End)" aria-label="Now" onClick={() => go(of)}>
          <Icon name="last" />
        </button>
        <PaceChoice />
        <EyesChoice
          onChange={async (next) => {
            const { at } = moment;
            await table.look(next);
            void table.loadMarks();
            await table.scrub(at);
          }}
        />
        <button
          type="button"
          title="Copy a link to this moment, for whoever has a seat in this game"
          onClick={() => void navigator.clipboard?.writeText(linkTo(moment.at))}
        >
          Copy link
        </button>
        <button type="button" title="A game of its own from this moment on, for both sides; this one stays as it is" onClick={() => void branchOff(game, moment.at)}>
          Try it from here
        </button>
        <button type="button" class="main" onClick={() => table.leaveReplay()}>
          Back to now
        </button>
      </div>
      <ul class="replay-told" aria-live="polite">
        {told(moment.entry?.events ?? []).map((event, i) => (
          <li key={i}>
            {event.roll && <Die roll={event.roll} />} <Rich text={event.text} begin />
            <Meaning event={event} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How fast things are shown moving. */
export function PaceChoice() {
  return (
    <label>
      Pace{" "}
      <select value={pace.value} onChange={(e) => (pace.value = e.currentTarget.value as Pace)}>
        <option value="slow">slow</option>
        <option value="normal">normal</option>
        <option value="fast">fast</option>
        <option value="off">nothing moves</option>
      </select>
    </label>
  );
}

/** So many lines there is room for: what a fight was about and what came of it before its account. */
function told(events: readonly Happening[]): readonly Happening[] {
  if (events.length <= 6) return events;
  const matters = events.filter((event) => event.role !== "account");
  return matters.slice(0, 6);
}
