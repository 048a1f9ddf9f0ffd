import { useContext, useEffect } from "preact/hooks";
import { journeys } from "../journeys";
import { PACES } from "../motion";
import { gameHash } from "../seats";
import { pace, type Pace } from "../settings";
import { open as openGame } from "../api";
import { Game, type GamePage } from "./context";
import { enter } from "./lobby";
import { EyesChoice } from "./eyes";
import { Icon } from "./icon";
import { Rich } from "./text";

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
        {table.seat.value?.eyes.includes("all") && (
          <button type="button" title="A game of its own from this moment on, for both sides; this one stays as it is" onClick={() => void branchOff(game, moment.at)}>
            Try it from here
          </button>
        )}
        <button type="button" class="main" onClick={() => table.leaveReplay()}>
          Back to now
        </button>
      </div>
      <ul class="replay-told" aria-live="polite">
        {(moment.entry?.events ?? []).slice(0, 6).map((event, i) => (
          <li key={i}>
            <Rich text={event.text} begin />
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

/** A new game for one person, with everything that happened up to this moment. */
async function branchOff({ table }: GamePage, at: number): Promise<void> {
  const answer = await table.tryAsk<"record">({ what: "record" });
  if (!answer) return;
  if (!("text" in answer)) {
    table.refusal.value = answer;
    return;
  }
  const lines = answer.text.trimEnd().split("\n");
  const head = lines.slice(0, lines.length - (table.update.value?.at ?? 0)).filter((line) => !OF_THE_GAME.test(line));
  const text = [...head, ...lines.slice(lines.length - (table.update.value?.at ?? 0)).slice(0, at), ""].join("\n");
  const players = { axis: { name: "" }, soviet: { name: "" } };
  const name = `${table.info.value?.scenario_title ?? "game"}, tried from action ${at}`;
  try {
    enter(await openGame({ name, text, players }), { kind: "open" }, "axis");
  } catch (error) {
    table.refuse(error instanceof Error ? error.message : "the game could not be made");
  }
}

/** What a record says of how its game ended and of its dice, which is not so for a game that goes another way. */
const OF_THE_GAME = /^\[(Result|Commitment|Secret|Game|AxisNonce|SovietNonce|Seed|Axis|Soviet) /;
