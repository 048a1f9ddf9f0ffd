import type { Look } from "./counter";
import type { Side } from "../wire";
import type { Cell, Point } from "./geometry";

/** What lies on the map, and what is drawn over it: plain data, made anew whenever the game or a choice changes. */
export interface Scene {
  readonly stacks: readonly StackShown[];
  readonly layers: readonly Layer[];
  /** Sides of hexes along which control changes. */
  readonly front: readonly (readonly [Point, Point])[];
  readonly lines: readonly Line[];
  readonly labels: readonly Label[];
  readonly markers: readonly MarkerShown[];
  readonly stocks: readonly StockShown[];
  readonly rings: readonly Ring[];
  readonly travels: readonly Travelling[];
}

export interface StackShown {
  readonly cell: Cell;
  /** Top first. */
  readonly looks: readonly Look[];
  /** Something can be done with it now. */
  readonly ready: boolean;
}

export type Hatch = "none" | "rising" | "falling" | "dots" | "cross";

export interface Layer {
  readonly cells: readonly Cell[];
  readonly colour: string;
  readonly hatch: Hatch;
  readonly strength: number;
  readonly outline: boolean;
}

export interface Line {
  readonly points: readonly Point[];
  readonly colour: string;
  readonly dashed: boolean;
  readonly arrow: boolean;
}

export interface Label {
  readonly at: Point;
  readonly text: string;
  readonly strong?: boolean;
}

export interface MarkerShown {
  readonly cell: Cell;
  readonly sign: string;
  readonly colour: string;
}

/** A heap of something counted. */
export interface StockShown {
  readonly cell: Cell;
  /** How much; nothing when it is not known. */
  readonly amount: number | null;
  readonly colour: string;
  readonly side: Side;
}

/** A piece on its way. */
export interface Travelling {
  readonly look: Look;
  readonly cells: readonly Cell[];
  /** When it began, and how long it takes, in milliseconds. */
  readonly start: number;
  readonly time: number;
}

export interface Ring {
  readonly cell: Cell;
  readonly colour: string;
  readonly style: "selected" | "target" | "partner";
}

export const EMPTY_SCENE: Scene = {
  stacks: [],
  layers: [],
  front: [],
  lines: [],
  labels: [],
  markers: [],
  stocks: [],
  rings: [],
  travels: [],
};
