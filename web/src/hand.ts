/**
 * What a click means. A click names a hex, perhaps a unit; the server's answers say what that can be. Where nothing
 * fits, the server is asked why not. Nothing here knows a rule.
 */

import { batch, computed, effect, signal } from "@preact/signals";
import { Choices, type Choice } from "./answers";
import type { Table } from "./table";
import type { Proof, Prospect, Question, RouteSummary } from "./wire";

/** Lines that are imagined, and what could be answered then. */
interface Plan {
  readonly lines: readonly string[];
  readonly choices: Choices;
}

/** An answer that cannot be taken back: it wants a second click. */
interface Commitment {
  readonly lines: readonly string[];
  readonly choice: Choice;
  readonly why: string;
}

export class Hand {
  /** The unit that was picked. */
  readonly unit = signal<string | null>(null);
  /** The hex that was picked as a target, when no unit was. */
  readonly target = signal<string | null>(null);
  /** The hex that the panel tells about. */
  readonly inspected = signal<string | null>(null);
  /** The hex under pointer or cursor. */
  readonly pointed = signal<string | null>(null);
  /** Several answers fit a click: one must be chosen from a list. */
  readonly menu = signal<{ lines: readonly string[]; choices: readonly Choice[] } | null>(null);
  readonly commitment = signal<Commitment | null>(null);
  readonly routes = signal<ReadonlyMap<string, RouteSummary>>(new Map());
  readonly prospect = signal<Prospect | null>(null);
  readonly threat = signal<{ hex: string; prospect: Prospect } | null>(null);
  /** What was proved of a unit: its supply, mostly. */
  readonly proofs = signal<{ unit: string; proofs: readonly Proof[] } | null>(null);

  private readonly plan = signal<Plan | null>(null);
  /** Lines to be sent before anything of the picked unit: another unit's move is ended first. */
  private prefix: readonly string[] = [];
  /** Grows with every change, so that replies to old questions are dropped. */
  private turn = 0;
  private prospectTimer = 0;
  /** Forms that were seen to open ways to go. */
  private readonly openers = new Set<string>();
  private readonly stops: (() => void)[] = [];

  constructor(private readonly table: Table) {
    let last = -1;
    this.stops.push(
      effect(() => {
        const decision = table.update.value?.decision ?? -1;
        const replaying = table.moment.value !== null || table.handOver.value !== null;
        if (decision === last && !replaying) return;
        last = replaying ? -2 : decision;
        this.newDecision();
      }),
    );
  }

  destroy(): void {
    for (const stop of this.stops) stop();
    clearTimeout(this.prospectTimer);
  }

  /** The hexes that the picked unit, or whoever acts now, can be sent to. */
  readonly destinations = computed<ReadonlyMap<string, Choice>>(() => {
    const found = new Map<string, Choice>();
    const unit = this.unit.value;
    const add = (choice: Choice): void => choice.hexes.forEach((hex) => found.has(hex) || found.set(hex, choice));
    const base = this.base.value;
    if (unit) base.ofUnit(unit).forEach(add);
    else for (const hex of base.hexesAlone) base.ofHexAlone(hex).forEach(add);
    const plan = this.plan.value;
    if (plan) for (const hex of plan.choices.hexesAlone) plan.choices.ofHexAlone(hex).forEach(add);
    if (unit && !plan && !found.size) for (const hex of base.hexesAlone) base.ofHexAlone(hex).forEach(add);
    return found;
  });

  /** Answers in force: those of the decision, or of the imagined one after the prefix. */
  private readonly prefixed = signal<Choices | null>(null);
  readonly base = computed(() => this.prefixed.value ?? this.table.choices.value);

  /** Units that can answer something, and those that could go with the picked target. */
  readonly ready = computed<ReadonlySet<string>>(() => {
    const target = this.target.value;
    const base = this.base.value;
    if (!target) return new Set(base.units);
    return new Set(base.ofHex(target).flatMap((choice) => choice.units));
  });

  /** What can be done with the picked unit besides going somewhere. */
  readonly unitChoices = computed<readonly Choice[]>(() => {
    const unit = this.unit.value;
    return unit ? this.base.value.ofUnit(unit).filter((choice) => !choice.hexes.length) : [];
  });

