/** How pieces look: from what the rulebook says of a counter, and from what is marked on it now. */

import type { Look, Mark, Paint } from "./board/counter";
import type { Counter, Front, Piece, Side } from "./wire";

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

/** Marks that say a piece has acted: its corner is folded. */
const DONE = new Set(["moved", "attacked", "fired"]);
/** Marks that matter to the rules more than to the eye: told in the list, not on the counter. */
const QUIET = new Set(["beneath", "shown", "arranged", "activated"]);
/** Any other mark is shown by its first letter. */
const SIGNS: Readonly<Record<string, Mark>> = {
  "cut-off": { sign: "!", bad: true },
  interdicted: { sign: "✕", bad: true },
  retreated: { sign: "R", bad: true },
  replaced: { sign: "+", bad: false },
};

export class Looks {
  private readonly counters = new Map<string, Counter>();
  private readonly stripes = new Map<string, string>();

  constructor(counters: readonly Counter[]) {
    const formations = new Map<Side, Map<string, number>>();
    for (const counter of counters) {
      this.counters.set(counter.unit, counter);
      const sizes = formations.get(counter.side) ?? new Map<string, number>();
      formations.set(counter.side, sizes.set(counter.formation, (sizes.get(counter.formation) ?? 0) + 1));
    }
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
      factors: front.factors,
      steps: front.steps,
      fullSteps: counter.steps,
      done: front.flags.some((flag) => DONE.has(flag)),
      marks: marks(front),
    };
  }

  /** A counter as printed, wherever it is. */
  printed(unit: string): Look | undefined {
    const counter = this.counters.get(unit);
    if (!counter) return undefined;
    const front: Front = { unit, kind: "", factors: counter.front, steps: counter.steps, flags: [] };
    return this.of({ side: counter.side, front });
  }

  private paint(side: Side, counter: Counter | undefined): Paint {
    const nation = NATIONS[counter?.nation ?? ""] ?? OF_SIDE[side];
    const stripe = counter ? this.stripes.get(`${side} ${counter.formation}`) : undefined;
    return { ...nation, stripe: stripe ?? nation.body };
  }
}

const BLANK = { symbol: "other", size: "", short: "", factors: "", steps: 0, fullSteps: 0, done: false, marks: [] } as const;

function marks(front: Front): Mark[] {
  return front.flags
    .filter((flag) => !DONE.has(flag) && !QUIET.has(flag))
    .map((flag) => SIGNS[flag] ?? { sign: flag.charAt(0).toUpperCase(), bad: false });
}
