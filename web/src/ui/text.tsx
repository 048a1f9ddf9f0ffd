/** Texts of the server: spans of words, units, hexes, numbers and cases, the latter drawn as links. */

import { useContext } from "preact/hooks";
import type { Span, Text } from "../wire";
import { capital, plain } from "../words";
import { Game } from "./context";

export { capital, plain };

/** A case number; opens the case in our words. */
export function Case({ number }: { number: string | null | undefined }) {
  const game = useContext(Game);
  if (!number) return null;
  return (
    <button type="button" class="case" title={`Rule ${number}`} onClick={() => game.showCase(number)}>
      {number}
    </button>
  );
}

/** A text with its links; as a sentence of its own it begins with a capital letter. */
export function Rich({ text, begin = false }: { text: Text; begin?: boolean }) {
  return (
    <>
      {text.map((span, i) => (
        <Part key={i} span={span} begin={begin && i === 0} />
      ))}
    </>
  );
}

function Part({ span, begin }: { span: Span; begin: boolean }) {
  const { table } = useContext(Game);
  if (typeof span === "string") return <>{begin ? capital(span) : span}</>;
  if ("case" in span) return <Case number={span.case} />;
  if ("hex" in span) return <HexLink hex={span.hex} />;
  if ("number" in span) return <>{span.number}</>;
  const title = table.looks.value.title(span.unit);
  return <UnitLink unit={span.unit} title={begin ? capital(title) : title} />;
}

export function HexLink({ hex }: { hex: string }) {
  const { goTo } = useContext(Game);
  return (
    <button type="button" class="hex-link" onClick={() => goTo(hex)}>
      {hex}
    </button>
  );
}

function UnitLink({ unit, title }: { unit: string; title: string }) {
  const { goTo, table } = useContext(Game);
  const place = table.places.value.get(unit);
  return (
    <button type="button" class="unit-link" title={unit} disabled={!place} onClick={() => place && goTo(place)}>
      {title}
    </button>
  );
}
