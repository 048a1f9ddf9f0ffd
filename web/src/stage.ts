/** Turns what the table and the hand hold into a scene for the board. */

import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Cell, Geometry, Point } from "./board/geometry";
import type { Hatch, Label, Layer, Line, MarkerShown, Ring, Scene, StackShown, StockShown } from "./board/scene";
import { EMPTY_SCENE } from "./board/scene";
import type { Hand } from "./hand";
import { journeys, type Journey } from "./journeys";
import type { Motion, Travel } from "./motion";
import type { Reel } from "./reel";
import { showCosts, showFront } from "./settings";
import type { PlacedCell, Table } from "./table";
import { takenShort } from "./words";
import type { LogEntry, Overlay, Side } from "./wire";

/** The overlays that are switched on, by name. */
export const overlaysOn = signal<ReadonlySet<string>>(new Set());

export const SIDE_COLOUR: Readonly<Record<Side, string>> = { axis: "#2f4858", soviet: "#b3122a" };
const SIDE_HATCH: Readonly<Record<Side, Hatch>> = { axis: "falling", soviet: "rising" };
const REACH = "#1f7a4d";
const ATTACK = "#d0021b";
const MARKED = "#0b57d0";
const PICKED = "#ffd640";
const NEUTRAL = "#8a5a00";
const NEWS = "#6a3d8a";

type Map_ = Geometry<PlacedCell>;

export function stage(table: Table, hand: Hand, motion: Motion, reel: Reel): ReadonlySignal<Scene> {
  const travels = computed(() => (reel.isOn ? reel.travels.value : motion.travels.value));
  const counters = computed(() => stacks(table, hand, reel, travels.value));
  const front = computed(() => frontLine(table));
  const layers = computed(() => [...overlayLayers(table), ...reachLayers(table, hand)]);
  return computed(() => {
    const geometry = table.geometry.value;
    if (!geometry || table.handOver.value) return EMPTY_SCENE;
    return {
      stacks: counters.value,
      layers: layers.value,
      front: front.value,
      lines: lines(table, hand, reel, geometry),
      labels: labels(table, hand, geometry),
      markers: markers(table, geometry),
      stocks: stocks(table, geometry),
      rings: rings(table, hand, reel, geometry),
      travels: travels.value,
    };
  });
}

function stacks(table: Table, hand: Hand, reel: Reel, travels: readonly Travel[]): StackShown[] {
  const away = new Set(travels.map((travel) => travel.unit));
  const geometry = table.geometry.value;
  const looks = table.looks.value;
  const ready = hand.ready.value;
  const shown = reel.view.value ?? table.view.value;
  return (shown?.stacks ?? []).flatMap(({ hex, pieces }) => {
    const cell = geometry?.byLabel.get(hex);
    if (!cell) return [];
    const able = !reel.isOn && pieces.some((piece) => piece.front && ready.has(piece.front.unit));
    const aside = (unit: string | undefined): boolean => unit !== undefined && hand.done.value.has(unit);
    const here = pieces.filter((piece) => !piece.front || !away.has(piece.front.unit));
    return here.length ? [{ cell, looks: here.map((piece) => ({ ...looks.of(piece), ...(aside(piece.front?.unit) ? { done: true } : {}) })), ready: able }] : [];
  });
}

function cellsOf(geometry: Map_, hexes: readonly string[]): PlacedCell[] {
  return hexes.flatMap((hex) => geometry.byLabel.get(hex) ?? []);
}

/** Control is drawn as a line where it changes; tints would hide the map. */
function frontLine(table: Table): Scene["front"] {
  const geometry = table.geometry.value;
  if (!geometry || !showFront.value || table.moment.value) return [];
  const control = table.overlays.value.findLast((overlay) => overlay.kind === "control");
  return control ? geometry.outline(new Set(cellsOf(geometry, control.hexes)), true) : [];
}

export function overlayColour(overlay: Overlay): string {
  return overlay.side ? SIDE_COLOUR[overlay.side] : NEUTRAL;
}

export function overlayHatch(overlay: Overlay): Hatch {
  if (overlay.kind === "control") return "none";
  return overlay.side ? SIDE_HATCH[overlay.side] : "dots";
}

