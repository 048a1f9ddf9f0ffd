/** Pieces that travel: what others did is shown moving, in the game as it comes and in a replay. */

import { effect, signal } from "@preact/signals";
import type { Look } from "./board/counter";
import { journeys, type Journey } from "./journeys";
import { calm, pace } from "./settings";
import type { PlacedCell, Table } from "./table";
import type { Moment, View } from "./wire";

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

/** Pieces on their ways, as they look in the end. */
export function travelsOf(table: Table, ways: readonly Journey[], view: View, perHex: number): Travel[] {
  const geometry = table.geometry.peek();
  const looks = table.looks.peek();
  const start = performance.now();
  const travels = ways.flatMap(({ unit, side, hexes }) => {
    const cells = hexes.flatMap((hex) => geometry?.byLabel.get(hex) ?? []);
    const front = unit ? frontOf(view, unit) : null;
    const time = Math.min(LONGEST, perHex * (cells.length - 1));
    return cells.length > 1 ? [{ unit, look: looks.of({ side, front }), cells, start, time }] : [];
  });
  return travels.slice(0, MOST);
}

/** A replay, step by step. What comes in a game that goes on is the reel's. */
export class Motion {
  readonly travels = signal<readonly Travel[]>([]);
  private places: ReadonlyMap<string, string> = new Map();
  private at = -1;
  private timer = 0;
  private readonly stop: () => void;

  constructor(private readonly table: Table) {
    this.stop = effect(() => {
      const moment = table.moment.value;
      if (table.geometry.value) this.changed(moment);
    });
  }

  destroy(): void {
    this.stop();
    clearTimeout(this.timer);
  }

  private changed(moment: Moment | null): void {
    const { at: before, places } = this;
    this.at = moment?.at ?? -1;
    this.places = moment ? placesIn(moment.view) : new Map();
    const perHex = PACES[pace.peek()];
    const next = moment?.entry && moment.at === before + 1 && before >= 0;
    if (!next || !perHex || calm.matches) return this.show([]);
    this.show(travelsOf(this.table, journeys([moment.entry!], places), moment.view, perHex));
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
