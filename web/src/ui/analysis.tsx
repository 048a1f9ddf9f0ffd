/** Trying lines for oneself: a game of one's own from any moment on, dice rolled or chosen, and what opponents think. */

import { useSignal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { library, open as openGame } from "../api";
import type { Advice } from "../wire";
import { Game, type GamePage } from "./context";
import { enter } from "./lobby";
import { Rich } from "./text";

/** In a game that one plays alone and casually. */
export function AnalysisCard() {
  const { table } = useContext(Game);
  if (!table.analyses.value || table.moment.value || table.question.value?.over) return null;
  return (
    <section class="card analysis" aria-label="Analysis">
      <h2>Trying it out</h2>
      <ChosenDice />
      <Opinion />
    </section>
  );
}

/** What the next dice show, in the order in which they fall. */
function ChosenDice() {
  const { table } = useContext(Game);
  const typed = useSignal("");
  const dice = table.dice.value;
  useEffect(() => {
    if (!dice.length) typed.value = "";
  }, [dice]);
  const choose = (text: string): void => {
    typed.value = text;
    table.dice.value = (text.match(/\d+/g) ?? []).map(Number).slice(0, 20);
  };
  return (
    <label class="row">
      Next dice
      <input
        inputMode="numeric"
        size={8}
        placeholder="rolled"
        value={typed.value}
        aria-describedby="dice-told"
        onInput={(e) => choose(e.currentTarget.value)}
        onKeyDown={(e) => {
          // Back to the board, whose keys are letters and numbers, too.
          if (e.key === "Enter" || e.key === "Escape") document.getElementById("board")?.focus();
          if (e.key === "Escape") e.stopPropagation();
        }}
      />
      <small id="dice-told">{dice.length ? `will show ${dice.join(", ")}` : "fall as they fall; type 3 or 3 5 to choose"}</small>
    </label>
  );
}

/** What an opponent of some level would do here. */
function Opinion() {
  const { table } = useContext(Game);
  const levels = useSignal<readonly string[]>([]);
  const level = useSignal("");
  const advice = useSignal<Advice | null>(null);
  const asking = useSignal(false);
  const book = table.info.value?.rulebook;
  const decision = table.update.value?.decision;
  useEffect(() => {
    void library().then(
      ({ rulebooks }) => {
        const found = rulebooks.find((one) => one.name === book)?.levels.map((one) => one.name) ?? [];
        levels.value = found.filter((name) => name !== "random");
        level.value = levels.value.includes("officer") ? "officer" : (levels.value[0] ?? "");
      },
      () => undefined,
    );
  }, [book]);
  useEffect(() => {
    advice.value = null;
  }, [decision]);
  if (!levels.value.length) return null;
  const ask = async (): Promise<void> => {
    asking.value = true;
    const reply = await table.tryAsk<"advice">({ what: "advice", level: level.value });
    asking.value = false;
    if (!reply) return;
    if ("line" in reply && "text" in reply) advice.value = reply;
    else if ("why" in reply && "stale" in reply) table.refusal.value = reply;
  };
  const told = advice.value;
  return (
    <>
      <div class="row">
        <label>
          What would a{" "}
          <select value={level.value} onChange={(e) => (level.value = e.currentTarget.value)}>
            {levels.value.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>{" "}
          do?
        </label>
        <button type="button" class="small" disabled={asking.value} onClick={() => void ask()}>
          {asking.value ? "Thinking …" : "Ask"}
        </button>
      </div>
      {told && (
        <div class="opinion" role="status">
          <p>
            <b>
              <Rich text={told.text} begin />
            </b>{" "}
            <button type="button" class="small" onClick={() => void table.act([told.line])}>
              Do it
            </button>
          </p>
          {told.why.map((why, i) => (
            <p key={i} class="quiet">
              <Rich text={why} begin />
            </p>
          ))}
        </div>
      )}
    </>
  );
}

/**
 * A new game for one person from a moment on. Who may see everything takes what happened along; who may not gets the moment as he
 * saw it, and what he did not see is dealt at random.
 */
export async function branchOff({ table }: GamePage, at: number): Promise<void> {
  const whole = table.seat.value?.eyes.includes("all");
  const answer = whole ? await table.tryAsk<"record">({ what: "record" }) : await table.tryAsk<"branch">({ what: "branch", at });
  if (!answer) return;
  if (!("text" in answer)) {
    table.refusal.value = answer;
    return;
  }
  const text = whole ? upTo(answer.text, table.update.value?.at ?? 0, at) : answer.text;
  const players = { axis: { name: "" }, soviet: { name: "" } };
  const name = `${table.info.value?.scenario_title ?? "game"}, tried from action ${at}`;
  try {
    enter(await openGame({ name, text, players, casual: true }), { kind: "open" }, "axis");
  } catch (error) {
    table.refuse(error instanceof Error ? error.message : "the game could not be made");
  }
}

/** The record of a game of `of` actions, up to one of them. */
function upTo(record: string, of: number, at: number): string {
  const lines = record.trimEnd().split("\n");
  const head = lines.slice(0, lines.length - of).filter((line) => !OF_THE_GAME.test(line));
  return [...head, ...lines.slice(lines.length - of).slice(0, at), ""].join("\n");
}

/** What a record says of how its game ended and of its dice, which is not so for a game that goes another way. */
const OF_THE_GAME = /^\[(Result|Commitment|Secret|Game|AxisNonce|SovietNonce|Seed|Axis|Soviet) /;
