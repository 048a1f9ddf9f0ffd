/**
 * The table: all that this browser knows of a game. The server's updates come in here, everything else reads signals.
 * Nothing here knows a rule.
 */

import { batch, computed, signal } from "@preact/signals";
import { geometry as fetchGeometry } from "./api";
import { Choices } from "./answers";
import { Geometry } from "./board/geometry";
import { loadTerms } from "./glossary";
import { Looks } from "./looks";
import { placesIn } from "./motion";
import { Connection, Lost, Refused, type AnswerTo } from "./net";
import { sitDown } from "./seats";
import { calm } from "./settings";
import type {
  Ask,
  Counter,
  Eyes,
  GameInfo,
  HexPlace,
  LogEntry,
  Mark,
  Moment,
  Order,
  Overlay,
  Piece,
  Presence,
  Question,
  Refusal,
  Said,
  SeatInfo,
  Side,
  Thinking,
  Thought,
  Update,
  View,
} from "./wire";

export class Table {
  readonly info = signal<GameInfo | null>(null);
  readonly seat = signal<SeatInfo | null>(null);
  readonly update = signal<Update | null>(null);
  readonly presence = signal<Presence | null>(null);
  /** The opponent that has been at work for a while. */
  readonly thinking = signal<Thinking | null>(null);
  /** What opponents had in mind, as far as it was asked for. */
  readonly thoughts = signal<readonly Thought[]>([]);
  readonly state = signal<"connecting" | "open" | "lost" | "closed">("connecting");
  readonly closedWhy = signal("");
  readonly geometry = signal<Geometry<PlacedCell> | null>(null);

  /** The log as far as it was told; `log[0]` is action number `logFrom`. */
  readonly log = signal<readonly LogEntry[]>([]);
  readonly logFrom = signal(0);
  /** The number of actions at the last decision of one's own: what came after is news. */
  readonly newsFrom = signal(0);
  /** Where units stood then. */
  readonly newsPlaces = signal<ReadonlyMap<string, string>>(new Map());

  /** The number of actions when one last answered: what came after came of that answer. */
  readonly answeredAt = signal(0);

  /** What was said in the rooms of this seat. */
  readonly said = signal<readonly Said[]>([]);
  /** How much of it was seen. */
  readonly read = signal(0);
  /** Dice that were chosen for what is done next, where one may. */
  readonly dice = signal<readonly number[]>([]);

  readonly refusal = signal<Refusal | null>(null);
  /** The decision that is being answered. */
  private readonly answering = signal<number | null>(null);
  /** True until the answer shows: then the next decision can be answered, though not this one twice. */
  readonly busy = computed(() => this.answering.value !== null && this.answering.value === this.update.value?.decision);
  readonly overlays = signal<readonly Overlay[]>([]);

  /** While replaying: the moment that is shown. */
  readonly moment = signal<Moment | null>(null);
  readonly marks = signal<readonly Mark[] | null>(null);
  /** The replay goes on by itself. */
  readonly playing = signal(false);

  /** The side that shall take the screen; the board is hidden meanwhile. */
  readonly handOver = signal<Side | null>(null);

  private readonly changed = computed(() => this.moment.value?.counters ?? this.update.value?.counters ?? NONE);
  readonly looks = computed(() => new Looks(this.info.value?.counters ?? NONE, this.changed.value, this.info.value?.marks ?? []));
  /** The sequence of play, as it is or was. */
  readonly sequence = computed(() => this.moment.value?.sequence ?? this.update.value?.sequence ?? null);
  readonly forms = computed(() => this.info.value?.forms ?? []);
  readonly view = computed<View | null>(() => this.moment.value?.view ?? this.update.value?.view ?? null);
  readonly question = computed<Question | null>(() => this.moment.value?.question ?? this.update.value?.question ?? null);
  /** What can be answered now; nothing while replaying. */
  readonly choices = computed(() => {
    const update = this.moment.value || this.handOver.value ? null : this.update.value;
    return Choices.of(update?.question ?? null, this.forms.value);
  });
  /** What may be done without being asked. */
  readonly unasked = computed(() => {
    const update = this.moment.value || this.handOver.value ? null : this.update.value;
    return Choices.unasked(update?.unasked ?? [], this.forms.value);
  });
  /** What could be answered if a rule did not forbid it now. */
  readonly barred = computed(() => {
    const question = this.moment.value || this.handOver.value ? null : this.update.value?.question;
    return (question?.barred ?? []).flatMap(({ form, case: number, why }) => {
      const found = this.forms.value[form];
      return found ? [{ form: found, case: number, why }] : [];
    });
  });
  /** Units that answers name and that can do nothing all the same. */
  readonly stuck = computed<ReadonlySet<string>>(() => new Set(this.moment.value || this.handOver.value ? [] : this.update.value?.question.stuck));
  readonly pieces = computed(() => {
    const found = new Map<string, readonly Piece[]>();
    for (const stack of this.view.value?.stacks ?? []) found.set(stack.hex, stack.pieces);
    return found;
  });
  /** The box beside the map that each unit lies in, by its name. */
  readonly boxes = computed(() => {
    const boxes = this.view.value?.boxes ?? [];
    return new Map(boxes.flatMap(({ name, pieces }) => pieces.flatMap(({ front }) => (front ? [[front.unit, name] as const] : []))));
  });
  readonly places = computed(() => {
    const view = this.view.value;
    return view ? placesIn(view) : new Map<string, string>();
  });