/** Overlays tell of the present; in a replay there are none. */
function overlayLayers(table: Table): Layer[] {
  const geometry = table.geometry.value;
  if (!geometry || table.moment.value) return [];
  return table.overlays.value
    .filter((overlay) => overlaysOn.value.has(overlay.name))
    .map((overlay) => ({
      cells: cellsOf(geometry, overlay.hexes),
      colour: overlayColour(overlay),
      hatch: overlayHatch(overlay),
      strength: overlayHatch(overlay) === "none" ? 0.25 : 0.55,
      outline: true,
    }));
}

function reachLayers(table: Table, hand: Hand): Layer[] {
  const geometry = table.geometry.value;
  if (!geometry) return [];
  const all = hand.group.isHeld ? [...hand.group.reach.value] : [...hand.destinations.value.keys()];
  const free = all.filter((hex) => !table.enemyIn(hex));
  const marked = hand.unit.value ? [] : [...hand.marked.value.keys()];
  const layers: Layer[] = [];
  if (free.length) layers.push({ cells: cellsOf(geometry, free), colour: REACH, hatch: "none", strength: 0.22, outline: true });
  if (marked.length) layers.push({ cells: cellsOf(geometry, marked), colour: MARKED, hatch: "dots", strength: 0.6, outline: true });
  return layers;
}

function lines(table: Table, hand: Hand, reel: Reel, geometry: Map_): Line[] {
  if (reel.isOn) return [];
  const found: Line[] = [];
  const pointed = hand.pointed.value;
  const route = pointed ? hand.routes.value.get(pointed) : undefined;
  if (route) found.push(line(geometry, route.path, REACH, false));
  for (const proof of hand.proofs.value?.proofs ?? [])
    found.push(line(geometry, proof.path, proof.holds ? REACH : ATTACK, true));
  const { own, enemy } = battlefield(table, hand);
  for (const from of own) if (enemy.length === 1) found.push(blow(geometry, from, enemy[0]!));
  for (const journey of newsJourneys(table)) found.push(line(geometry, journey.hexes, NEWS, false));
  return found.filter((one) => one.points.length > 1);
}

/** An arrow across the side between two hexes, short enough to leave their counters readable. */
function blow(geometry: Map_, from: string, to: string): Line {
  const [a, b] = cellsOf(geometry, [from, to]);
  const between = (share: number): Point => ({ x: a!.x + (b!.x - a!.x) * share, y: a!.y + (b!.y - a!.y) * share });
  return { points: a && b ? [between(0.38), between(0.48)] : [], colour: ATTACK, dashed: false, arrow: true };
}

/** Where those stand whom the account of the present decision names: who attacks, and who is attacked. */
function battlefield(table: Table, hand: Hand): { own: string[]; enemy: string[] } {
  const account = hand.prospect.value?.account ?? hand.muster.declarations.value[0]?.prospect?.account ?? [];
  const units = account.flatMap((event) => event.units);
  const side = table.update.value?.question.side;
  const places = (mine: boolean): string[] => [
    ...new Set(
      units
        .filter((unit) => (table.looks.value.counter(unit)?.side === side) === mine)
        .flatMap((unit) => table.places.value.get(unit) ?? []),
    ),
  ];
  return { own: places(true), enemy: places(false) };
}

/** What is to be shown of the past: the action that led to a replayed moment, or what the other side has just done. */
function news(table: Table): readonly LogEntry[] {
  const moment = table.moment.value;
  if (moment) return moment.entry ? [moment.entry] : [];
  const side = table.update.value?.question.side;
  const log = table.log.value;
  if (!table.update.value?.question.yours || log.at(-1)?.side === side) return [];
  return log.filter((entry) => entry.at > table.newsFrom.value && entry.side !== side);
}

/** The same as ways, each from where it began. */
function newsJourneys(table: Table): readonly Journey[] {
  const places = table.moment.value ? NOWHERE : table.newsPlaces.value;
  return journeys(news(table), places);
}

const NOWHERE: ReadonlyMap<string, string> = new Map();

/** The hexes that an action went through, as far as it was told. */
export function trail(entry: LogEntry): string[] {
  const hexes = entry.events.flatMap((event) => (event.role === "control" ? [] : event.hexes));
  return hexes.filter((hex, i) => hex !== hexes[i - 1]);
}

function line(geometry: Map_, hexes: readonly string[], colour: string, dashed: boolean): Line {
  return { points: cellsOf(geometry, hexes), colour, dashed, arrow: !dashed };
}

