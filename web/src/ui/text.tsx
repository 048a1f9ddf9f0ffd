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
        const counter = looks.value.counter(part);
        if (counter) {
          const place = game.table.places.value.get(part);
          return (
            <button key={i} type="button" class="unit-link" title={part} disabled={!place} onClick={() => place && game.goTo(place)}>
              {counter.title || part}
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

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