  private readonly connection: Connection;
  private eyes: Eyes | undefined;
  /** When each pair of eyes last gave the decision away. */
  private readonly left = new Map<Eyes, { at: number; places: ReadonlyMap<string, string> }>();
  private came: { at: number; places: ReadonlyMap<string, string> } | null = null;
  private loadingOverlays = false;
  private scrubbing = false;
  private scrubTo: number | null = null;
  /** Grows whenever a replay is left. */
  private replay = 0;

  constructor(readonly secret: string) {
    this.eyes = rememberedEyes(secret);
    this.connection = new Connection(secret, () => this.eyes, {
      welcome: (info, seat, update) => this.welcomed(info, seat, update),
      update: (update) => this.updated(update),
      presence: (presence) => (this.presence.value = presence),
      said: (said) => this.heard(said),
      thinking: (thinking) => (this.thinking.value = thinking),
      state: (state, why) => {
        this.state.value = state;
        this.closedWhy.value = why;
      },
    });
  }

  leave(): void {
    this.connection.close();
  }

  sideName(side: Side): string {
    return this.info.value?.sides[side] ?? side;
  }

  /** How people call what a word of an answer stands for. */
  readonly speak = (kind: string, word: string): string => {
    if (kind === "unit") return this.looks.value.title(word);
    return kind === "side" ? this.sideName(word as Side) : word;
  };

  /** True when pieces of another side than the one that decides lie there. */
  enemyIn(hex: string): boolean {
    const side = this.question.value?.side;
    return (this.pieces.value.get(hex) ?? []).some((piece) => piece.side !== side);
  }

  /** Asks, and gives nothing when the connection is gone or the server refuses. */
  async ask<W extends Ask["what"]>(ask: Extract<Ask, { what: W }>): Promise<AnswerTo<W> | null> {
    try {
      return await this.connection.ask<W>(ask);
    } catch (error) {
      if (error instanceof Refused || error instanceof Lost) return null;
      throw error;
    }
  }

  /** Asks, and gives the refusal as a value. */
  async tryAsk<W extends Ask["what"]>(ask: Extract<Ask, { what: W }>): Promise<AnswerTo<W> | Refusal | null> {
    try {
      return await this.connection.ask<W>(ask);
    } catch (error) {
      if (error instanceof Refused) return error.refusal;
      if (error instanceof Lost) return null;
      throw error;
    }
  }

  async act(lines: string[]): Promise<boolean> {
    const dice = [...this.dice.peek()];
    const done = await this.command((decision) => this.connection.act(decision, lines, dice));
    if (done && this.log.value.at(-1)?.events.some((event) => event.roll)) this.dice.value = [];
    return done;
  }

  /** True when one plays both sides of a casual game alone: dice may be chosen, and opponents asked. */
  readonly analyses = computed(() => {
    const info = this.info.value;
    const alone = info && !info.for_two && !info.players.axis.level && !info.players.soviet.level;
    return Boolean(alone && info.casual && this.seat.value?.sides.length === 2);
  });

  /** True when somebody else is or may be at the table. */
  readonly isShared = computed(() => {
    const watched = (this.presence.value?.observers ?? 0) > 0;
    return Boolean(this.info.value?.for_two || !this.seat.value?.sides.length || watched || this.said.value.length);
  });

  async say(text: string, name: string): Promise<boolean> {
    return this.command(() => this.connection.say(text, name));
  }

