/** Standing orders: what the server answers for a player who is asked the same again and again. */

import { useContext } from "preact/hooks";
import { sentence, type Choice } from "../answers";
import type { OrderEnd } from "../wire";
import { Game, type GamePage } from "./context";
import { Case } from "./text";

/** Beside a question in the middle of what the other side does: to leave word for the next time. */
export function LeaveWord({ game: { hand, table } }: { game: GamePage }) {
  const question = table.update.value?.question;
  const finish = table.choices.value.finish;
  // In one's own phase one is not interrupted.
  const phase = table.sequence.value?.phases[table.sequence.value.phase ?? -1];
  const interrupted = table.log.value.at(-1)?.side !== question?.side && (!phase?.side || phase.side !== question?.side);
  if (!question?.yours || !finish || finish.form.role !== "finish" || !interrupted || hand.menu.value || hand.ending.value) return null;
  const leave = (until: OrderEnd, about?: string): void => {
    const others = table.orders.value.filter((order) => order.case !== question.case || (about !== undefined && order.about !== about));
    void table.order([...others, { case: question.case, line: finish.line, until, ...(about ? { about } : {}) }]);
  };
  // Of whom it speaks: with an order for one of them, the others are still asked for.
  const units = question.prompt.flatMap((span) => (typeof span === "object" && "unit" in span ? [span.unit] : []));
  const said = sentence(finish, table.speak).toLowerCase();
  return (
    <div class="choices word" role="group" aria-label="Standing orders">
      <button type="button" class="small" onClick={() => leave("asked_other")}>
        Always {said}, until I am asked something else
      </button>
      <button type="button" class="small" onClick={() => leave("revoked")}>
        Always {said}
      </button>
      {[...new Set(units)].map((unit) => (
        <button type="button" key={unit} class="small" onClick={() => leave("revoked", unit)}>
          Always {said} for {table.looks.value.title(unit)}; ask me about others
        </button>
      ))}
    </div>
  );
}

/** The orders that stand, each to be revoked. */
export function OrdersCard() {
  const { table } = useContext(Game);
  const orders = table.orders.value;
  if (!orders.length) return null;
  const told = (line: string): string => {
    const form = table.forms.value.find((one) => one.name === line);
    const choice: Choice | null = form ? { form, args: [], line, units: [], hexes: [] } : null;
    return choice ? sentence(choice, table.speak) : line;
  };
  return (
    <section class="card" aria-label="Your standing orders">
      <h2>Standing orders</h2>
      <ul class="ledger">
        {orders.map((order) => (
          <li key={`${order.case} ${order.about ?? ""}`}>
            {told(order.line)} <Case number={order.case} /> <small>
              {order.about && `for ${table.looks.value.title(order.about)}, `}
              {order.until === "revoked" ? "always" : "until you are asked something else"}
            </small>{" "}
            <button type="button" class="small" onClick={() => void table.order(orders.filter((one) => one !== order))}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