  clear(): boolean {
    const had = this.unit.value || this.target.value || this.menu.value || this.table.refusal.value || this.threat.value;
    this.reset();
    this.table.refusal.value = null;
    this.askStanding();
    return Boolean(had);
  }

  private reset(): void {
    this.turn++;
    this.prefix = [];
    batch(() => {
      this.unit.value = null;
      this.target.value = null;
      this.menu.value = null;
      this.commitment.value = null;
      this.plan.value = null;
      this.prefixed.value = null;
      this.routes.value = new Map();
      this.prospect.value = null;
      this.threat.value = null;
      this.proofs.value = null;
    });
  }

  private newDecision(): void {
    this.reset();
    this.askStanding();
  }

  /** What stands without anything picked: moves of whoever acts now, and what finishing leads to. */
  private askStanding(): void {
    const choices = this.table.choices.peek();
    if (!choices.all.length) return;
    if (choices.hexesAlone.length) void this.askRoutes([]);
    void this.askProspect([], true);
  }

  /** A click or tap on a hex. */
  async pick(hex: string): Promise<void> {
    const table = this.table;
    batch(() => {
      this.inspected.value = hex;
      this.menu.value = null;
      this.threat.value = null;
      table.refusal.value = null;
    });
    if (table.moment.value || table.busy.value || !table.choices.value.all.length) return;
    if (this.confirms(hex)) return void (await this.commit());
    const fits = this.fitting(hex);
    if (fits) return this.fire(fits.lines, fits.choices);
    const unit = this.nextUnitIn(hex, this.base.value);
    if (unit) return this.pickUnit(unit, true);
    if (this.asTarget(hex)) return;
    if (await this.afterFinishing(hex)) return;
    await this.explainNothing(hex);
  }

  private confirms(hex: string): boolean {
    const commitment = this.commitment.value;
    const unit = this.unit.value;
    return Boolean(commitment && unit && this.table.places.value.get(unit) === hex && !this.otherUnits(hex, unit));
  }

  private otherUnits(hex: string, unit: string): boolean {
    return this.unitsIn(hex).some((other) => other !== unit && this.base.value.ofUnit(other).length);
  }

  async commit(): Promise<void> {
    const commitment = this.commitment.value;
    if (commitment) await this.send([...commitment.lines, commitment.choice.line]);
  }

  /** Answers that the picked unit (or whoever acts) and this hex make. */
  private fitting(hex: string): { lines: readonly string[]; choices: readonly Choice[] } | null {
    const unit = this.unit.value;
    const base = this.base.value;
    const plan = this.plan.value;
    if (unit) {
      const direct = base.ofHex(hex).filter((choice) => choice.units.includes(unit));
      if (direct.length) return { lines: this.prefix, choices: direct };
      const planned = plan?.choices.ofHexAlone(hex) ?? [];
      if (plan && planned.length) return { lines: plan.lines, choices: planned };
    }
    const target = this.target.value;
    if (target) {
      const here = this.unitsIn(hex);
      const joined = base.ofHex(target).filter((choice) => choice.units.some((one) => here.includes(one)));
      if (joined.length) return { lines: this.prefix, choices: joined };
    }
    const alone = base.ofHexAlone(hex);
    return alone.length ? { lines: this.prefix, choices: alone } : null;
  }

  private async fire(lines: readonly string[], choices: readonly Choice[]): Promise<void> {
    if (choices.length === 1) return this.send([...lines, choices[0]!.line]);
    this.menu.value = { lines, choices };
  }

  async choose(choice: Choice): Promise<void> {
    const lines = this.menu.value?.lines ?? this.prefix;
    await this.send([...lines, choice.line]);
  }

  async send(lines: string[]): Promise<void> {
    await this.table.act(lines);
  }

  unitsIn(hex: string): string[] {
    return (this.table.pieces.value.get(hex) ?? []).flatMap((piece) => (piece.front ? [piece.front.unit] : []));
  }