  private heard(said: readonly Said[]): void {
    const known = new Map(this.said.value.map((one) => [one.number, one]));
    const first = !this.welcomedTalk;
    this.welcomedTalk = true;
    for (const one of said) known.set(one.number, one);
    this.said.value = [...known.values()].sort((a, b) => a.number - b.number);
    // What was said before one came is not news.
    if (first) this.read.value = this.said.value.length;
  }

  private welcomedTalk = false;

  async undo(): Promise<boolean> {
    return this.command((decision) => this.connection.undo(decision));
  }

  async redo(): Promise<boolean> {
    return this.command((decision) => this.connection.redo(decision));
  }

  async look(eyes: Eyes): Promise<void> {
    if (this.moment.value) this.leaveReplay();
    if (!(await this.command(() => this.connection.look(eyes)))) return;
    this.eyes = eyes;
    rememberEyes(this.secret, eyes);
  }

  /** What the server answers for this side. */
  readonly orders = computed<readonly Order[]>(() => this.update.value?.orders ?? []);

  /** Gives other standing orders. */
  async order(orders: readonly Order[]): Promise<void> {
    await this.command(() => this.connection.order([...orders]));
  }

  /** Tells the opponent that thinks to act with what it has. */
  async hurry(): Promise<void> {
    try {
      await this.connection.hurry();
    } catch (error) {
      // It has decided by itself meanwhile.
      if (!(error instanceof Refused || error instanceof Lost)) throw error;
    }
  }

  /** True when opponents may tell their reasons: at an open table, and everywhere when the game is over. */
  readonly explains = computed(() => {
    const info = this.info.value;
    const opponents = info && (info.players.axis.level || info.players.soviet.level);
    return Boolean(opponents && (info.opponents.open_thoughts || this.update.value?.question.over));
  });

  async loadThoughts(): Promise<void> {
    const answer = await this.ask<"thoughts">({ what: "thoughts" });
    if (answer) this.thoughts.value = answer.thoughts;
  }

  /** Says why something cannot be done that no rule forbids. */
  refuse(why: string): void {
    this.refusal.value = { case: null, why: [why], line: null, stale: false };
  }

  private async command(run: (decision: number) => Promise<{ stopped: Refusal | null }>): Promise<boolean> {
    const update = this.update.value;
    if (!update || this.busy.value) return false;
    const { decision } = update;
    batch(() => {
      this.answering.value = decision;
      this.refusal.value = null;
    });
    try {
      const { stopped } = await run(decision);
      if (stopped) this.refusal.value = stopped;
      return true;
    } catch (error) {
      // What was lost on the way is seen in the next welcome: done or not, never half.
      if (error instanceof Refused) this.refusal.value = error.refusal;
      else if (!(error instanceof Lost)) throw error;
      return false;
    } finally {
      if (this.answering.value === decision) this.answering.value = null;
    }
  }

  private welcomed(info: GameInfo, seat: SeatInfo, update: Update): void {
    const first = this.info.value === null;
    batch(() => {
      this.info.value = info;
      this.thinking.value = null;
      this.seat.value = seat;
      this.log.value = [];
      this.logFrom.value = update.log_from;
    });
    if (first) sitDown(info.id, this.secret, seat.sides, info.commitment);
    if (!this.geometry.value) void this.loadMap(info);
    void loadTerms(info.rulebook);
    this.updated(update);
  }

  private async loadMap(info: GameInfo): Promise<void> {
    // Without the server there is no map either; the next welcome asks for it again.
    const map = await fetchGeometry(info.map.json).catch(() => null);
    if (!map) return;
    const cells = map.hexes.map((hex) => ({ ...hex }));
    this.mapSize = { x: 0, y: 0, width: map.width, height: map.height };
    this.geometry.value = new Geometry(cells, map.hex, map.orientation === "points-up");
  }

  mapSize = { x: 0, y: 0, width: 1, height: 1 };

  private updated(update: Update): void {
    const before = this.update.value;
    batch(() => {
      this.eyes = update.eyes;
      this.mergeLog(update);
      if (before?.question.yours && before.eyes === update.eyes && !update.question.yours)
        this.left.set(update.eyes, { at: update.at, places: placesIn(before.view) });
      // Who has not decided yet has seen nothing but how it stood when he came.
      this.came ??= { at: update.at, places: placesIn(update.view) };
      const { at, places } = this.left.get(update.eyes) ?? this.came;
      this.newsFrom.value = Math.min(at, update.at);
      this.newsPlaces.value = places;
      if (!before || before.eyes !== update.eyes) this.answeredAt.value = lastAnswer(update);
      else if (before.question.yours) this.answeredAt.value = Math.min(before.at, update.at);
      this.update.value = update;
      this.marks.value = null;
      if (!before || before.decision !== update.decision) this.refusal.value = null;
      this.handOver.value = this.handTo(update);
    });
    void this.loadOverlays();
  }

