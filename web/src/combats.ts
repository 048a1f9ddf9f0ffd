/** Combats as the log tells them: what was attacked by whom, the dice, the result, what came of it. */

import type { Happening, LogEntry, Role, Side } from "./wire";

export interface Combat {
  /** The first action of it. */
  readonly at: number;
  readonly side: Side;
  /** What was declared; nothing when the log does not tell. */
  readonly attack: Happening | null;
  readonly dice: readonly Happening[];
  readonly result: Happening | null;
  /** Losses, retreats, advances. */
  readonly after: readonly Happening[];
  /** Where it was. */
  readonly hexes: readonly string[];
}

const AFTER: ReadonlySet<Role> = new Set(["loss", "eliminated", "retreat", "advance"]);

/** True when a die was rolled, or something came of one. */
export function isFight({ events }: LogEntry): boolean {
  return events.some((event) => event.roll || event.role === "attack" || event.role === "result" || AFTER.has(event.role));
}

/** Every combat in some actions. A new one begins with each attack. */
export function combats(entries: readonly LogEntry[]): Combat[] {
  const found: Draft[] = [];
  for (const entry of entries)
    for (const event of entry.events) {
      if (event.role === "attack") found.push(draft(entry, event));
      const now = found.at(-1) ?? null;
      if (event.roll || event.role === "result" || AFTER.has(event.role)) {
        const combat = now ?? draft(entry, null);
        if (!now) found.push(combat);
        if (event.roll) combat.dice.push(event);
        else if (event.role === "result") combat.result = event;
        else combat.after.push(event);
      }
    }
  return found.map((one) => ({ ...one, hexes: one.attack?.hexes ?? [...one.dice, ...one.after].flatMap((event) => event.hexes) }));
}

interface Draft {
  at: number;
  side: Side;
  attack: Happening | null;
  dice: Happening[];
  result: Happening | null;
  after: Happening[];
}

function draft(entry: LogEntry, attack: Happening | null): Draft {
  return { at: entry.at, side: entry.side, attack, dice: [], result: null, after: [] };
}