function labels(table: Table, hand: Hand, geometry: Map_): Label[] {
  const { pointed } = hand;
  const low = geometry.across * 0.3;
  const found: Label[] = [];
  for (const [hex, route] of hand.routes.value) {
    const cell = geometry.byLabel.get(hex);
    const strong = hex === pointed.value;
    if (cell && route.cost && (showCosts.value || strong))
      found.push({ at: { x: cell.x, y: cell.y + low }, text: route.cost, strong });
  }
  // What an attack would be with each who could join it.
  for (const [unit, prospect] of hand.muster.joining.value) {
    const cell = geometry.byLabel.get(table.places.value.get(unit) ?? "");
    if (cell && prospect.gist) found.push({ at: { x: cell.x, y: cell.y + low }, text: takenShort(prospect.gist, false), strong: cell.label === pointed.value });
  }
  return found;
}

function markers(table: Table, geometry: Map_): MarkerShown[] {
  return [...outOfSupply(table, geometry), ...laidDown(table, geometry)];
}

/** Whoever is out of supply is marked without being asked for: nothing is overlooked more often. */
function outOfSupply(table: Table, geometry: Map_): MarkerShown[] {
  if (table.moment.value) return [];
  const hexes = table.overlays.value.filter((overlay) => overlay.kind === "oos").flatMap((overlay) => overlay.hexes);
  return cellsOf(geometry, hexes).map((cell) => ({ cell, sign: "!", colour: ATTACK }));
}

function laidDown(table: Table, geometry: Map_): MarkerShown[] {
  return (table.view.value?.markers ?? []).flatMap(({ hex, side, sign }) => {
    const cell = geometry.byLabel.get(hex);
    return cell ? [{ cell, sign, colour: side ? SIDE_COLOUR[side] : NEUTRAL }] : [];
  });
}

/** What lies in a hex to be counted, and what its units carry: one number for each side. */
function stocks(table: Table, geometry: Map_): StockShown[] {
  const found = new Map<string, StockShown>();
  for (const stock of table.view.value?.stocks ?? []) {
    const hex = stock.hex ?? (stock.unit ? table.places.value.get(stock.unit) : undefined);
    const cell = hex ? geometry.byLabel.get(hex) : undefined;
    if (!cell) continue;
    const key = `${cell.label} ${stock.side}`;
    const before = found.get(key);
    const amount = stock.amount === null || before?.amount === null ? null : stock.amount + (before?.amount ?? 0);
    found.set(key, { cell, amount, colour: SIDE_COLOUR[stock.side], side: stock.side });
  }
  return [...found.values()];
}

function rings(table: Table, hand: Hand, reel: Reel, geometry: Map_): Ring[] {
  const found: Ring[] = [];
  const add = (hex: string | null | undefined, colour: string, style: Ring["style"]): void => {
    const cell: Cell | undefined = hex ? geometry.byLabel.get(hex) : undefined;
    if (cell) found.push({ cell, colour, style });
  };
  if (reel.isOn) {
    const combat = reel.combat.value;
    combat?.hexes.forEach((hex) => add(hex, ATTACK, "target"));
    return found;
  }
  for (const hex of hand.destinations.value.keys()) if (table.enemyIn(hex)) add(hex, ATTACK, "target");
  for (const journey of newsJourneys(table)) add(journey.hexes.at(-1), NEWS, "partner");
  const prompt = table.question.value?.yours ? table.question.value.prompt : [];
  for (const span of prompt) {
    if (typeof span === "string") continue;
    if ("hex" in span) add(span.hex, NEUTRAL, "partner");
    else if ("unit" in span) add(table.places.value.get(span.unit), NEUTRAL, "partner");
  }
  const battle = battlefield(table, hand);
  battle.own.forEach((hex) => add(hex, ATTACK, "partner"));
  battle.enemy.forEach((hex) => add(hex, ATTACK, "target"));
  const unit = hand.unit.value;
  for (const held of hand.group.units.value) add(table.places.value.get(held), PICKED, "selected");
  if (!unit) add(hand.underWay.value, PICKED, "selected");
  for (const member of hand.muster.members.value) add(table.places.value.get(member), ATTACK, "partner");
  if (hand.muster.isOpen.value) add(hand.muster.target.value, ATTACK, "target");
  if (hand.target.value) add(hand.target.value, ATTACK, "target");
  else if (unit) add(table.places.value.get(unit), PICKED, "selected");
  else if (hand.inspected.value && !battle.enemy.includes(hand.inspected.value)) add(hand.inspected.value, "#ffffff", "selected");
  return found;
}