  /** With both sides on one screen, the side that must decide takes it. */
  private handTo(update: Update): Side | null {
    const both = this.seat.value?.sides.length === 2;
    const side = update.question.side;
    if (!both || !side || update.eyes === "all") return null;
    return update.eyes === side ? null : side;
  }

  private mergeLog(update: Update): void {
    const keep = update.log_from - this.logFrom.value;
    const known = this.log.value;
    const sameEyes = this.update.value?.eyes === update.eyes;
    if (!sameEyes || keep < 0 || keep > known.length) {
      // Other eyes, a gap, or a part that begins before ours: what we have is of no use.
      this.logFrom.value = update.log_from;
      this.log.value = update.log;
    } else this.log.value = [...known.slice(0, keep), ...update.log];
  }

  async earlierLog(): Promise<void> {
    const to = this.logFrom.value;
    if (!to) return;
    const answer = await this.ask<"log">({ what: "log", from: Math.max(0, to - 200), to });
    if (!answer || this.logFrom.value !== to) return;
    batch(() => {
      this.logFrom.value = answer.from;
      this.log.value = [...answer.log, ...this.log.value];
    });
  }

  /** Asked again when the game has changed meanwhile, but never twice at a time: an opponent may play fast. */
  private async loadOverlays(): Promise<void> {
    if (this.loadingOverlays) return;
    this.loadingOverlays = true;
    try {
      let decision: number | undefined;
      while (decision !== this.update.value?.decision) {
        decision = this.update.value?.decision;
        const answer = await this.ask<"overlays">({ what: "overlays" });
        if (!answer) return;
        if (decision === this.update.value?.decision) this.overlays.value = answer.overlays;
      }
    } finally {
      this.loadingOverlays = false;
    }
  }

  /** Shows the game after so many actions. Only the last of many wishes is asked for. */
  async scrub(at: number): Promise<void> {
    this.scrubTo = at;
    if (this.scrubbing) return;
    this.scrubbing = true;
    try {
      while (this.scrubTo !== null) {
        const wish: number = this.scrubTo;
        this.scrubTo = null;
        const { replay } = this;
        const answer = await this.ask<"at">({ what: "at", at: wish });
        // Who has left the replay meanwhile is not brought back.
        if (replay !== this.replay) continue;
        if (answer) this.moment.value = answer;
        else this.scrubTo = null;
      }
    } finally {
      this.scrubbing = false;
    }
  }

  async loadMarks(): Promise<void> {
    if (this.marks.value) return;
    const answer = await this.ask<"marks">({ what: "marks" });
    if (answer) this.marks.value = answer.marks;
  }

  /** Shows what happened after so many actions, step by step. */
  async watchFrom(at: number): Promise<void> {
    void this.loadMarks();
    await this.scrub(at);
    this.playing.value = !calm.matches;
  }

  leaveReplay(): void {
    this.replay++;
    this.playing.value = false;
    this.scrubTo = null;
    this.moment.value = null;
  }

  async takeScreen(): Promise<void> {
    const side = this.handOver.value;
    if (side) await this.look(side);
  }

  async playOpen(): Promise<void> {
    await this.look("all");
  }
}

/** After which action the news begins for somebody who has just come: their own last one, as far as the log goes back. */
function lastAnswer({ log, log_from, question, eyes }: Update): number {
  const side = eyes === "axis" || eyes === "soviet" ? eyes : question.side;
  return log.findLast((entry) => entry.side === side)?.at ?? log_from;
}

export interface PlacedCell extends HexPlace {}

const NONE: readonly Counter[] = [];

const EYES = "grognard.eyes";

function rememberedEyes(secret: string): Eyes | undefined {
  return (sessionStorage.getItem(`${EYES}.${secret}`) ?? localStorage.getItem(`${EYES}.${secret}`) ?? undefined) as
    | Eyes
    | undefined;
}

/** Only the open table outlives the tab: whoever comes back to a hotseat game is asked to take the screen again. */
export function rememberEyes(secret: string, eyes: Eyes): void {
  sessionStorage.setItem(`${EYES}.${secret}`, eyes);
  if (eyes === "all") localStorage.setItem(`${EYES}.${secret}`, eyes);
  else localStorage.removeItem(`${EYES}.${secret}`);
}
