/** Pieces that travel: what others did is shown moving, in the game as it comes and in a replay. */

import { effect, signal } from "@preact/signals";
import type { Look } from "./board/counter";
import { journeys } from "./journeys";
import { calm, pace } from "./settings";
import type { PlacedCell, Table } from "./table";
import type { LogEntry, View } from "./wire";

export interface Travel {
  /** Nothing when it is not known who travels. */
  readonly unit: string | null;
  readonly look: Look;
  readonly cells: readonly PlacedCell[];
  /** When it began, and how long it takes, in milliseconds. */
  readonly start: number;
  readonly time: number;
}

/** Milliseconds a hex, by what the player has chosen; nothing is shown moving without. */
export const PACES = { off: 0, slow: 320, normal: 150, fast: 60 } as const;

/** No journey takes longer, and so many pieces move at once at most. */
const LONGEST = 1600;
const MOST = 40;

export class Motion {
  readonly travels = signal<readonly Travel[]>([]);
  private places: ReadonlyMap<string, string> = new Map();
  private at = -1;
  private timer = 0;
  private readonly stop: () => void;

  constructor(private readonly table: Table) {
    this.stop = effect(() => {
      const view = table.view.value;
      const geometry = table.geometry.value;
      if (view && geometry) this.changed(view);
    });
  }

  destroy(): void {
    this.stop();
    clearTimeout(this.timer);
  }

  private changed(view: View): void {
    const { table } = this;
    const moment = table.moment.peek();
    const at = moment?.at ?? table.update.peek()?.at ?? 0;
    const { at: before, places } = this;
    this.at = at;
    this.places = placesIn(view);
    const perHex = PACES[pace.peek()];
    if (before < 0 || at <= before || !perHex || calm.matches || table.handOver.peek()) return this.show([]);
    const entries = moment ? (moment.entry && at === before + 1 ? [moment.entry] : []) : this.others(before, at);
    const geometry = table.geometry.peek();
    const looks = table.looks.peek();
    const start = performance.now();
    const travels = journeys(entries, places).flatMap(({ unit, side, hexes }) => {
      const cells = hexes.flatMap((hex) => geometry?.byLabel.get(hex) ?? []);
      const front = unit ? frontOf(view, unit) : null;
      const time = Math.min(LONGEST, perHex * (cells.length - 1));
      return cells.length > 1 ? [{ unit, look: looks.of({ side, front }), cells, start, time }] : [];
    });
    this.show(travels.slice(0, MOST));
  }

  /** What others did since. */
  private others(before: number, at: number): readonly LogEntry[] {
    const { table } = this;
    const eyes = table.update.peek()?.eyes;
    const mine = table.seat.peek()?.sides ?? [];
    const own = (entry: LogEntry): boolean => entry.side === eyes || (eyes === "all" && mine.includes(entry.side));
    return table.log.peek().filter((entry) => entry.at > before && entry.at <= at && !own(entry));
  }

  private show(travels: readonly Travel[]): void {
    clearTimeout(this.timer);
    if (!travels.length && !this.travels.peek().length) return;
    this.travels.value = travels;
    const longest = Math.max(0, ...travels.map((travel) => travel.time));
    if (travels.length) this.timer = window.setTimeout(() => (this.travels.value = []), longest);
  }
}

export function placesIn(view: View): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { hex, pieces } of view.stacks) for (const { front } of pieces) if (front) found.set(front.unit, hex);
  return found;
}

function frontOf(view: View, unit: string): View["stacks"][number]["pieces"][number]["front"] {
  for (const { pieces } of view.stacks) for (const { front } of pieces) if (front?.unit === unit) return front;
  return null;
}
