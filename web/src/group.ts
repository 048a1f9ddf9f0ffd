/**
 * Several units in the hand: whole stacks, or units picked with Shift. Where an answer names all of them they go as one;
 * else they go one after the other, each as far as the rules let it.
 */

import { batch, signal } from "@preact/signals";
import { Choices, type Choice } from "./answers";
import type { Hand } from "./hand";
import type { Table } from "./table";

export class Group {
  readonly units = signal<readonly string[]>([]);
  /** The hexes that all of them can go to. */
  readonly reach = signal<ReadonlySet<string>>(new Set());
  private turn = 0;

  constructor(
    private readonly table: Table,
    private readonly hand: Hand,
  ) {}

  get isHeld(): boolean {
    return this.units.value.length > 1;
  }

  clear(): void {
    this.turn++;
    batch(() => {
      this.units.value = [];
      this.reach.value = new Set();
    });
  }

  /** Takes a stack along, or lets it go. */
  async toggle(hex: string): Promise<void> {
    const able = this.hand.unitsIn(hex).filter((unit) => this.table.choices.value.ofUnit(unit).some(goes));
    if (!able.length) return;
    const picked = this.hand.unit.value;
    const held = new Set(this.units.value.length || !picked || able.includes(picked) ? this.units.value : [picked]);
    const all = able.every((unit) => held.has(unit));
    for (const unit of able) if (all) held.delete(unit);
      else held.add(unit);
    this.hand.letGo();
    this.units.value = [...held];
    this.hand.inspected.value = hex;
    await this.spread();
  }

  /** Finds where all of them can go. */
  private async spread(): Promise<void> {
    const turn = ++this.turn;
    const together = this.together();
    const starts = together ? [[together]] : this.units.value.map((unit) => this.table.choices.value.ofUnit(unit));
    const reaches: Set<string>[] = [];
    for (const start of starts) {
      reaches.push(await this.hexesOf(start));
      if (turn !== this.turn) return;
    }
    const [first, ...others] = reaches;
    this.reach.value = new Set([...(first ?? [])].filter((hex) => others.every((reach) => reach.has(hex))));
  }

  /** The answer that names exactly these units. */
  private together(): Choice | undefined {
    const units = new Set(this.units.value);
    const { all } = this.table.choices.value;
    return all.find((one) => goes(one) && !one.hexes.length && one.units.length === units.size && one.units.every((unit) => units.has(unit)));
  }

  /** Where some answers lead: the hexes that they name, and those that lie open after them. */
  private async hexesOf(choices: readonly Choice[]): Promise<Set<string>> {
    const found = new Set(choices.filter(goes).flatMap((choice) => choice.hexes));
    for (const choice of choices.filter((one) => goes(one) && !one.hexes.length)) {
      const after = await this.after([choice.line]);
      after?.hexesAlone.forEach((hex) => found.add(hex));
      if (found.size) break;
    }
    return found;
  }

  private async after(lines: readonly string[]): Promise<Choices | null> {
    const reply = await this.table.ask<"look">({ what: "look", lines: [...lines] });
    return reply && Choices.of(reply.question, this.table.forms.value);
  }

  /** Sends all of them to a hex; true when it was theirs to go to. */
  async go(hex: string): Promise<boolean> {
    if (!this.isHeld || !this.reach.value.has(hex)) return false;
    const together = this.together();
    let lines: string[] = [];
    for (const unit of together ? [null] : this.units.value) {
      const more: string[] | null = await this.linesOf(lines, unit, together, hex);
      if (more) lines = more;
    }
    if (lines.length) await this.hand.send(lines);
    return true;
  }

  /** The lines so far, and those that bring one more of them there. */
  private async linesOf(before: string[], unit: string | null, together: Choice | undefined, hex: string): Promise<string[] | null> {
    const now = before.length ? await this.after(before) : this.table.choices.value;
    const own = unit ? (now?.ofUnit(unit) ?? []).filter(goes) : together ? [together] : [];
    const direct = own.find((choice) => choice.hexes.includes(hex));
    if (direct) return [...before, direct.line];
    for (const opener of own.filter((choice) => !choice.hexes.length)) {
      const then = await this.after([...before, opener.line]);
      const go = then?.ofHexAlone(hex)[0];
      if (!go) continue;
      const lines = [...before, opener.line, go.line];
      const end = (await this.after(lines))?.finish;
      return end && end.form.role === "finish" ? [...lines, end.line] : lines;
    }
    return null;
  }
}

/** Answers by which units go somewhere or may begin to. */
function goes({ form }: Choice): boolean {
  return form.role === "plain" && form.step === null;
}
