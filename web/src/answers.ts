/** The legal answers of a decision, found by what a player points at. */

import type { Form, Question, Unasked } from "./wire";
import { capital, listed, spoken } from "./words";

export interface Choice {
  readonly form: Form;
  readonly args: readonly string[];
  /** The answer in notation. */
  readonly line: string;
  readonly units: readonly string[];
  readonly hexes: readonly string[];
}

export class Choices {
  /** What may be done without being asked, as far as forms tell what it names. */
  static unasked(unasked: readonly Unasked[], forms: readonly Form[]): Choices {
    const found = unasked.flatMap(({ line, form: name }) => {
      const form = forms.find((one) => one.name === name);
      // Who plays both sides says first for whom he speaks.
      const args = line.replace(/^\w+: /, "").split(" ").slice(1);
      return form ? [{ ...choice(form, args), line }] : [];
    });
    return new Choices(found);
  }

  /** What a question allows. */
  static of(question: Question | null, forms: readonly Form[]): Choices {
    const all = (question?.answers ?? []).flatMap(({ form, args }) => {
      const found = forms[form];
      return found ? args.map((words) => choice(found, words)) : [];
    });
    return new Choices(all);
  }

  private readonly unitIndex = new Map<string, Choice[]>();
  private readonly hexIndex = new Map<string, Choice[]>();
  /** Those that name neither unit nor hex: buttons beside the prompt. */
  readonly plain: readonly Choice[];

  private constructor(readonly all: readonly Choice[]) {
    for (const one of this.all) {
      for (const unit of one.units) file(this.unitIndex, unit, one);
      for (const hex of one.hexes) file(this.hexIndex, hex, one);
    }
    this.plain = this.all.filter((one) => !one.units.length && !one.hexes.length);
  }

  ofUnit(unit: string): readonly Choice[] {
    return this.unitIndex.get(unit) ?? [];
  }

  ofHex(hex: string): readonly Choice[] {
    return this.hexIndex.get(hex) ?? [];
  }

  /** Those that name a hex and no unit: whoever acts is already known. */
  ofHexAlone(hex: string): readonly Choice[] {
    return this.ofHex(hex).filter((one) => !one.units.length);
  }

  get units(): Iterable<string> {
    return this.unitIndex.keys();
  }

  get hexes(): Iterable<string> {
    return this.hexIndex.keys();
  }

  get hexesAlone(): string[] {
    return [...this.hexIndex].filter(([, list]) => list.some((one) => !one.units.length)).map(([hex]) => hex);
  }

  /** Units that could still do something other than lie in another order. */
  get idle(): string[] {
    return [...this.unitIndex]
      .filter(([, list]) => list.some(({ form }) => form.role !== "arrange" && form.role !== "take-back"))
      .map(([unit]) => unit);
  }

  /** The choice that ends this by doing no more, when there is exactly one. */
  get finish(): Choice | undefined {
    const finishing = this.plain.filter((one) => one.form.finishes);
    return finishing.length === 1 ? finishing[0] : undefined;
  }
}

function choice(form: Form, args: string[]): Choice {
  const units: string[] = [];
  const hexes: string[] = [];
  form.fields.forEach((field, i) => {
    const word = args[i] ?? "";
    if (field.kind === "unit") units.push(word);
    else if (field.kind === "units" && word !== "-") units.push(...word.split(","));
    else if (field.kind === "hex") hexes.push(word);
  });
  return { form, args, line: [form.name, ...args].join(" "), units, hexes };
}

function file<K, V>(index: Map<K, V[]>, key: K, value: V): void {
  const list = index.get(key);
  if (list) list.push(value);
  else index.set(key, [value]);
}

/** What is called by names of its own; all other words are a rulebook's. */
const NAMES: ReadonlySet<string> = new Set(["unit", "hex", "hexside", "side", "number", "mp"]);

/** Says how people call what a word of some kind stands for. */
export type Speak = (kind: string, word: string) => string;

/** A choice as a sentence. */
export function sentence({ form, args }: Choice, speak: Speak): string {
  const filled = form.sentence.replace(/\{(\w+)\}/g, (_, field: string) => {
    const at = form.fields.findIndex((one) => one.name === field);
    const word = args[at] ?? "";
    const { kind = "", said = {} } = form.fields[at] ?? {};
    if (kind === "units") return listed(word.split(",").map((unit) => speak("unit", unit)));
    return said[word] ?? (NAMES.has(kind) ? speak(kind, word) : spoken(word));
  });
  return capital(filled);
}
