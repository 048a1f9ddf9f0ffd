/** The ways that units went in some actions, hex by hex, from where they began. */

import type { LogEntry, Role, Side } from "./wire";

export interface Journey {
  /** Nothing when these eyes do not know who went. */
  readonly unit: string | null;
  readonly side: Side;
  readonly hexes: readonly string[];
  /** The last action of it. */
  readonly at: number;
}

const GOING: ReadonlySet<Role> = new Set(["move", "retreat", "advance", "arrival"]);

/** `places` says where units were before. */
export function journeys(entries: readonly LogEntry[], places: ReadonlyMap<string, string>): Journey[] {
  const found = new Map<string, { unit: string | null; side: Side; hexes: string[]; at: number }>();
  for (const entry of entries) {
    // Who is not named goes where the action says, and nobody knows whether it is the one who went before.
    let before: string | undefined;
    for (const event of entry.events) {
      const [unit] = event.units;
      if (!GOING.has(event.role)) {
        if (!unit && event.role === "plain") before = event.hexes.at(-1) ?? before;
        continue;
      }
      const key = unit ?? `? ${entry.at}`;
      const from = unit ? places.get(unit) : before;
      const journey = found.get(key) ?? { unit: unit ?? null, side: entry.side, hexes: from ? [from] : [], at: entry.at };
      for (const hex of event.hexes) if (journey.hexes.at(-1) !== hex) journey.hexes.push(hex);
      journey.at = entry.at;
      found.set(key, journey);
    }
  }
  return [...found.values()].filter((journey) => journey.hexes.length > 1);
}
