/** The end of a game: who won and why, the course of the score, losses, luck, turning points, and what to do next. */

import { useSignal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { create } from "../api";
import type { LogEntry, Luck, NewPlayer, Side } from "../wire";
import { Game, type GamePage } from "./context";
import { Dialog } from "./dialog";
import { enter } from "./lobby";
import { saveAs } from "./share";
import { Case, plain, Rich } from "./text";
import { capital, counted } from "../words";

const SIDES = ["axis", "soviet"] as const;

export function ResultDialog({ onClose }: { onClose: () => void }) {
  const game = useContext(Game);
  const { table } = game;
  const over = table.update.value?.question.over;
  const info = table.info.value;
  if (!over || !info) return null;
  return (
    <Dialog title={over.winner ? `${info.sides[over.winner]} victory` : "A draw"} onClose={onClose}>
      <p class="result-why">
        <Rich text={over.reason} begin /> <Case number={over.case} />
      </p>
      <Course />
      <Story />
      <Dice />
      <div class="row-buttons">
        <button type="button" class="main" onClick={() => void rematch(game, true)}>
          Again, sides changed
        </button>
        <button type="button" onClick={() => void rematch(game, false)}>
          Again
        </button>
        <button
          type="button"
          onClick={() => {
            onClose();
            void table.watchFrom(0);
          }}
        >
          Watch it all
        </button>
        <button type="button" onClick={() => void saveAs(game, "record")}>
          Save the record
        </button>
      </div>
    </Dialog>
  );
}

/** The score turn by turn, as a line and as numbers. */
function Course() {
  const { table } = useContext(Game);
  const points = useSignal<readonly { turn: number; scores: readonly number[] }[]>([]);
  useEffect(() => {
    let gone = false;
    const load = async (): Promise<void> => {
      await table.loadMarks();
      const turns = (table.marks.value ?? []).filter((mark) => mark.kind === "turn").map((mark) => mark.at);
      const moments = [...new Set([0, ...turns, table.update.value?.at ?? 0])];
      const found: { turn: number; scores: number[] }[] = [];
      for (const at of moments) {
        const moment = await table.ask<"at">({ what: "at", at });
        if (gone) return;
        if (moment) found.push({ turn: moment.view.turn, scores: moment.view.score.map((score) => score.points) });
      }
      points.value = found;
    };
    void load();
    return () => {
      gone = true;
    };
  }, []);
  const scores = table.view.value?.score ?? [];
  if (!scores.length || points.value.length < 2) return null;
  const all = points.value.flatMap((one) => one.scores);
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all, ...scores.flatMap((one) => one.levels.map((level) => level.from)))];
  const x = (i: number): number => (i / (points.value.length - 1)) * 300;
  const y = (n: number): number => 90 - ((n - low) / (high - low)) * 80;
  return (
    <section aria-label="The course of the score">
      <h3>The score, turn by turn</h3>
      <svg class="course" viewBox="-8 0 316 100" role="img" aria-label={points.value.map((one) => one.scores.join(" to ")).join(", ")}>
        {(scores[0]?.levels ?? []).map((level) => (
          <line key={level.from} class="level" x1="0" x2="300" y1={y(level.from)} y2={y(level.from)} />
        ))}
        {scores.map((score, s) => (
          <g key={score.side} class={score.side}>
            <polyline points={points.value.map((one, i) => `${x(i)},${y(one.scores[s] ?? 0)}`).join(" ")} />
            {points.value.map((one, i) => (
              <g key={i}>
                <circle cx={x(i)} cy={y(one.scores[s] ?? 0)} r="3" />
                <text x={x(i)} y={y(one.scores[s] ?? 0) - 6}>
                  {one.scores[s]}
                </text>
              </g>
            ))}
          </g>
        ))}
      </svg>
    </section>
  );
}

