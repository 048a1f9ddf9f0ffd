import { createContext } from "preact";
import type { Signal } from "@preact/signals";
import type { Board } from "../board/board";
import type { Hand } from "../hand";
import type { Reel } from "../reel";
import type { Table } from "../table";

export type Tab = "play" | "log" | "units" | "tables" | "cases" | "talk" | "reasons";
export type Open = "help" | "settings" | "find" | "share" | "overlays" | "unasked" | "about" | "result" | null;

/** What every part of a game's page needs. */
export interface GamePage {
  readonly table: Table;
  readonly hand: Hand;
  /** What others did, while it is shown. */
  readonly reel: Reel;
  readonly tab: Signal<Tab>;
  readonly open: Signal<Open>;
  readonly typing: Signal<boolean>;
  readonly openCase: Signal<string | null>;
  readonly board: Signal<Board | null>;
  /** The box beside the map that is open, by its name. */
  readonly box: Signal<string | null>;
  /** The panel can be folded away. */
  readonly folded: Signal<boolean>;
  showCase(number: string): void;
  /** Brings a hex into sight and tells about it. */
  goTo(hex: string): void;
}

export const Game = createContext<GamePage>(null as unknown as GamePage);
