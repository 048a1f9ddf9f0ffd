/** Draws a scene. Everything that is costly was prepared before: the map's bitmaps, counters' sprites, layers' paths. */

import type { Camera } from "./camera";
import { Sprites, text } from "./counter";
import type { Cell, Geometry, Point } from "./geometry";
import type { Picture } from "./picture";
import type { Hatch, Label, Layer, Line, MarkerShown, Ring, Scene, StackShown, StockShown, Travelling } from "./scene";

export interface Pointers {
  readonly hover: Cell | null;
  readonly cursor: Cell | null;
  readonly dragging: { readonly stack: StackShown; readonly at: Point } | null;
  readonly hideCounters: boolean;
  readonly paper: string;
}

/** A counter's edge, as a share of the hex. */
const COUNTER = 0.74;

interface Prepared {
  readonly layer: Layer;
  readonly path: Path2D;
  readonly edge: Path2D | null;
}

export class Painter {
  private readonly sprites = new Sprites();
  private readonly patterns = new Map<string, CanvasPattern>();
  private prepared: Prepared[] = [];
  private front = new Path2D();
  private scene: Scene | null = null;

  constructor(
    private readonly ctx: CanvasRenderingContext2D,
    private readonly geometry: Geometry,
  ) {}

  prepare(scene: Scene): void {
    this.scene = scene;
    this.prepared = scene.layers.map((layer) => this.prepareLayer(layer));
    this.front = lines(scene.front);
  }

  draw(picture: Picture, camera: Camera, ratio: number, pointers: Pointers): void {
    const { ctx, scene } = this;
    if (!scene) return;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    this.drawMap(picture, camera, ratio, pointers.paper);
    const scale = camera.zoom * ratio;
    ctx.setTransform(scale, 0, 0, scale, -camera.x * scale, -camera.y * scale);
    for (const prepared of this.prepared) this.drawLayer(prepared, scale);
    this.drawFront(scale);
    if (!pointers.hideCounters) this.drawStacks(scene.stacks, camera, scale, pointers);
    scene.markers.forEach((marker) => this.drawMarker(marker));
    scene.stocks.forEach((stock) => this.drawStock(stock));
    scene.rings.forEach((ring) => this.drawRing(ring));
    scene.lines.forEach((line) => this.drawLine(line));
    const now = performance.now();
    scene.travels.forEach((travel) => this.drawTravel(travel, now, scale));
    if (pointers.hover) this.outlineCell(pointers.hover, "rgba(20,20,20,.75)", 2 / camera.zoom, []);
    if (pointers.cursor) this.drawCursor(pointers.cursor, camera.zoom);
    if (scale > 0.35) scene.labels.forEach((label) => this.drawLabel(label));
    if (pointers.dragging) this.drawDragged(pointers.dragging.stack, pointers.dragging.at, scale);
  }

  private drawMap(picture: Picture, camera: Camera, ratio: number, paper: string): void {
    const { ctx } = this;
    const width = camera.width * ratio;
    const height = camera.height * ratio;
    const { bounds } = picture;
    const seen = camera.visible();
    const left = Math.max(seen.x, bounds.x);
    const top = Math.max(seen.y, bounds.y);
    const right = Math.min(seen.x + seen.width, bounds.x + bounds.width);
    const bottom = Math.min(seen.y + seen.height, bounds.y + bounds.height);
    const covers = left === seen.x && top === seen.y && right === seen.x + seen.width && bottom === seen.y + seen.height;
    if (!covers) {
      ctx.fillStyle = paper;
      ctx.fillRect(0, 0, width, height);
    }
    if (right <= left || bottom <= top) return;
    const { bitmap, scale } = picture.at(camera.zoom * ratio);
    const to = camera.zoom * ratio;
    ctx.imageSmoothingQuality = "low";
    ctx.drawImage(
      bitmap,
      (left - bounds.x) * scale,
      (top - bounds.y) * scale,
      (right - left) * scale,
      (bottom - top) * scale,
      (left - seen.x) * to,
      (top - seen.y) * to,
      (right - left) * to,
      (bottom - top) * to,
    );
  }