  /** The top unit that can act; another click on the same stack takes the next one. */
  private nextUnitIn(hex: string, choices: Choices): string | null {
    const able = this.unitsIn(hex).filter((unit) => choices.ofUnit(unit).length);
    if (!able.length) return null;
    const at = this.unit.value ? able.indexOf(this.unit.value) : -1;
    if (at >= 0 && able.length === 1) {
      this.reset();
      this.askStanding();
      return null;
    }
    return able[(at + 1) % able.length] ?? null;
  }

  /**
   * Picks a unit. What it could do is imagined: where that opens ways to go, they are shown; where it does nothing but
   * answer, and can be taken back, a click answers at once; where it cannot, a second click is wanted.
   */
  async pickUnit(unit: string, mayAct: boolean): Promise<void> {
    const { prefix } = this;
    const prefixed = this.prefixed.value;
    this.reset();
    this.prefix = prefix;
    batch(() => {
      this.prefixed.value = prefixed;
      this.unit.value = unit;
      this.inspected.value = this.table.places.value.get(unit) ?? this.inspected.value;
    });
    const turn = this.turn;
    const choices = this.base.value.ofUnit(unit);
    if (choices.some((choice) => choice.hexes.length)) void this.askRoutes(this.prefix, unit);
    const openers = choices.filter((choice) => !choice.hexes.length);
    for (const choice of openers) {
      const lines = [...this.prefix, choice.line];
      const reply = await this.table.tryAsk<"look">({ what: "look", lines });
      if (turn !== this.turn || !reply) return;
      if (!("question" in reply)) {
        // A refusal by a rule is none of ours; one without a case says that this cannot be imagined, only done.
        if (reply.case === null) this.mayCommit(lines, choice, reply.why, choices.length);
      } else if (this.opens(reply.question)) return this.planned(lines, reply.question, choice.form.name);
      else if (!reply.undo.can) this.mayCommit(lines, choice, reply.undo.why, choices.length);
      else if (mayAct && choices.length === 1) return this.actUnlessOpener(choice, lines, turn);
    }
  }

  /**
   * `move U` of a unit that can go nowhere looks like `join U`: an answer and nothing more. What other units could do
   * with the same form tells them apart, and only the second is done by one click.
   */
  private async actUnlessOpener(choice: Choice, lines: string[], turn: number): Promise<void> {
    const { name } = choice.form;
    const others = this.base.value.all.filter((other) => other.form.name === name && other.line !== choice.line);
    for (const other of others.slice(0, 4)) {
      if (this.openers.has(name)) return;
      const reply = await this.table.ask<"look">({ what: "look", lines: [...this.prefix, other.line] });
      if (turn !== this.turn) return;
      if (reply && this.opens(reply.question)) this.openers.add(name);
    }
    if (!this.openers.has(name)) await this.send(lines);
  }

  private mayCommit(lines: string[], choice: Choice, why: string, choices: number): void {
    if (choices > 1 && this.commitment.value) return;
    this.commitment.value = { lines: lines.slice(0, -1), choice, why };
    void this.askProspect(lines, false);
  }

  /** True when ways to go lie open then that do not now. */
  private opens(question: Question): boolean {
    const then = new Choices(question, this.table.forms.value);
    const now = new Set(this.base.value.hexesAlone);
    return question.yours && then.hexesAlone.some((hex) => !now.has(hex));
  }

  private planned(lines: readonly string[], question: Question, form: string): void {
    this.openers.add(form);
    this.plan.value = { lines, choices: new Choices(question, this.table.forms.value) };
    void this.askRoutes(lines);
  }

  /** A hex that answers name together with units: the units that could go with it light up. */
  private asTarget(hex: string): boolean {
    if (!this.base.value.ofHex(hex).length) return false;
    this.reset();
    this.target.value = hex;
    return true;
  }

  /** While one unit moves, a click on another ends that move and picks the other. */
  private async afterFinishing(hex: string): Promise<boolean> {
    const finish = this.table.choices.value.finish;
    const here = this.unitsIn(hex);
    if (!finish || !here.length) return false;
    const turn = this.turn;
    const reply = await this.table.ask<"look">({ what: "look", lines: [finish.line] });
    if (!reply || turn !== this.turn) return false;
    const choices = new Choices(reply.question, this.table.forms.value);
    const unit = here.find((one) => choices.ofUnit(one).length);
    if (!unit) return false;
    this.reset();
    this.prefix = [finish.line];
    this.prefixed.value = choices;
    await this.pickUnit(unit, false);
    return true;
  }

