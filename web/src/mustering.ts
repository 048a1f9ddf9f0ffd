/**
 * Putting an attack together on the board: a target, who takes part, the kinds of attack side by side. All of it is
 * notation that the server lists; until it is declared nothing is final.
 */

import { computed, signal } from "@preact/signals";
import { Choices, type Choice } from "./answers";
import type { Hand } from "./hand";
import type { Table } from "./table";
import type { Prospect, Refusal, Text } from "./wire";

/** A way to declare the attack, with what comes of it. */
export interface Declaration {
  readonly choice: Choice;
  readonly prospect: Prospect | null;
  /** Why nobody can say what comes of it. */
  readonly why?: Text;
}

/** Of so many units it is asked what they would bring, or why they cannot. */
const MOST_WEIGHED = 12;

export class Mustering {
  /** The kinds of attack that can be declared now, in the order of their answers. */
  readonly declarations = signal<readonly Declaration[]>([]);
  /** Declare and then be asked for support and the like, instead of going on to the die. */
  readonly stepwise = signal(false);
  /** What comes of it with each who could join, besides those who take part already. */
  readonly joining = signal<ReadonlyMap<string, Prospect>>(new Map());
  /** Own units beside the target that can take no part, and why. */
  readonly unable = signal<readonly { readonly unit: string; readonly refusal: Refusal }[]>([]);
  private weighing = 0;

  constructor(
    private readonly table: Table,
    private readonly hand: Hand,
  ) {}

  /** True while an attack is being put together. */
  readonly isOpen = computed(() => this.table.choices.value.all.some((choice) => choice.form.step === "cancel"));

  /** What the attack was begun with: the last one that this seat has named. */
  private readonly begun = computed(() => {
    const names = new Set(this.table.forms.value.filter((form) => form.step === "name").map((form) => form.name));
    const entry = this.isOpen.value ? this.table.log.value.findLast((one) => names.has(one.action?.split(" ")[0] ?? "")) : undefined;
    const [, unit, hex] = entry?.action?.split(" ") ?? [];
    return entry && unit && hex ? { unit, hex, at: entry.at } : null;
  });

  /** Who has joined and not left since it was begun. */
  private readonly joined = computed<readonly string[]>(() => {
    const begun = this.begun.value;
    const steps = new Map(this.table.forms.value.map((form) => [form.name, form.step]));
    const found = new Set(begun ? [begun.unit] : []);
    for (const { at, action } of this.table.log.value) {
      const [name, unit] = action?.split(" ") ?? [];
      if (!begun || !name || !unit || at <= begun.at) continue;
      if (steps.get(name) === "join") found.add(unit);
      if (steps.get(name) === "leave") found.delete(unit);
    }
    return [...found];
  });

  /** The hex that is attacked, or would be. */
  readonly target = computed(() => (this.isOpen.value ? (this.begun.value?.hex ?? null) : this.hand.target.value));

  /** Who takes part. */
  readonly members = computed<readonly string[]>(() => {
    const leaving = this.unitsOf("leave");
    // The last one cannot leave.
    return leaving.length ? leaving : this.joined.value;
  });

  /** Who could, besides. */
  readonly others = computed<readonly string[]>(() => {
    if (this.isOpen.value) return this.unitsOf("join");
    const target = this.hand.target.value;
    return target ? this.naming(target).flatMap((choice) => choice.units) : [];
  });

  private naming(target: string): Choice[] {
    return this.hand.base.value.ofHex(target).filter((choice) => choice.form.step === "name");
  }

  private unitsOf(step: string): string[] {
    return this.table.choices.value.all.filter((choice) => choice.form.step === step).flatMap((choice) => choice.units);
  }

  /** A click on a stack while an attack is put together: its next unit joins, or all of them leave. */
  async tick(hex: string): Promise<boolean> {
    if (!this.isOpen.value) return false;
    const here = this.hand.unitsIn(hex);
    const joins = this.others.value.find((unit) => here.includes(unit));
    if (joins) await this.toggle(joins);
    else if (this.members.value.length > 1 && here.some((unit) => this.members.value.includes(unit)))
      await this.toggle(here.find((unit) => this.members.value.includes(unit))!);
    return Boolean(joins) || here.some((unit) => this.members.value.includes(unit));
  }

  /** A unit joins or leaves. */
  async toggle(unit: string): Promise<void> {
    const { choices } = this.table;
    const steps = choices.value.ofUnit(unit).find(({ form }) => form.step === "join" || form.step === "leave");
    const name = this.hand.target.value ? this.naming(this.hand.target.value).find((one) => one.units.includes(unit)) : undefined;
    const line = (this.isOpen.value ? steps : name)?.line;
    if (line) await this.hand.send([line]);
  }