  private prepareLayer(layer: Layer): Prepared {
    const path = new Path2D();
    for (const cell of layer.cells) this.geometry.trace(path, cell);
    const edge = layer.outline ? lines(this.geometry.outline(new Set(layer.cells))) : null;
    return { layer, path, edge };
  }

  private drawLayer({ layer, path, edge }: Prepared, scale: number): void {
    const { ctx } = this;
    ctx.save();
    ctx.globalAlpha = layer.strength;
    if (layer.hatch === "none") ctx.fillStyle = layer.colour;
    else {
      const pattern = this.pattern(layer.hatch, layer.colour);
      pattern.setTransform(new DOMMatrix().scale(1 / scale));
      ctx.fillStyle = pattern;
    }
    ctx.fill(path);
    if (edge) {
      ctx.globalAlpha = Math.min(1, layer.strength * 2);
      ctx.strokeStyle = layer.colour;
      ctx.lineWidth = this.geometry.across * 0.05;
      ctx.lineCap = "round";
      ctx.stroke(edge);
    }
    ctx.restore();
  }

  private drawFront(scale: number): void {
    const { ctx } = this;
    ctx.lineCap = "round";
    ctx.lineJoin = "round";
    ctx.strokeStyle = "rgba(255,255,255,.8)";
    ctx.lineWidth = Math.max(this.geometry.across * 0.09, 3 / scale);
    ctx.stroke(this.front);
    ctx.strokeStyle = "#a3131f";
    ctx.lineWidth = Math.max(this.geometry.across * 0.05, 1.6 / scale);
    ctx.stroke(this.front);
  }

  private drawStacks(stacks: readonly StackShown[], camera: Camera, scale: number, pointers: Pointers): void {
    const seen = camera.visible();
    const margin = this.geometry.across;
    for (const stack of stacks) {
      const { x, y } = stack.cell;
      if (x < seen.x - margin || y < seen.y - margin) continue;
      if (x > seen.x + seen.width + margin || y > seen.y + seen.height + margin) continue;
      if (pointers.dragging?.stack === stack) this.ctx.globalAlpha = 0.4;
      this.drawStack(stack, scale);
      this.ctx.globalAlpha = 1;
    }
  }

  private drawStack(stack: StackShown, scale: number): void {
    const { ctx } = this;
    const edge = this.geometry.across * COUNTER;
    const shown = stack.looks.slice(0, 4);
    const offset = edge * 0.09;
    const { x, y } = stack.cell;
    const shift = ((shown.length - 1) * offset) / 2;
    if (stack.ready) {
      ctx.fillStyle = "rgba(255,214,64,.95)";
      const glow = new Path2D();
      const rim = edge * 0.07;
      glow.roundRect(x - shift - edge / 2 - rim, y - shift - edge / 2 - rim, edge + 2 * rim, edge + 2 * rim, edge * 0.14);
      ctx.fill(glow);
    }
    for (let i = shown.length - 1; i >= 0; i--) {
      const sprite = this.sprites.get(shown[i]!, edge * scale);
      const d = i * offset - shift;
      ctx.drawImage(sprite, x - edge / 2 + d, y - edge / 2 + d, edge, edge);
    }
    if (stack.looks.length > 2) this.badge(String(stack.looks.length), x + edge * 0.5, y + edge * 0.5, edge * 0.2);
  }

