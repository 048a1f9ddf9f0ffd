import { useSignal, useSignalEffect } from "@preact/signals";
import { useContext } from "preact/hooks";
import { showDice } from "../settings";
import type { Roll } from "../wire";
import { Game } from "./context";

const PIPS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[2, 2]],
  2: [[1, 1], [3, 3]],
  3: [[1, 1], [2, 2], [3, 3]],
  4: [[1, 1], [1, 3], [3, 1], [3, 3]],
  5: [[1, 1], [1, 3], [2, 2], [3, 1], [3, 3]],
  6: [[1, 1], [1, 2], [1, 3], [3, 1], [3, 2], [3, 3]],
};

/** A die as it fell. Other dice than six-sided ones show their number. */
export function Die({ roll }: { roll: Roll }) {
  const pips = roll.die === 6 ? PIPS[roll.result] : undefined;
  return (
    <svg class={`die ${roll.side}`} viewBox="0 0 4 4" role="img" aria-label={`${roll.result} on a d${roll.die}`}>
      <rect x="0.15" y="0.15" width="3.7" height="3.7" rx="0.7" />
      {pips ? (
        pips.map(([x, y]) => <circle key={`${x}${y}`} cx={x} cy={y} r="0.42" />)
      ) : (
        <text x="2" y="2.75" text-anchor="middle" font-size="2.1">
          {roll.result}
        </text>
      )}
    </svg>
  );
}

/** Dice that have just fallen: shown once, quickly, in a corner of the board. */
export function FallingDice() {
  const { table, reel } = useContext(Game);
  const rolls = useSignal<{ key: number; rolls: Roll[] } | null>(null);
  const seen = useSignal(-1);
  useSignalEffect(() => {
    const update = table.update.value;
    if (!update) return;
    const before = seen.peek();
    seen.value = update.at;
    // What others rolled is shown with their attack.
    if (before < 0 || update.at <= before || !showDice.value || table.handOver.value || reel.isOn) return;
    const fresh = table.log
      .peek()
      .filter((entry) => entry.at > before)
      .flatMap((entry) => entry.events.flatMap((event) => event.roll ?? []))
      .slice(-6);
    if (!fresh.length) return;
    // While the program plays on, dice that still lie there give way to the next without falling anew each time.
    const lying = rolls.peek();
    rolls.value = { key: table.thinking.peek() && lying ? lying.key : update.decision, rolls: fresh };
  });
  const shown = rolls.value;
  if (!shown) return null;
  return (
    <div class="falling" key={shown.key} aria-hidden="true" onAnimationEnd={(e) => e.target === e.currentTarget && (rolls.value = null)}>
      {shown.rolls.map((roll, i) => (
        <figure key={i}>
          <Die roll={roll} />
          <figcaption>{roll.purpose}</figcaption>
        </figure>
      ))}
    </div>
  );
}
