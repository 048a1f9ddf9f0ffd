/** Finding rules by what they mean: every word counts, its endings do not, and a glossary tells what people say instead. */

import type { CaseInfo, Term } from "./wire";
import { plain } from "./words";

/** The cases that a question finds, the best first. */
export function searchCases(cases: readonly CaseInfo[], question: string, terms: readonly Term[]): readonly CaseInfo[] {
  const wanted = asked(question, terms);
  if (!wanted.length) return cases;
  const scored = cases.map((one) => ({ one, score: score(one, wanted) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ one }) => one);
}

/** What is asked for: each part with the words that mean the same. */
function asked(question: string, terms: readonly Term[]): string[][] {
  let rest = ` ${question.toLowerCase().trim()} `;
  const parts: string[][] = [];
  for (const { word, meaning } of terms) {
    const names = [word.toLowerCase(), ...meaning.toLowerCase().split(/[,:]/).map((name) => name.trim())].filter(Boolean);
    const said = names.find((name) => rest.includes(` ${name} `));
    if (!said) continue;
    rest = rest.replace(` ${said} `, " ");
    parts.push(names);
  }
  return [...parts, ...rest.split(/\s+/).filter(Boolean).map((word) => [word])];
}

function score(one: CaseInfo, wanted: readonly string[][]): number {
  const title = ` ${one.number} ${one.title} `.toLowerCase();
  const text = ` ${plain(one.statement)} `.toLowerCase();
  let sum = 0;
  for (const names of wanted) {
    const best = Math.max(...names.map((name) => (one.number === name ? 20 : has(title, name) ? 5 : has(text, name) ? 1 : 0)));
    if (!best) return 0;
    sum += best;
  }
  return sum;
}

/** Abbreviations as whole words, other words by their stem, long ones with a letter wrong. */
function has(text: string, name: string): boolean {
  if (name.length <= 4) return new RegExp(`\\b${name.replace(/[^a-z0-9]/g, "\\$&")}`).test(text);
  const stem = name.replace(/(ing|ed|es|s)$/, "");
  if (text.includes(stem)) return true;
  return name.length > 5 && !name.includes(" ") && text.split(/[^a-z]+/).some((word) => isNear(word.replace(/s$/, ""), stem));
}

/** One letter wrong, missing or too many. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const [x, y] = [a.slice(i), b.slice(i)];
  return x.slice(1) === y.slice(1) || x.slice(1) === y || x === y.slice(1);
}