  private async explainNothing(hex: string): Promise<void> {
    const unit = this.unit.value ?? this.unitsIn(hex)[0];
    const wanted = this.unit.value !== null || this.unitsIn(hex).some((one) => this.isMine(one));
    if (!wanted && !this.table.choices.value.hexesAlone.length) return;
    const lines = this.plan.value ? [...this.plan.value.lines] : [...this.prefix];
    const turn = this.turn;
    const answer = await this.table.ask<"why">({ what: "why", lines, hex, ...(unit ? { unit } : {}) });
    if (!answer || turn !== this.turn) return;
    const refused = answer.verdicts.find((verdict) => verdict.refusal);
    this.table.refusal.value = refused?.refusal ?? null;
  }

  private isMine(unit: string): boolean {
    const side = this.table.looks.value.counter(unit)?.side;
    return side !== undefined && side === this.table.update.value?.question.side;
  }

  /** A counter was dragged: as if it were picked and then the hex. */
  async drop(from: string, to: string): Promise<void> {
    const picked = this.unit.value;
    if (!picked || this.table.places.value.get(picked) !== from) {
      const unit = this.unitsIn(from).find((one) => this.base.value.ofUnit(one).length);
      if (unit) await this.pickUnit(unit, false);
    }
    await this.pick(to);
  }

  /** The lines that a click on this hex would send. */
  linesTo(hex: string): string[] {
    const choice = this.destinations.value.get(hex);
    if (!choice) return [];
    const planned = !choice.units.length && this.plan.value;
    return [...(planned ? planned.lines : this.prefix), choice.line];
  }

  /** The pointer rests on a hex: what an attack there would lead to. */
  point(hex: string | null): void {
    this.pointed.value = hex;
    clearTimeout(this.prospectTimer);
    const unit = this.unit.value;
    const choice = hex && unit ? this.destinations.value.get(hex) : undefined;
    if (!hex || !choice || !this.table.enemyIn(hex)) return;
    this.prospectTimer = window.setTimeout(() => void this.askProspect(this.linesTo(hex), true), 120);
  }

  private async askRoutes(lines: readonly string[], unit?: string): Promise<void> {
    const turn = this.turn;
    const answer = await this.table.ask<"routes">({ what: "routes", lines: [...lines], ...(unit ? { unit } : {}) });
    if (!answer || turn !== this.turn) return;
    const found = new Map(this.routes.value);
    for (const route of answer.routes) {
      const end = route.path.at(-1);
      if (end) found.set(end, route);
    }
    this.routes.value = found;
  }

  private async askProspect(lines: readonly string[], complete: boolean): Promise<void> {
    const turn = this.turn;
    const answer = await this.table.ask<"odds">({ what: "odds", lines: [...lines], complete });
    if (turn === this.turn) this.prospect.value = answer && answer.ways.length > 1 ? answer : null;
  }

  async askThreat(hex: string): Promise<void> {
    const reply = await this.table.tryAsk<"threat">({ what: "threat", hex });
    if (!reply) return;
    if ("ways" in reply) this.threat.value = { hex, prospect: reply };
    else this.table.refusal.value = reply;
  }

  async askProofs(unit: string): Promise<void> {
    const reply = await this.table.tryAsk<"explain">({ what: "explain", unit });
    if (!reply) return;
    if ("proofs" in reply) this.proofs.value = { unit, proofs: reply.proofs };
    else this.table.refusal.value = reply;
  }

  /** The next hex, in reading order, that can do something. */
  nextReady(step: 1 | -1): string | null {
    const cells = this.table.geometry.value?.cells ?? [];
    const places = this.table.places.value;
    const hexes = new Set([...this.ready.value].flatMap((unit) => places.get(unit) ?? []));
    const ordered = cells.map((cell) => cell.label).filter((label) => hexes.has(label));
    if (!ordered.length) return null;
    const at = this.inspected.value ? ordered.indexOf(this.inspected.value) : -1;
    return ordered[(at + step + ordered.length) % ordered.length] ?? null;
  }
}
