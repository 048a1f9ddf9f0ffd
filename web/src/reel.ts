/**
 * What others did, shown on the board beat by beat: pieces travel, attacks are told with their dice and results. The game itself
 * has gone on meanwhile: only the board lags behind, and whoever acts or says skip is up to date at once.
 */

import { batch, effect, signal } from "@preact/signals";
import { combats, isFight, type Combat } from "./combats";
import { journeys } from "./journeys";
import { PACES, placesIn, travelsOf, type Travel } from "./motion";
import { calm, pace } from "./settings";
import type { Table } from "./table";
import type { LogEntry, Update, View } from "./wire";

/** Some actions that are shown together. */
interface Beat {
  readonly entries: readonly LogEntry[];
  readonly combat: Combat | null;
}

/** How long the dice and the result of an attack lie there, in milliseconds. */
const HOLD = { off: 0, slow: 3200, normal: 1800, fast: 700 } as const;
/** So many moves are shown at once, and from so many beats on each is shown faster. */
const TOGETHER = 8;
const MANY = 24;

export class Reel {
  /** What the board shows meanwhile. */
  readonly view = signal<View | null>(null);
  readonly travels = signal<readonly Travel[]>([]);
  readonly combat = signal<Combat | null>(null);
  /** How many beats are still to come. */
  readonly left = signal(0);
  private queue: Beat[] = [];
  /** The last action that was queued or seen. */
  private known = -1;
  private before: Update | null = null;
  private turn = 0;
  private wake: (() => void) | null = null;
  private readonly stop: () => void;

  constructor(private readonly table: Table) {
    this.stop = effect(() => {
      const update = table.update.value;
      if (update) this.changed(update);
      if (table.moment.value || table.handOver.value) this.skip();
    });
  }

  destroy(): void {
    this.stop();
    this.skip();
  }

  get isOn(): boolean {
    return this.view.value !== null;
  }

  /** On to how the game stands. */
  skip(): void {
    this.turn++;
    this.queue = [];
    this.wake?.();
    batch(() => {
      this.view.value = null;
      this.travels.value = [];
      this.combat.value = null;
      this.left.value = 0;
    });
  }

  /** Shows once more what happened after so many actions. */
  async again(from: number): Promise<void> {
    this.skip();
    const turn = this.turn;
    const moment = await this.table.ask<"at">({ what: "at", at: from });
    if (!moment || turn !== this.turn) return;
    this.add(this.table.log.peek().filter((entry) => entry.at > from), moment.view, true);
  }

  private changed(update: Update): void {
    const { before, known } = this;
    this.before = update;
    this.known = update.at;
    if (!before || before.eyes !== update.eyes || update.at <= known) {
      if (before?.decision !== update.decision && update.at !== known) this.skip();
      return;
    }
    const fresh = this.table.log.peek().filter((entry) => entry.at > known);
    // Who has acted himself wants to see what comes of it, now.
    if (fresh.some((entry) => this.isOwn(entry, update))) this.skip();
    this.add(
      fresh.filter((entry) => !this.isOwn(entry, update)),
      before.view,
      false,
    );
  }

  private isOwn(entry: LogEntry, { eyes }: Update): boolean {
    const mine = this.table.seat.peek()?.sides ?? [];
    return entry.side === eyes || (eyes === "all" && mine.includes(entry.side));
  }

  private add(entries: readonly LogEntry[], from: View, wanted: boolean): void {
    const still = pace.peek() === "off" || calm.matches || this.table.moment.peek() || this.table.handOver.peek();
    if (still && !wanted) return;
    const beats = beatsOf(entries);
    if (!beats.length) return;
    this.queue.push(...beats);
    this.left.value = this.queue.length;
    if (this.view.peek()) return;
    this.view.value = from;
    void this.run();
  }

  private async run(): Promise<void> {
    const turn = this.turn;
    while (this.queue.length) {
      const hurry = Math.min(1, MANY / this.queue.length);
      const beat = this.queue.shift()!;
      const moment = await this.table.ask<"at">({ what: "at", at: beat.entries.at(-1)!.at });
      if (turn !== this.turn) return;
      if (!moment) break;
      this.combat.value = beat.combat;
      if (beat.combat) await this.rest(hurry * HOLD[this.pace]);
      if (turn !== this.turn) return;
      const ways = journeys(beat.entries, placesIn(this.view.peek() ?? moment.view));
      const travels = travelsOf(this.table, ways, moment.view, hurry * PACES[this.pace]);
      batch(() => {
        this.view.value = moment.view;
        this.travels.value = travels;
        this.left.value = this.queue.length;
      });
      await this.rest(Math.max(0, ...travels.map((travel) => travel.time)) + 60);
      if (turn !== this.turn) return;
    }
    this.skip();
  }

  /** Asked for once more it is shown even where nothing moves by itself. */
  private get pace(): "slow" | "normal" | "fast" {
    const chosen = pace.peek();
    return chosen === "off" ? "normal" : chosen;
  }

  private rest(time: number): Promise<void> {
    return new Promise((done) => {
      const timer = window.setTimeout(done, time);
      this.wake = () => {
        clearTimeout(timer);
        done();
      };
    });
  }
}

/** Moves together, each attack for itself; what nobody could see is left out. */
function beatsOf(entries: readonly LogEntry[]): Beat[] {
  const beats: { entries: LogEntry[]; fights: boolean }[] = [];
  for (const entry of entries) {
    const last = beats.at(-1);
    const fights = isFight(entry);
    const begins = entry.events.some((event) => event.role === "attack");
    const moves = journeys([entry], new Map()).length > 0 || entry.events.some((event) => event.role === "move");
    if (!fights && !moves) continue;
    const joins = last && last.fights === fights && (fights ? !begins : last.entries.length < TOGETHER);
    if (joins) last.entries.push(entry);
    else beats.push({ entries: [entry], fights });
  }
  return beats.map(({ entries: some, fights }) => ({ entries: some, combat: fights ? (combats(some)[0] ?? null) : null }));
}