  private badge(what: string, x: number, y: number, r: number): void {
    const { ctx } = this;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, Math.PI * 2);
    ctx.fillStyle = "#1b1b1b";
    ctx.fill();
    ctx.fillStyle = "#fff";
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    text(ctx, what, x, y + r * 0.1, r * 1.4, r * 1.8, 700);
    ctx.textBaseline = "alphabetic";
  }

  private drawMarker({ cell, sign, colour }: MarkerShown): void {
    const { ctx } = this;
    const a = this.geometry.across;
    const r = a * 0.13;
    const x = cell.x - a * 0.36;
    const y = cell.y + a * 0.3;
    ctx.beginPath();
    ctx.arc(x, y, r, 0, Math.PI * 2);
    ctx.fillStyle = colour;
    ctx.fill();
    ctx.lineWidth = a * 0.02;
    ctx.strokeStyle = "#fff";
    ctx.stroke();
    ctx.fillStyle = "#fff";
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    text(ctx, sign, x, y + r * 0.1, r * 1.4, r * 1.8, 700);
    ctx.textBaseline = "alphabetic";
  }

  /** A crate with a number, at the right for one side and at the left for the other. */
  private drawStock({ cell, amount, colour, side }: StockShown): void {
    const { ctx } = this;
    const a = this.geometry.across;
    const [width, height] = [a * 0.28, a * 0.2];
    const x = cell.x + (side === "axis" ? -1 : 1) * a * 0.26;
    const y = cell.y + a * 0.4;
    const crate = new Path2D();
    crate.roundRect(x - width / 2, y - height / 2, width, height, side === "soviet" ? height * 0.4 : 0);
    ctx.fillStyle = colour;
    ctx.fill(crate);
    ctx.lineWidth = a * 0.02;
    ctx.strokeStyle = "#fff";
    ctx.stroke(crate);
    ctx.fillStyle = "#fff";
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    text(ctx, amount === null ? "?" : String(amount), x, y + height * 0.06, height * 0.85, width * 0.9, 700);
    ctx.textBaseline = "alphabetic";
  }

  private drawLine(line: Line): void {
    const { ctx } = this;
    const a = this.geometry.across;
    const path = new Path2D();
    line.points.forEach((p, i) => (i ? path.lineTo(p.x, p.y) : path.moveTo(p.x, p.y)));
    ctx.save();
    ctx.lineCap = "round";
    ctx.lineJoin = "round";
    if (line.dashed) ctx.setLineDash([a * 0.18, a * 0.16]);
    ctx.strokeStyle = "rgba(255,255,255,.9)";
    ctx.lineWidth = a * 0.13;
    ctx.stroke(path);
    ctx.strokeStyle = line.colour;
    ctx.lineWidth = a * 0.075;
    ctx.stroke(path);
    ctx.restore();
    if (line.arrow) this.arrowHead(line);
  }

  private arrowHead(line: Line): void {
    const [from, to] = [line.points.at(-2), line.points.at(-1)];
    if (!from || !to) return;
    const { ctx } = this;
    const size = this.geometry.across * 0.2;
    const a = Math.atan2(to.y - from.y, to.x - from.x);
    ctx.beginPath();
    ctx.moveTo(to.x + size * Math.cos(a), to.y + size * Math.sin(a));
    ctx.lineTo(to.x + size * Math.cos(a + 2.4), to.y + size * Math.sin(a + 2.4));
    ctx.lineTo(to.x + size * Math.cos(a - 2.4), to.y + size * Math.sin(a - 2.4));
    ctx.closePath();
    ctx.fillStyle = line.colour;
    ctx.fill();
    ctx.lineWidth = size * 0.12;
    ctx.strokeStyle = "#fff";
    ctx.stroke();
  }

  private drawRing({ cell, colour, style }: Ring): void {
    const { ctx } = this;
    const a = this.geometry.across;
    if (style === "selected") {
      this.outlineCell(cell, "#000", a * 0.13, []);
      this.outlineCell(cell, colour, a * 0.085, []);
      return;
    }
    this.outlineCell(cell, "rgba(255,255,255,.9)", a * 0.1, []);
    this.outlineCell(cell, colour, a * 0.07, style === "partner" ? [a * 0.12, a * 0.08] : []);
    if (style !== "target") return;
    // A cross-hair, for those who do not see red.
    ctx.strokeStyle = colour;
    ctx.lineWidth = a * 0.06;
    for (const [dx, dy] of [[0, -1], [1, 0], [0, 1], [-1, 0]] as const) {
      ctx.beginPath();
      ctx.moveTo(cell.x + dx * a * 0.34, cell.y + dy * a * 0.34);
      ctx.lineTo(cell.x + dx * a * 0.5, cell.y + dy * a * 0.5);
      ctx.stroke();
    }
  }

  private outlineCell(cell: Cell, colour: string, width: number, dash: number[]): void {
    const { ctx } = this;
    const path = new Path2D();
    this.geometry.trace(path, cell, 0.95);
    ctx.setLineDash(dash);
    ctx.lineJoin = "round";
    ctx.lineWidth = width;
    ctx.strokeStyle = colour;
    ctx.stroke(path);
    ctx.setLineDash([]);
  }

  private drawCursor(cell: Cell, zoom: number): void {
    this.outlineCell(cell, "#fff", 5 / zoom, []);
    this.outlineCell(cell, "#0b57d0", 3 / zoom, [6 / zoom, 4 / zoom]);
  }

  private drawLabel(label: Label): void {
    const { ctx } = this;
    const a = this.geometry.across;
    const size = a * (label.strong ? 0.3 : 0.24);
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    const width = Math.max(size, label.text.length * size * 0.52 + size * 0.4);
    const plate = new Path2D();
    plate.roundRect(label.at.x - width / 2, label.at.y - size * 0.65, width, size * 1.3, size * 0.4);
    ctx.fillStyle = label.strong ? "#12351f" : "rgba(255,255,255,.86)";
    ctx.fill(plate);
    ctx.fillStyle = label.strong ? "#fff" : "#12351f";
    text(ctx, label.text, label.at.x, label.at.y + size * 0.06, size, width, 700);
    ctx.textBaseline = "alphabetic";
  }

  private drawTravel({ look, cells, start, time }: Travelling, now: number, scale: number): void {
    const way = Math.max(0, Math.min(1, (now - start) / time)) * (cells.length - 1);
    const i = Math.min(Math.floor(way), cells.length - 2);
    const [from, to] = [cells[i], cells[i + 1]];
    if (!from || !to) return;
    const edge = this.geometry.across * COUNTER;
    const x = from.x + (to.x - from.x) * (way - i);
    const y = from.y + (to.y - from.y) * (way - i);
    this.ctx.drawImage(this.sprites.get(look, edge * scale), x - edge / 2, y - edge / 2, edge, edge);
  }

  private drawDragged(stack: StackShown, at: Point, scale: number): void {
    const edge = this.geometry.across * COUNTER;
    const top = stack.looks[0];
    if (top) this.ctx.drawImage(this.sprites.get(top, edge * scale), at.x - edge / 2, at.y - edge / 2, edge, edge);
  }

  private pattern(hatch: Hatch, colour: string): CanvasPattern {
    const key = `${hatch} ${colour}`;
    let pattern = this.patterns.get(key);
    if (!pattern) {
      pattern = this.ctx.createPattern(tile(hatch, colour), "repeat")!;
      this.patterns.set(key, pattern);
    }
    return pattern;
  }
}

