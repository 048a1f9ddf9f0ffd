/**
 * What a click means: it selects. A click names a hex, perhaps a unit; what can be done with them are buttons. Only a unit
 * that is in the hand acts by a click: it goes where it was sent, attacks what was pointed at, joins the attack that is being
 * put together. Where nothing fits, the server is asked why not. Nothing here knows a rule.
 */

import { batch, computed, effect, signal } from "@preact/signals";
import { Choices, type Choice } from "./answers";
import { Group } from "./group";
import { Mustering } from "./mustering";
import type { Table } from "./table";
import type { Outlook, Proof, Prospect, Question, RouteSummary } from "./wire";
import { plain } from "./words";

/** Lines that are imagined, and what could be answered then. */
interface Plan {
  readonly lines: readonly string[];
  readonly choices: Choices;
}

/** Answers that wait for a second word: several fit, or the one that does cannot be taken back. */
interface Menu {
  readonly lines: readonly string[];
  readonly choices: readonly Choice[];
}

/** So many answers are weighed, at most. */
const MOST_WEIGHED = 6;

export class Hand {
  /** The unit that was picked. */
  readonly unit = signal<string | null>(null);
  /** The hex that was picked as a target, when no unit was. */
  readonly target = signal<string | null>(null);
  /** The hex that the panel tells about. */
  readonly inspected = signal<string | null>(null);
  /** The hex under pointer or cursor. */
  readonly pointed = signal<string | null>(null);
  readonly menu = signal<Menu | null>(null);
  /** What would end the phase while units could still act: it is asked for once more. */
  readonly ending = signal<Choice | null>(null);
  /** Why an answer could not be taken back, by its line, as far as it was asked. */
  readonly finality = signal<ReadonlyMap<string, string>>(new Map());
  /** What a die makes of an answer, by its line, where that is two or three things. */
  readonly chances = signal<ReadonlyMap<string, string>>(new Map());
  /** What an answer costs, by its line, as far as it was asked. */
  readonly prices = signal<ReadonlyMap<string, string>>(new Map());
  /** What comes of an attack that is decided on with each of the answers, by their lines. */
  readonly weighed = signal<ReadonlyMap<string, Prospect>>(new Map());
  readonly routes = signal<ReadonlyMap<string, RouteSummary>>(new Map());
  readonly prospect = signal<Prospect | null>(null);
  readonly threat = signal<{ hex: string; prospect: Prospect } | null>(null);
  /** What was proved of a unit: its supply, mostly. */
  readonly proofs = signal<{ unit: string; proofs: readonly Proof[] } | null>(null);
  /** The attack that is being put together. */
  readonly muster: Mustering;
  /** Several units at once. */
  readonly group: Group;
  /** Units that the player has set aside for this phase. */
  readonly done = signal<ReadonlySet<string>>(new Set());
  private donePhase = "";

  /** The boxes beside the map that the picked unit can go to, and the lines that put it there. */
  readonly boxes = signal<ReadonlyMap<string, readonly string[]>>(new Map());
  /** What a drag that is under way has picked. */
  private lifting: Promise<void> = Promise.resolve();

  private readonly plan = signal<Plan | null>(null);
  /** Lines to be sent before anything of the picked unit: another unit's move is ended first. */
  private prefix: readonly string[] = [];
  /** Grows with every change, so that replies to old questions are dropped. */
  private turn = 0;
  private prospectTimer = 0;
  private readonly stops: (() => void)[] = [];

