/** What the words of a rulebook mean: codes of results, abbreviations, and what people call them instead. */

import { signal } from "@preact/signals";
import { glossary } from "./api";
import type { Term } from "./wire";

const known = signal<ReadonlyMap<string, readonly Term[]>>(new Map());

/** Fetches the words of a rulebook, once. */
export async function loadTerms(rulebook: string): Promise<void> {
  if (known.peek().has(rulebook)) return;
  // Without the server there are no meanings either; they are asked for again with the next game.
  const terms = await glossary(rulebook).catch(() => null);
  if (terms) known.value = new Map(known.peek()).set(rulebook, terms);
}

export function termsOf(rulebook: string | undefined): readonly Term[] {
  return known.value.get(rulebook ?? "") ?? [];
}

export function termOf(rulebook: string | undefined, word: string): Term | undefined {
  return word ? termsOf(rulebook).find((term) => term.word === word) : undefined;
}
