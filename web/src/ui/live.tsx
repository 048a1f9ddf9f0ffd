import { useComputed } from "@preact/signals";
import { useContext } from "preact/hooks";
import { Game } from "./context";
import type { Text } from "../wire";
import { capital, plain } from "./text";

/** What a screen reader hears: the prompt, what just happened, and what lies under the cursor. */
export function Told() {
  const { table, hand } = useContext(Game);
  const aloud = (text: Text): string => plain(text, table.looks.value);
  const prompt = useComputed(() => {
    const question = table.question.value;
    if (!question) return "";
    const side = question.side ? `${table.sideName(question.side)}: ` : "";
    return `${side}${aloud(question.over?.reason ?? question.prompt)}`;
  });
  const news = useComputed(() => {
    const last = table.log.value.at(-1);
    return last ? last.events.slice(0, 8).map((event) => capital(aloud(event.text))).join(". ") : "";
  });
  const here = useComputed(() => {
    const hex = hand.pointed.value;
    const cell = hex ? table.geometry.value?.byLabel.get(hex) : undefined;
    if (!hex || !cell || table.handOver.value) return "";
    const pieces = (table.pieces.value.get(hex) ?? []).map((piece) =>
      piece.front ? table.looks.value.title(piece.front.unit) : `${table.sideName(piece.side)} unit`,
    );
    const route = hand.routes.value.get(hex);
    const cost = route ? `, ${route.cost} movement points` : "";
    return [`${hex} ${cell.terrain}${cost}`, ...cell.names, ...pieces].join(", ");
  });
  return (
    <div class="unseen">
      <p aria-live="polite">{prompt.value}</p>
      <p aria-live="polite">{news.value}</p>
      <p id="told" aria-live="polite">
        {here.value}
      </p>
    </div>
  );
}
