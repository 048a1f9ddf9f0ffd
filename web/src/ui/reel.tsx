/** What others did while it is shown: the attack with its dice and what came of it; on to now, or once more. */

import { useContext } from "preact/hooks";
import { useSignalEffect } from "@preact/signals";
import type { Combat } from "../combats";
import { termOf } from "../glossary";
import { counted } from "../words";
import type { Happening } from "../wire";
import { Game } from "./context";
import { Die } from "./dice";
import { PaceChoice } from "./replay";
import { Case, Rich } from "./text";

export function ReelCard() {
  const { reel, table, board } = useContext(Game);
  useSignalEffect(() => {
    // The board follows where something is shown that lies outside.
    const hexes = [...(reel.combat.value?.hexes ?? []), ...reel.travels.value.flatMap((travel) => travel.cells.map((cell) => cell.label))];
    const cell = table.geometry.value?.byLabel.get(hexes.at(-1) ?? "");
    if (cell && reel.isOn) board.value?.reveal(cell);
  });
  if (!reel.isOn) return null;
  const combat = reel.combat.value;
  const left = reel.left.value;
  return (
    <section class="reel card" aria-label="What others do">
      {combat ? <Fight combat={combat} /> : <p>What others did{left > 0 && `: ${counted(left, "more thing", "more things")} to see`}</p>}
      <div class="row-buttons">
        <button type="button" class="small" title="On to how the game stands (Esc)" onClick={() => reel.skip()}>
          <kbd aria-hidden="true">Esc</kbd> Skip
        </button>
        <PaceChoice />
      </div>
    </section>
  );
}

function Fight({ combat }: { combat: Combat }) {
  const { table } = useContext(Game);
  return (
    <>
      <p>
        <span class={`side ${combat.side}`}>{table.sideName(combat.side)}</span> {combat.attack && <Rich text={combat.attack.text} begin />}
      </p>
      <FightOutcome combat={combat} />
    </>
  );
}

/** The dice of a combat, its result in words, and what came of it. */
export function FightOutcome({ combat }: { combat: Combat }) {
  const { dice, result, after } = combat;
  return (
    <p class="fight">
      {dice.map((event, i) => event.roll && <Die key={i} roll={event.roll} />)}{" "}
      {result && (
        <b>
          <Rich text={result.text} begin={!dice.length} />
          <Meaning event={result} />
        </b>
      )}{" "}
      {result && <Case number={result.case} />}
      {after.map((event, i) => (
        <span key={i} data-event={event.event}>
          {(result || i > 0) && "; "}
          <Rich text={event.text} />
        </span>
      ))}
    </p>
  );
}

/** What the code of a result means. */
export function Meaning({ event }: { event: Happening }) {
  const { table } = useContext(Game);
  const term = event.role === "result" || event.role === "reading" ? termOf(table.info.value?.rulebook, wordOf(event)) : undefined;
  return term ? <>: {term.meaning}</> : null;
}

/** The code that a result goes by. */
function wordOf({ fields }: Happening): string {
  const word = fields["result"];
  return typeof word === "string" ? word : "";
}