/** Losses of both sides, and the blows that cost most. */
function Story() {
  const { table, open } = useContext(Game);
  const log = useSignal<readonly LogEntry[] | null>(null);
  useEffect(() => {
    let gone = false;
    const load = async (): Promise<void> => {
      const to = table.update.value?.at ?? 0;
      const all: LogEntry[] = [];
      while (all.length < to) {
        const part = await table.ask<"log">({ what: "log", from: all.length, to });
        if (gone || !part?.log.length) break;
        all.push(...part.log);
      }
      if (!gone) log.value = all;
    };
    void load();
    return () => {
      gone = true;
    };
  }, []);
  if (!log.value) return null;
  const sideOf = (unit: string): Side | undefined => table.looks.value.counter(unit)?.side;
  const gone = (entry: LogEntry): string[] =>
    entry.events.filter((event) => event.role === "eliminated").flatMap((event) => event.units);
  const lost = (side: Side): number => log.value!.flatMap(gone).filter((unit) => sideOf(unit) === side).length;
  const blows = [...log.value].filter((entry) => gone(entry).length).sort((a, b) => gone(b).length - gone(a).length).slice(0, 3);
  return (
    <section aria-label="Losses and turning points">
      <h3>Losses</h3>
      <p>
        {SIDES.map((side) => `${table.sideName(side)}: ${counted(lost(side), "unit")} eliminated`).join(" · ")}
      </p>
      {blows.length > 0 && <h3>The heaviest blows</h3>}
      <ul class="blows">
        {blows.map((entry) => (
          <li key={entry.at}>
            <button
              type="button"
              class="moment"
              onClick={() => {
                open.value = null;
                void table.scrub(entry.at);
              }}
            >
              #{entry.at}
            </button>{" "}
            {gone(entry)
              .map((unit) => capital(table.looks.value.title(unit)))
              .join(", ")}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Whether the dice were kind. */
function Dice() {
  const { table } = useContext(Game);
  const luck = useSignal<Luck | null>(null);
  useEffect(() => void table.ask<"luck">({ what: "luck" }).then((answer) => (luck.value = answer)), []);
  const ledger = luck.value?.ledger ?? [];
  if (!ledger.length) return null;
  return (
    <section aria-label="Luck">
      <h3>Luck</h3>
      <p>
        {SIDES.map((side) => {
          const own = ledger.filter((line) => line.side === side);
          const dice = own.reduce((sum, line) => sum + line.count, 0);
          const more = own.reduce((sum, line) => sum + line.sum - line.expected, 0);
          return `${table.sideName(side)}: ${counted(dice, "die", "dice")}, ${Math.abs(more).toFixed(1)} ${more < 0 ? "below" : "above"} expectation`;
        }).join(" · ")}
      </p>
    </section>
  );
}

/** The same again, if one likes from the other side. */
async function rematch({ table }: GamePage, change: boolean): Promise<void> {
  const info = table.info.value;
  const mine = table.seat.value?.sides ?? [];
  if (!info?.scenario) return table.refuse("this game began with a file: open the file again");
  const { axis, soviet } = change ? { axis: info.players.soviet, soviet: info.players.axis } : info.players;
  const player = ({ name, level }: { name: string; level: string | null }): NewPlayer => (level ? { name, level } : { name });
  const other = (side: Side): Side => (side === "axis" ? "soviet" : "axis");
  const side = mine.length === 1 ? (change ? other(mine[0]!) : mine[0]!) : "soviet";
  const game = {
    scenario: `${info.rulebook}/${info.scenario}`,
    options: info.options,
    players: { axis: player(axis), soviet: player(soviet) },
    opponents: info.opponents,
    casual: info.casual,
    ...(info.for_two ? { you: side } : {}),
  };
  try {
    const kind = info.for_two ? "friend" : mine.length === 2 ? "open" : "level";
    enter(await create(game), kind === "level" ? { kind, level: "" } : { kind }, side);
  } catch (error) {
    table.refuse(error instanceof Error ? error.message : plain(["the game could not be made"]));
  }
}
