/** How pieces look: from what the rulebook says of a counter, and from what is marked on it now. */

import type { Look, Mark, Paint } from "./board/counter";
import type { Counter, Front, Piece, Side, UnitMark } from "./wire";

interface Nation {
  body: string;
  box: string;
  ink: string;
}

/** The colours that counter sheets have used for eighty years. */
const NATIONS: Readonly<Record<string, Nation>> = {
  german: { body: "#9ca79a", box: "#d4dacd", ink: "#10140f" },
  ss: { body: "#33363a", box: "#8d9196", ink: "#ffffff" },
  soviet: { body: "#cf9a66", box: "#f1dcc0", ink: "#1d0f06" },
  hungarian: { body: "#c2b280", box: "#e8dfc2", ink: "#1c180a" },
  romanian: { body: "#b7b04a", box: "#e4e0ac", ink: "#1a1905" },
  italian: { body: "#7fb58a", box: "#cae2cf", ink: "#0b1c10" },
  finnish: { body: "#b9c8d8", box: "#e6edf4", ink: "#0f1923" },
  slovak: { body: "#a9a0c4", box: "#dcd7ea", ink: "#161125" },
  polish: { body: "#d99aa5", box: "#f4d8dd", ink: "#26090f" },
};

const OF_SIDE: Readonly<Record<Side, Nation>> = { axis: NATIONS["german"]!, soviet: NATIONS["soviet"]! };

/** Stripes for formations, told apart by brightness as well as by hue. */
const STRIPES = ["#f4d35e", "#1d4e89", "#7b2d26", "#f7f7f2", "#2f6f4f", "#6a3d8a", "#e07a1f", "#111111", "#58b5c9", "#b5446e"];

export class Looks {
  private readonly counters = new Map<string, Counter>();
  private readonly stripes = new Map<string, string>();
  private readonly marks: ReadonlyMap<string, UnitMark>;

  /** `changed` are the counters that are no longer what they were at the start. */
  constructor(counters: readonly Counter[], changed: readonly Counter[], marks: readonly UnitMark[]) {
    this.marks = new Map(marks.map((mark) => [mark.word, mark]));
    const formations = new Map<Side, Map<string, number>>();
    for (const counter of counters) {
      this.counters.set(counter.unit, counter);
      const sizes = formations.get(counter.side) ?? new Map<string, number>();
      formations.set(counter.side, sizes.set(counter.formation, (sizes.get(counter.formation) ?? 0) + 1));
    }
    for (const counter of changed) this.counters.set(counter.unit, counter);
    // The largest formation of a side goes without a stripe, the others have one each.
    for (const [side, sizes] of formations)
      [...sizes]
        .sort(([, a], [, b]) => b - a)
        .slice(1)
        .forEach(([name], i) => name && this.stripes.set(`${side} ${name}`, STRIPES[i % STRIPES.length]!));
  }

  counter(unit: string): Counter | undefined {
    return this.counters.get(unit);
  }

  title(unit: string): string {
    return this.counters.get(unit)?.title || unit;
  }

  of(piece: Piece): Look {
    const front = piece.front;
    const counter = front ? this.counters.get(front.unit) : undefined;
    const paint = this.paint(piece.side, counter);
    if (!front || !counter) return { ...BLANK, side: piece.side, paint, hidden: !front };
    return {
      side: piece.side,
      paint,
      symbol: counter.symbol,
      size: counter.size,
      short: counter.designation,
      factors: front.at_most ? `≤${front.factors}` : front.factors,
      steps: front.steps,
      fullSteps: counter.steps,
      unknown: front.at_most,
      done: front.flags.some((flag) => this.marks.get(flag)?.look === "done"),
      marks: this.signs(front),
    };
  }

  /** What is marked on a counter, for lists. */
  marksOf(front: Front): UnitMark[] {
    return front.flags.flatMap((flag) => this.marks.get(flag) ?? []);
  }

  private signs(front: Front): Mark[] {
    return this.marksOf(front)
      .filter(({ look }) => look === "good" || look === "bad")
      .map(({ sign, look }) => ({ sign, bad: look === "bad" }));
  }

  /** A counter as printed, wherever it is. */
  printed(unit: string): Look | undefined {
    const counter = this.counters.get(unit);
    if (!counter) return undefined;
    const front: Front = { unit, kind: "", factors: counter.front, steps: counter.steps, flags: [], at_most: false };
    return this.of({ side: counter.side, front });
  }

  private paint(side: Side, counter: Counter | undefined): Paint {
    const nation = NATIONS[counter?.nation ?? ""] ?? OF_SIDE[side];
    const stripe = counter ? this.stripes.get(`${side} ${counter.formation}`) : undefined;
    return { ...nation, stripe: stripe ?? nation.body };
  }
}

const BLANK = { symbol: "other", size: "", short: "", factors: "", steps: 0, fullSteps: 0, unknown: false, done: false, marks: [] } as const;