function lines(pairs: readonly (readonly [Point, Point])[]): Path2D {
  const path = new Path2D();
  for (const [a, b] of pairs) {
    path.moveTo(a.x, a.y);
    path.lineTo(b.x, b.y);
  }
  return path;
}

function tile(hatch: Hatch, colour: string): HTMLCanvasElement {
  const n = 10;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = n;
  const ctx = canvas.getContext("2d")!;
  ctx.strokeStyle = ctx.fillStyle = colour;
  ctx.lineWidth = 2;
  ctx.lineCap = "square";
  const stroke = (x1: number, y1: number, x2: number, y2: number): void => {
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
  };
  const rising = (): void => {
    stroke(0, n, n, 0);
    stroke(-1, 1, 1, -1);
    stroke(n - 1, n + 1, n + 1, n - 1);
  };
  const falling = (): void => {
    stroke(0, 0, n, n);
    stroke(-1, n - 1, 1, n + 1);
    stroke(n - 1, -1, n + 1, 1);
  };
  if (hatch === "rising" || hatch === "cross") rising();
  if (hatch === "falling" || hatch === "cross") falling();
  if (hatch === "dots") {
    ctx.beginPath();
    ctx.arc(n / 2, n / 2, 2, 0, Math.PI * 2);
    ctx.fill();
  }
  return canvas;
}
