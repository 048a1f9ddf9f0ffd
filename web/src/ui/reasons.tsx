import { useContext, useEffect } from "preact/hooks";
import type { Thought } from "../wire";
import { Game } from "./context";
import { Rich } from "./text";

/** What opponents had in mind, phase by phase, the latest first. */
export function ReasonsPanel() {
  const { table } = useContext(Game);
  const decision = table.update.value?.decision;
  useEffect(() => void table.loadThoughts(), [decision]);
  const over = Boolean(table.update.value?.question.over);
  const phases = byPhase(table.thoughts.value);
  return (
    <section class="reasons" aria-label="Opponent's reasons">
      <h2>Opponent's reasons</h2>
      <p class="quiet">{over ? "All that it had in mind." : "What it had in mind in the phases that are over."}</p>
      {!phases.length && <p class="quiet">It has told nothing yet.</p>}
      {phases.reverse().map((plans) => (
        <article class="card" key={plans[0].at}>
          <h3>
            <span class={`side ${plans[0].side}`}>{table.sideName(plans[0].side)}</span> Turn {plans[0].turn}, {plans[0].phase}
          </h3>
          {plans.map((plan) => (
            <div key={plan.at}>
              <button type="button" class="moment" title="Show this moment" onClick={() => (void table.loadMarks(), void table.scrub(plan.at - 1))}>
                #{plan.at}
              </button>
              <ul>
                {plan.sentences.map((sentence, i) => (
                  <li key={i}>
                    <Rich text={sentence} />
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </article>
      ))}
    </section>
  );
}

type Plans = [Thought, ...Thought[]];

function byPhase(thoughts: readonly Thought[]): Plans[] {
  const phases: Plans[] = [];
  for (const thought of thoughts) {
    const last = phases.at(-1);
    const same = last && last[0].side === thought.side && last[0].turn === thought.turn && last[0].phase === thought.phase;
    if (same) last.push(thought);
    else phases.push([thought]);
  }
  return phases;
}