  constructor(private readonly table: Table) {
    this.muster = new Mustering(table, this);
    this.group = new Group(table, this);
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

  /** Answers in force: those of the decision, or of the imagined one after the prefix. */
  private readonly prefixed = signal<Choices | null>(null);
  readonly base = computed(() => this.prefixed.value ?? this.table.choices.value);

  /** The hexes that the picked unit can be sent to; without one, those that whoever is on the way can go on to. */
  readonly destinations = computed<ReadonlyMap<string, Choice>>(() => {
    const found = new Map<string, Choice>();
    const add = (choice: Choice): void => choice.hexes.forEach((hex) => found.has(hex) || found.set(hex, choice));
    const unit = this.unit.value;
    const plan = this.plan.value;
    if (unit) this.base.value.ofUnit(unit).forEach(add);
    if (unit) this.table.unasked.value.ofUnit(unit).forEach(add);
    if (plan) for (const hex of plan.choices.hexesAlone) plan.choices.ofHexAlone(hex).forEach(add);
    if (!found.size) for (const hex of this.base.value.hexesAlone) if (this.goes(hex)) this.base.value.ofHexAlone(hex).forEach(add);
    return found;
  });

  /** The hexes in which something can be done without a unit, other than going there: marked, and done by a button. */
  readonly marked = computed<ReadonlyMap<string, readonly Choice[]>>(() => {
    const { base } = this;
    const hexes = base.value.hexesAlone.filter((hex) => !this.goes(hex));
    return new Map(hexes.map((hex) => [hex, base.value.ofHexAlone(hex)]));
  });

  /** Somebody is on the way and can go on to this hex. */
  private goes(hex: string): boolean {
    const route = this.routes.value.get(hex);
    return Boolean(route && this.base.value.ofHexAlone(hex).some((choice) => choice.line === route.line));
  }

  /** Where whoever is on the way stands. */
  readonly underWay = computed<string | null>(() => {
    if (this.unit.value) return null;
    const first = this.base.value.hexesAlone.find((hex) => this.goes(hex));
    return (first && this.routes.value.get(first)?.path[0]) ?? null;
  });

  /** Units that can answer something, and those that could go with the picked target. */
  readonly ready = computed<ReadonlySet<string>>(() => {
    const target = this.target.value;
    const base = this.base.value;
    const idle = (unit: string): boolean => this.done.value.has(unit) || this.table.stuck.value.has(unit);
    if (!target) return new Set([...base.units].filter((unit) => !idle(unit)));
    return new Set(base.ofHex(target).flatMap((choice) => choice.units));
  });

  /** What can be done with the picked unit besides going somewhere. */
  readonly unitChoices = computed<readonly Choice[]>(() => {
    const unit = this.unit.value;
    if (!unit) return [];
    // What would only use up its move is not offered.
    const idle = this.table.stuck.value.has(unit);
    return this.base.value.ofUnit(unit).filter((choice) => !choice.hexes.length && !this.isPlanned(choice) && (!idle || !opensOnly(choice)));
  });

  /** What can be done in the hex that was picked. */
  readonly hexChoices = computed<readonly Choice[]>(() => {
    const hex = this.inspected.value;
    return (hex && this.marked.value.get(hex)) || [];
  });

  /** The answer that the shown ways begin with: it is given by going. */
  private isPlanned(choice: Choice): boolean {
    return this.plan.value?.lines.at(-1) === choice.line;
  }

  clear(): boolean {
    const had = this.group.isHeld || this.unit.value || this.target.value || this.menu.value || this.ending.value || this.table.refusal.value;
    const shown = this.threat.value || this.proofs.value || this.inspected.value;
    this.reset();
    batch(() => {
      this.table.refusal.value = null;
      this.inspected.value = null;
    });
    this.askStanding();
    return Boolean(had || shown);
  }

  private reset(): void {
    this.turn++;
    this.prefix = [];
    this.group.clear();
    this.muster.forget();
    batch(() => {
      this.unit.value = null;
      this.target.value = null;
      this.menu.value = null;
      this.ending.value = null;
      this.plan.value = null;
      this.prefixed.value = null;
      this.routes.value = new Map();
      this.boxes.value = new Map();
      this.prospect.value = null;
      this.threat.value = null;
      this.proofs.value = null;
    });
  }

  /** Lets go of what is picked, and keeps the rest. */
  letGo(): void {
    this.reset();
  }

  /** Sets a unit aside for this phase, or takes it back. */
  setAside(unit: string): void {
    const done = new Set(this.done.value);
    if (!done.delete(unit)) done.add(unit);
    this.done.value = done;
  }

  /** Units that could still act and were not set aside. */
  readonly waiting = computed<readonly string[]>(() =>
    this.table.choices.value.idle.filter((unit) => !this.done.value.has(unit) && !this.table.stuck.value.has(unit)),
  );

  private newDecision(): void {
    const view = this.table.update.peek()?.view;
    const phase = `${view?.turn} ${view?.phase}`;
    if (phase !== this.donePhase) this.done.value = new Set();
    this.donePhase = phase;
    this.reset();
    batch(() => {
      this.finality.value = new Map();
      this.prices.value = new Map();
      this.weighed.value = new Map();
      this.chances.value = new Map();
    });
    this.askStanding();
  }

  /** What stands without anything picked: moves of whoever acts now, and what finishing leads to. */
  private askStanding(): void {
    const choices = this.table.choices.peek();
    if (!choices.all.length) return;
    if (choices.hexesAlone.length) void this.askRoutes([]);
    if (this.muster.isOpen.peek()) void this.muster.weigh();
    else void this.askProspect([], true);
  }

  /**
   * A click or tap on a hex. On a stack of one's own that can act it selects, also where the unit in the hand could go there:
   * who is `sent` there goes.
   */
  async pick(hex: string, sent = false): Promise<void> {
    const table = this.table;
    batch(() => {
      this.inspected.value = hex;
      this.menu.value = null;
      this.ending.value = null;
      this.threat.value = null;
      table.refusal.value = null;
    });
    const nothing = !table.choices.value.all.length && !table.unasked.value.ofUnit(this.unit.value ?? "").length;
    if (table.moment.value || table.busy.value || nothing) return;
    if (this.group.isHeld && (await this.group.go(hex))) return;
    const fits = this.fitting(hex);
    if (fits && (sent || !(await this.selectsInstead(hex)))) return this.fire(fits);
    if (fits) return;
    if (await this.muster.tick(hex)) return;
    const unit = this.nextUnitIn(hex, this.base.value);
    if (unit) return this.pickUnit(unit);
    if (this.asTarget(hex)) return;
    if (this.marked.value.has(hex)) return;
    if (await this.afterFinishing(hex)) return;
    await this.explainNothing(hex);
  }

  /** Selects another stack of one's own; true when there is one to select. */
  private async selectsInstead(hex: string): Promise<boolean> {
    const unit = this.unit.value;
    const here = this.unitsIn(hex).filter((one) => this.isMine(one) && one !== unit);
    if (!here.length || this.target.value || this.table.places.value.get(unit ?? "") === hex) return false;
    const able = here.find((one) => this.base.value.ofUnit(one).some(({ form }) => form.role !== "arrange"));
    if (!able) return this.afterFinishing(hex);
    await this.pickUnit(able);
    return true;
  }

  /** Answers that the picked unit (or whoever is on the way) and this hex make. */
  private fitting(hex: string): Menu | null {
    const unit = this.unit.value;
    const base = this.base.value;
    const plan = this.plan.value;
    if (unit) {
      const direct = base.ofHex(hex).filter((choice) => choice.units.includes(unit));
      if (direct.length) return { lines: this.prefix, choices: direct };
      const planned = plan?.choices.ofHexAlone(hex) ?? [];
      if (plan && planned.length) return { lines: plan.lines, choices: planned };
      const spoken = this.table.unasked.value.ofHex(hex).filter((choice) => choice.units.includes(unit));
      if (spoken.length) return { lines: [], choices: spoken };
    }
    const target = this.target.value;
    if (target) {
      const here = this.unitsIn(hex);
      const joined = base.ofHex(target).filter((choice) => choice.units.some((one) => here.includes(one)));
      if (joined.length) return { lines: this.prefix, choices: joined };
    }
    return !unit && this.goes(hex) ? { lines: this.prefix, choices: base.ofHexAlone(hex) } : null;
  }

  /** One answer that can be taken back is given at once; anything else is offered first. */
  private async fire(fits: Menu): Promise<void> {
    const [only] = fits.choices;
    if (only && fits.choices.length === 1) {
      const turn = this.turn;
      const final = await this.judge([...fits.lines, only.line]);
      if (turn !== this.turn) return;
      if (!final) return this.send([...fits.lines, only.line]);
    }
    this.menu.value = fits;
  }

  async choose(choice: Choice): Promise<void> {
    const lines = this.menu.value?.lines ?? this.prefix;
    await this.send([...lines, choice.line]);
  }

  async send(lines: readonly string[]): Promise<void> {
    await this.table.act([...lines]);
  }

  /** Why the last of these lines could not be taken back; nothing when it can. */
  async judge(lines: readonly string[]): Promise<string | null> {
    const last = lines.at(-1) ?? "";
    const decision = this.table.update.peek()?.decision;
    const reply = await this.table.tryAsk<"look">({ what: "look", lines: [...lines] });
    if (!reply || decision !== this.table.update.peek()?.decision) return null;
    const looked = "question" in reply;
    // A refusal by a rule is none of ours; one without a case says that this cannot be imagined, only done.
    const why = looked ? (reply.undo.can ? null : reply.undo.why) : reply.case === null ? plain(reply.why) : null;
    const price = looked ? reply.events.find((event) => event.role === "price") : undefined;
    batch(() => {
      if (why) this.finality.value = new Map(this.finality.peek()).set(last, why);
      if (price) this.prices.value = new Map(this.prices.peek()).set(last, plain(price.text));
    });
    return why;
  }

  /** Asks what a die makes of an answer that cannot be taken back: a reaction that may fail, and the like. */
  async weigh(choice: Choice): Promise<void> {
    const final = await this.judge([choice.line]);
    if (!final || this.muster.isOpen.peek()) return;
    const { decision } = this.table.update.peek() ?? {};
    const answer = await this.table.ask<"odds">({ what: "odds", lines: [choice.line], complete: false });
    if (!answer || answer.gist || decision !== this.table.update.peek()?.decision) return;
    const found = new Map<string, number>();
    for (const { p, label, events } of answer.ways) {
      // Whom it is about the answer says already.
      const first = (events[0]?.text ?? []).filter((span) => typeof span === "string" || !("unit" in span));
      const said = (label || plain(first)).trim();
      found.set(said, (found.get(said) ?? 0) + p);
    }
    if (found.size < 2 || found.size > 3 || found.has("")) return;
    const told = [...found].map(([said, p]) => `${said} ${Math.round(p * 100)} %`);
    this.chances.value = new Map(this.chances.peek()).set(choice.line, told.join(", "));
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

  /** Picks a unit, and does nothing. What it could do is imagined: where that opens ways to go, they are shown. */
  async pickUnit(unit: string): Promise<void> {
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
    // The attack that is being put together stays on the table.
    if (this.muster.isOpen.peek()) void this.muster.weigh();
    const choices = this.base.value.ofUnit(unit);
    if (choices.some((choice) => choice.hexes.length)) void this.askRoutes(this.prefix, unit);
    // The unit alone comes before it and others together.
    const openers = choices.filter((choice) => !choice.hexes.length).sort((a, b) => a.units.length - b.units.length);
    for (const choice of openers) {
      const lines = [...this.prefix, choice.line];
      const reply = await this.table.ask<"look">({ what: "look", lines });
      if (turn !== this.turn) return;
      if (reply) this.boxed(unit, lines, reply);
      if (reply && !this.plan.value && this.opens(reply.question)) this.planned(lines, reply.question);
    }
    await this.leadOut(unit, turn);
  }

  /** Whoever is on the way may be able to leave the map. */
  private async leadOut(unit: string, turn: number): Promise<void> {
    const plan = this.plan.value;
    for (const choice of plan?.choices.plain ?? []) {
      if (choice.form.finishes || choice.form.role === "take-back") continue;
      const lines = [...plan!.lines, choice.line];
      const reply = await this.table.ask<"look">({ what: "look", lines });
      if (turn !== this.turn) return;
      if (reply) this.boxed(unit, lines, reply);
    }
  }

  /** Notes which box beside the map some lines put a unit into. */
  private boxed(unit: string, lines: readonly string[], { boxed }: Outlook): void {
    const name = boxed.find((one) => one.unit === unit)?.name;
    if (name && !this.boxes.value.has(name)) this.boxes.value = new Map(this.boxes.value).set(name, lines);
  }

  /** The picked unit is put into a box beside the map; where it may not be, the reason is told. */
  async putInto(name: string): Promise<void> {
    await this.lifting;
    const unit = this.unit.value;
    const lines = this.boxes.value.get(name);
    if (!unit || this.table.busy.value) return;
    if (!lines) return this.explain({ unit });
    const choice = [...this.base.value.ofUnit(unit), ...(this.plan.value?.choices.plain ?? [])].find(({ line }) => line === lines.at(-1));
    if (choice) await this.fire({ lines: lines.slice(0, -1), choices: [choice] });
  }

  /** A counter is lifted off its hex: where it could go is shown. */
  lift(hex: string): void {
    const picked = this.unit.value;
    if (picked && this.table.places.value.get(picked) === hex) return;
    const unit = this.unitsIn(hex).find((one) => this.base.value.ofUnit(one).length);
    if (unit) this.lifting = this.pickUnit(unit);
  }

  /** A counter is lifted out of a box beside the map. */
  liftUnit(unit: string): void {
    if (this.unit.value !== unit) this.lifting = this.pickUnit(unit);
  }

  /** What was lifted is put down in a hex. */
  async putDown(hex: string): Promise<void> {
    await this.lifting;
    await this.pick(hex, true);
  }

  /** True when ways to go lie open then that do not now. */
  private opens(question: Question): boolean {
    const then = Choices.of(question, this.table.forms.value);
    const now = new Set(this.base.value.hexesAlone);
    return question.yours && then.hexesAlone.some((hex) => !now.has(hex));
  }

  private planned(lines: readonly string[], question: Question): void {
    this.plan.value = { lines, choices: Choices.of(question, this.table.forms.value) };
    void this.askRoutes(lines);
  }

  /** A hex that answers name together with units: the units that could go with it light up. */
  private asTarget(hex: string): boolean {
    if (!this.base.value.ofHex(hex).some((choice) => choice.units.length)) return false;
    this.reset();
    this.target.value = hex;
    void this.muster.weigh();
    return true;
  }

  /** While one unit moves, a click on another ends that move and picks the other. */
  private async afterFinishing(hex: string): Promise<boolean> {
    const finish = this.table.choices.value.finish;
    const here = this.unitsIn(hex);
    if (!finish || !here.length || !this.underWay.value) return false;
    const turn = this.turn;
    const reply = await this.table.ask<"look">({ what: "look", lines: [finish.line] });
    if (!reply || turn !== this.turn) return false;
    const choices = Choices.of(reply.question, this.table.forms.value);
    const unit = here.find((one) => choices.ofUnit(one).length);
    if (!unit) return false;
    this.reset();
    this.prefix = [finish.line];
    this.prefixed.value = choices;
    await this.pickUnit(unit);
    return true;
  }

  /** Says why nothing can be done with this hex: with the unit in the hand, with whoever is on the way, with what lies there. */
  private async explainNothing(hex: string): Promise<void> {
    const picked = this.unit.value;
    const unit = picked ?? this.unitsIn(hex).find((one) => this.isMine(one));
    if (!unit && !this.underWay.value) return;
    const elsewhere = picked !== null || !unit;
    await this.explain({ ...(elsewhere ? { hex } : {}), ...(unit ? { unit } : {}) });
  }

  /** Says why a unit can do nothing now. */
  async whyNot(unit: string): Promise<void> {
    await this.explain({ unit });
  }

  private async explain(what: { hex?: string; unit?: string }): Promise<void> {
    const lines = this.plan.value ? [...this.plan.value.lines] : [...this.prefix];
    const turn = this.turn;
    const answer = await this.table.ask<"why">({ what: "why", lines, ...what });
    if (!answer || turn !== this.turn) return;
    this.table.refusal.value = answer.verdicts.find((verdict) => verdict.refusal)?.refusal ?? null;
  }

  isMine(unit: string): boolean {
    const side = this.table.looks.value.counter(unit)?.side;
    return side !== undefined && side === this.table.update.value?.question.side;
  }

  /** A counter was dragged: as if it were picked and then the hex. */
  async drop(from: string, to: string): Promise<void> {
    this.lift(from);
    await this.putDown(to);
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
    if (turn !== this.turn) return;
    this.prospect.value = answer && answer.ways.length > 1 ? answer : null;
    if (!lines.length && answer?.gist) await this.weighAnswers();
  }

  /** In the middle of an attack: what comes of it with each answer that does not finish this, such as support. */
  private async weighAnswers(): Promise<void> {
    const { decision } = this.table.update.peek() ?? {};
    for (const { line, form } of this.table.choices.peek().plain.slice(0, MOST_WEIGHED)) {
      if (form.finishes || form.step !== null) continue;
      const answer = await this.table.ask<"odds">({ what: "odds", lines: [line], complete: true });
      if (decision !== this.table.update.peek()?.decision) return;
      if (answer?.gist) this.weighed.value = new Map(this.weighed.peek()).set(line, answer);
    }
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

  /**
   * The one answer that finishes this by doing no more. What would end the phase while units could still act, or could not be
   * taken back, is asked for once more; what a rule forbids is told with its case.
   */
  async finish(): Promise<void> {
    const { table } = this;
    const choice = table.choices.value.finish;
    const turn = this.turn;
    if (!choice) {
      const barred = table.barred.value.find(({ form }) => form.finishes);
      if (barred) table.refusal.value = { case: barred.case, why: barred.why, line: null, stale: false };
      return;
    }
    const hasty = choice.form.role === "end-phase" && this.waiting.value.length > 0;
    const final = await this.judge([choice.line]);
    if (turn !== this.turn) return;
    if (hasty || final) this.ending.value = choice;
    else await this.send([choice.line]);
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

/** An answer by which a unit may begin to do something. */
function opensOnly({ form }: Choice): boolean {
  return form.role === "plain" && form.step === null;
}
