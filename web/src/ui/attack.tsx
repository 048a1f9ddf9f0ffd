/** The attack that is being put together: target, who takes part, who could, and what each kind of attack would bring. */

import { useContext } from "preact/hooks";
import { sentence } from "../answers";
import type { Declaration } from "../mustering";
import type { Text } from "../wire";
import { Game } from "./context";
import { CounterPicture } from "./counter";
import { priceIn, ProspectCard } from "./prospect";
import { capital, Case, Rich } from "./text";
import { counted, takenShort } from "../words";

export function AttackCard() {
  const { hand, table } = useContext(Game);
  const { muster } = hand;
  const target = muster.target.value;
  const [members, others] = [muster.members.value, muster.others.value];
  if (!target || table.moment.value || !(members.length || others.length)) return null;
  return (
    <section class="card attack" aria-label={`Attack on ${target}`}>
      <h2>
        {muster.isOpen.value ? "Attack on" : "Who attacks"} {target}
      </h2>
      {others.length > 0 && (
        <button type="button" class="main" onClick={() => void muster.all()}>
          <kbd aria-hidden="true">J</kbd> {members.length ? "All others join" : "All who can"} ({others.length})
        </button>
      )}
      <ul class="ticks-list" aria-label="Attackers">
        {[...members, ...others].sort().map((unit) => (
          <Tick key={unit} unit={unit} joined={members.includes(unit)} />
        ))}
      </ul>
      <Unable />
      <StepByStep />
      {muster.isOpen.value && muster.declarations.value.map((one) => <Kind key={one.choice.line} declaration={one} />)}
    </section>
  );
}

function Tick({ unit, joined }: { unit: string; joined: boolean }) {
  const { hand, table } = useContext(Game);
  const look = table.looks.value.printed(unit);
  const alone = joined && hand.muster.members.value.length === 1;
  const place = table.places.value.get(unit);
  const gist = joined ? null : hand.muster.joining.value.get(unit)?.gist;
  return (
    <li data-pointed={place !== undefined && hand.pointed.value === place} onMouseEnter={() => hand.point(place ?? null)} onMouseLeave={() => hand.point(null)}>
      <label>
        <input type="checkbox" checked={joined} disabled={alone || table.busy.value} onChange={() => void hand.muster.toggle(unit)} />
        {look && <CounterPicture look={look} size={34} />}
        <span>
          {capital(table.looks.value.title(unit))} <small>{place}</small>
        </span>
        {gist && (
          <small class="with">
            {hand.muster.isOpen.value ? "with it" : "alone"} {takenShort(gist, false)}
          </small>
        )}
      </label>
    </li>
  );
}

/** To declare and then be asked for support and the like, where the main button would go on to the die. */
function StepByStep() {
  const { hand, table } = useContext(Game);
  const declarations = hand.muster.declarations.value;
  const steps = [...new Set(declarations.flatMap((one) => hand.muster.steps(one)).map((step) => sentence(step, table.speak)))];
  if (!hand.muster.isOpen.value || !steps.length) return null;
  return (
    <label class="hint stepwise">
      <input
        type="checkbox"
        checked={hand.muster.stepwise.value}
        onChange={(e) => (hand.muster.stepwise.value = e.currentTarget.checked)}
      />{" "}
      Ask me before each step: {steps.join(", ").toLowerCase()}
    </label>
  );
}

/** Own units beside the target that can take no part, and the rule that forbids it. */
function Unable() {
  const { hand, table } = useContext(Game);
  const unable = hand.muster.unable.value;
  if (!unable.length) return null;
  return (
    <details class="unable">
      <summary>{counted(unable.length, "unit")} beside it cannot join</summary>
      <ul class="ledger">
        {unable.map(({ unit, refusal }) => (
          <li key={unit}>
            {!names(refusal.why, unit) && `${capital(table.looks.value.title(unit))}: `}
            <Rich text={refusal.why} begin={names(refusal.why, unit)} /> <Case number={refusal.case} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function names(text: Text, unit: string): boolean {
  return text.some((span) => typeof span === "object" && "unit" in span && span.unit === unit);
}

function Kind({ declaration }: { declaration: Declaration }) {
  const { table } = useContext(Game);
  const { choice, prospect, why } = declaration;
  const told = sentence(choice, table.speak);
  const price = priceIn(prospect);
  const title = price ? `${told}: ${price}` : told;
  if (prospect) return <ProspectCard title={title} prospect={prospect} />;
  return (
    <p class="quiet">
      {told}: {why ? <Rich text={why} /> : "…"}
    </p>
  );
}
