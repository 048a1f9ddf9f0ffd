/** Sentences of the server with their units, hexes and cases made into links. */

import { useContext } from "preact/hooks";
import { Game } from "./context";

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

const WORD = /([A-Za-z0-9](?:[A-Za-z0-9.+_-]*[A-Za-z0-9])?)/;

export function Rich({ text }: { text: string }) {
  const game = useContext(Game);
  const { looks, geometry } = game.table;
  const parts = text.split(WORD);
  return (
    <>
      {parts.map((part, i) => {
        if (i % 2 === 0) return part;
        // A sentence may begin with a unit, and then with a capital letter.
        const counter = looks.value.counter(part) ?? looks.value.counter(part.charAt(0).toLowerCase() + part.slice(1));
        if (counter) {
          const place = game.table.places.value.get(counter.unit);
          return (
            <button
              key={i}
              type="button"
              class="unit-link"
              title={counter.unit}
              disabled={!place}
              onClick={() => place && game.goTo(place)}
            >
              {i === 1 && !parts[0] ? capital(counter.title) : counter.title}
            </button>
          );
        }
        if (part.length > 2 && geometry.value?.byLabel.has(part))
          return (
            <button key={i} type="button" class="hex-link" onClick={() => game.goTo(part)}>
              {part}
            </button>
          );
        return part;
      })}
    </>
  );
}

const CASE = /(\b\d{1,2}\.\d{1,2}(?:\.\d{1,2})?[a-z]?\b)/;

/** Our own statement of a rule, with the numbers of other cases made into links. */
export function Statement({ text, known }: { text: string; known: ReadonlySet<string> }) {
  return <>{text.split(CASE).map((part, i) => (i % 2 && known.has(part) ? <Case key={i} number={part} /> : part))}</>;
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
