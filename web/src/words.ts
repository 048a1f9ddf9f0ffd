/** Texts of the server as plain words. */

import type { Looks } from "./looks";
import type { Gist, Text } from "./wire";

/** A text as one reads it aloud; with `looks`, units by their full names. */
export function plain(text: Text, looks?: Looks): string {
  return text
    .map((span) => {
      if (typeof span === "string") return span;
      if ("unit" in span) return looks?.title(span.unit) ?? span.unit;
      return "hex" in span ? span.hex : "case" in span ? span.case : span.number;
    })
    .join("");
}

/** A word of a rulebook as people say it: `out-of-command` is out of command, and `3-1` remains what it is. */
export function spoken(word: string): string {
  return word.startsWith("anti-") ? word : word.replace(/(?<=[a-z])-/g, " ");
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A list as people say it: `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** A number with its noun: `1 unit`, `2 units`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The chance to take the hex: from where the enemy does best to where he does worst. */
export function takenShort({ gives_way, stands }: Gist, guess: boolean): string {
  const [low, high] = [gives_way.taken, stands.taken].map((p) => Math.round(p * 100)).sort((a, b) => a - b);
  return `${guess ? "perhaps " : ""}${low === high ? low : `${low}–${high}`} %`;
}