  /** Everybody joins who can: one key. */
  async all(): Promise<void> {
    const target = this.hand.target.value;
    const lines: string[] = [];
    let choices: Choices | null = this.table.choices.value;
    if (!this.isOpen.value) {
      const first = target ? this.naming(target)[0] : undefined;
      if (!first) return;
      lines.push(first.line);
      choices = await this.after(lines);
    }
    for (;;) {
      const join = choices?.all.find((choice) => choice.form.step === "join" && !lines.includes(choice.line));
      if (!join) break;
      lines.push(join.line);
      choices = await this.after(lines);
    }
    if (lines.length) await this.hand.send(lines);
  }

  private async after(lines: readonly string[]): Promise<Choices | null> {
    const reply = await this.table.ask<"look">({ what: "look", lines: [...lines] });
    return reply && Choices.of(reply.question, this.table.forms.value);
  }

  /** Asks what comes of each kind of attack as it stands; with a mere target, of all who could attack it. */
  async weigh(): Promise<void> {
    this.forget();
    const mine = this.weighing;
    const declaring = this.table.choices.peek().all.filter((choice) => choice.form.step === "declare");
    this.declarations.value = declaring.map((choice) => ({ choice, prospect: null }));
    for (const choice of declaring) {
      const reply = await this.table.tryAsk<"odds">({ what: "odds", lines: [choice.line], complete: true });
      if (mine !== this.weighing) return;
      const found = !reply ? null : "ways" in reply ? { choice, prospect: reply } : { choice, prospect: null, why: reply.why };
      if (found) this.declarations.value = this.declarations.value.map((one) => (one.choice === choice ? found : one));
    }
    await this.askUnable(mine);
    await this.weighOthers(mine);
  }

  /** Asks what comes of it with each of the others, one after another. */
  private async weighOthers(mine: number): Promise<void> {
    for (const unit of this.others.peek().slice(0, MOST_WEIGHED)) {
      const line = this.lineOf(unit);
      const prospect = line ? await this.table.ask<"odds">({ what: "odds", lines: [line], complete: true }) : null;
      if (mine !== this.weighing) return;
      if (prospect?.gist) this.joining.value = new Map(this.joining.peek()).set(unit, prospect);
    }
  }

  /** Asks why others that stand beside the target cannot join. */
  private async askUnable(mine: number): Promise<void> {
    const target = this.target.peek();
    const open = this.isOpen.peek();
    const form = this.table.forms.peek().find((one) => one.step === (open ? "join" : "name"));
    const taking = new Set([...this.members.peek(), ...this.others.peek()]);
    if (!target || !form) return;
    const able = this.beside(target).filter((unit) => this.hand.isMine(unit) && !taking.has(unit));
    const found: { unit: string; refusal: Refusal }[] = [];
    for (const unit of able.slice(0, MOST_WEIGHED)) {
      const line = [form.name, unit, ...(open ? [] : [target])].join(" ");
      const verdict = await this.table.ask<"check">({ what: "check", lines: [line] });
      if (mine !== this.weighing) return;
      if (verdict?.refusal) found.push({ unit, refusal: verdict.refusal });
    }
    this.unable.value = found;
  }

  /** The units in the hexes around one, as far as they are seen. */
  private beside(hex: string): string[] {
    const geometry = this.table.geometry.peek();
    const cell = geometry?.byLabel.get(hex);
    return cell && geometry ? geometry.neighbours(cell).flatMap((one) => (one ? this.hand.unitsIn(one.label) : [])) : [];
  }

  /** The answer by which a unit joins, or begins the attack. */
  private lineOf(unit: string): string | undefined {
    if (this.isOpen.peek()) return this.table.choices.peek().ofUnit(unit).find(({ form }) => form.step === "join")?.line;
    const target = this.hand.target.peek();
    return target ? this.naming(target).find((one) => one.units.includes(unit))?.line : undefined;
  }

  /** Nothing is weighed any more. */
  forget(): void {
    this.weighing++;
    this.declarations.value = [];
    this.joining.value = new Map();
    this.unable.value = [];
  }

  /** Declares, and goes on to the die as the odds were told for. What may be done after a die is left to the player. */
  async declare({ choice, prospect }: Declaration): Promise<void> {
    for (const line of (!this.stepwise.value && prospect?.lines) || [choice.line]) {
      const asked = this.table.choices.value.all.some((one) => one.line === line);
      if (!asked || !(await this.table.act([line]))) return;
      if (this.table.log.value.at(-1)?.events.some((event) => event.roll)) return;
    }
  }

  /** The answers that lead from a declaration to its die, besides the declaration. */
  steps({ choice, prospect }: Declaration): readonly Choice[] {
    const lines = (prospect?.lines ?? []).filter((line) => line !== choice.line);
    return lines.flatMap((line) => {
      const form = this.table.forms.value.find((one) => one.name === line);
      return form ? [{ form, args: [], line, units: [], hexes: [] }] : [];
    });
  }
}
