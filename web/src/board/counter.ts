/** Counters, drawn once per look and size and then copied. */

import type { Side, Symbol } from "../wire";
import { SYMBOLS } from "./symbols";

/** All that decides how a counter looks. Two with equal looks share one sprite. */
export interface Look {
  readonly side: Side;
  /** Background, and the stripe of the formation. */
  readonly paint: Paint;
  /** Nothing but the back is seen. */
  readonly hidden?: boolean;
  readonly symbol: Symbol;
  readonly size: string;
  readonly short: string;
  readonly factors: string;
  readonly steps: number;
  readonly fullSteps: number;
  /** Factors and steps are the most that it can have. */
  readonly unknown: boolean;
  /** It has done what it may do in this phase. */
  readonly done: boolean;
  /** Short marks at the right edge: a letter or sign, and whether it is bad news. */
  readonly marks: readonly Mark[];
}

export interface Mark {
  readonly sign: string;
  readonly bad: boolean;
}

export interface Paint {
  readonly body: string;
  readonly box: string;
  readonly ink: string;
  readonly stripe: string;
}

const EDGE = 100;

export function lookKey(look: Look): string {
  const { side, paint, hidden, symbol, size, short, factors, steps, fullSteps, unknown, done, marks } = look;
  const seen = hidden ? [] : [symbol, size, short, factors, steps, fullSteps, unknown, done, marks.map((m) => m.sign).join()];
  return [side, paint.body, paint.stripe, ...seen].join("|");
}

/** Sprites by look, one generation for each size; sizes go by steps so that zooming does not redraw all the time. */
export class Sprites {
  private readonly made = new Map<string, HTMLCanvasElement>();

  get(look: Look, pixels: number): HTMLCanvasElement {
    const size = bucket(pixels);
    const key = `${size}|${lookKey(look)}`;
    let sprite = this.made.get(key);
    if (!sprite) {
      if (this.made.size > 1500) this.made.clear();
      sprite = document.createElement("canvas");
      sprite.width = sprite.height = size;
      const ctx = sprite.getContext("2d");
      if (ctx) drawCounter(ctx, look, size);
      this.made.set(key, sprite);
    }
    return sprite;
  }
}

function bucket(pixels: number): number {
  const steps = [16, 20, 24, 28, 32, 36, 40, 46, 52, 58, 64, 76, 88, 104, 128, 160, 200, 256];
  return steps.find((step) => step >= pixels) ?? 256;
}

export function drawCounter(ctx: CanvasRenderingContext2D, look: Look, size: number): void {
  ctx.save();
  ctx.scale(size / EDGE, size / EDGE);
  body(ctx, look);
  if (look.hidden) back(ctx, look);
  else if (size >= 30) face(ctx, look);
  else smallFace(ctx, look);
  ctx.restore();
}

function plate(look: Look): Path2D {
  const path = new Path2D();
  path.roundRect(2, 2, EDGE - 4, EDGE - 4, look.side === "soviet" ? 14 : 5);
  return path;
}

function body(ctx: CanvasRenderingContext2D, look: Look): void {
  const path = plate(look);
  ctx.fillStyle = look.paint.body;
  ctx.fill(path);
  ctx.save();
  ctx.clip(path);
  // Light from above left, as on die-cut cardboard.
  ctx.lineWidth = 7;
  ctx.strokeStyle = "rgba(255,255,255,.35)";
  ctx.beginPath();
  ctx.moveTo(2, EDGE);
  ctx.lineTo(2, 2);
  ctx.lineTo(EDGE, 2);
  ctx.stroke();
  ctx.strokeStyle = "rgba(0,0,0,.22)";
  ctx.beginPath();
  ctx.moveTo(EDGE - 2, 0);
  ctx.lineTo(EDGE - 2, EDGE - 2);
  ctx.lineTo(0, EDGE - 2);
  ctx.stroke();
  ctx.restore();
  ctx.lineWidth = 3;
  ctx.strokeStyle = "rgba(0,0,0,.75)";
  ctx.stroke(path);
}

/** The back of an unknown counter: the side's colour, and a sign that needs no colour. */
function back(ctx: CanvasRenderingContext2D, look: Look): void {
  ctx.fillStyle = look.paint.ink;
  ctx.globalAlpha = 0.55;
  if (look.side === "soviet") star(ctx, 50, 52, 30);
  else balkenkreuz(ctx);
  ctx.globalAlpha = 1;
}

function star(ctx: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  ctx.beginPath();
  for (let i = 0; i < 10; i++) {
    const a = -Math.PI / 2 + (i * Math.PI) / 5;
    const d = i % 2 ? r * 0.4 : r;
    ctx.lineTo(x + d * Math.cos(a), y + d * Math.sin(a));
  }
  ctx.closePath();
  ctx.fill();
}

function balkenkreuz(ctx: CanvasRenderingContext2D): void {
  ctx.fillRect(42, 22, 16, 56);
  ctx.fillRect(22, 42, 56, 16);
}

const BOX = { x: 50, y: 40, unit: 13.5 };

function face(ctx: CanvasRenderingContext2D, look: Look): void {
  stripe(ctx, look);
  box(ctx, look, BOX.x, BOX.y, BOX.unit);
  ctx.fillStyle = look.paint.ink;
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  text(ctx, look.size, 50, 23, 15, 40, 700);
  sideText(ctx, look.short);
  factors(ctx, look, 92, 34);
  steps(ctx, look);
  marks(ctx, look);
  if (look.done) corner(ctx);
}

/** Too small for words: symbol and strength only. */
function smallFace(ctx: CanvasRenderingContext2D, look: Look): void {
  stripe(ctx, look);
  box(ctx, look, 50, 34, 17);
  ctx.fillStyle = look.paint.ink;
  ctx.textAlign = "center";
  factors(ctx, look, 92, 42);
  if (look.done) corner(ctx);
}

function stripe(ctx: CanvasRenderingContext2D, look: Look): void {
  if (look.paint.stripe === look.paint.body) return;
  ctx.save();
  ctx.clip(plate(look));
  ctx.fillStyle = look.paint.stripe;
  ctx.fillRect(0, 0, EDGE, 9);
  ctx.restore();
}

function box(ctx: CanvasRenderingContext2D, look: Look, x: number, y: number, unit: number): void {
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(unit, unit);
  ctx.fillStyle = look.paint.box;
  ctx.fillRect(-1.5, -1, 3, 2);
  const path = new Path2D();
  const filled = new Path2D();
  SYMBOLS[look.symbol](path, filled);
  ctx.lineWidth = 2.6 / unit;
  ctx.strokeStyle = ctx.fillStyle = look.paint.ink;
  ctx.lineJoin = "round";
  ctx.save();
  const clip = new Path2D();
  clip.rect(-1.6, -1.05, 3.2, 2.6);
  ctx.clip(clip);
  ctx.stroke(path);
  ctx.fill(filled);
  ctx.restore();
  ctx.strokeRect(-1.5, -1, 3, 2);
  ctx.restore();
}

export function text(
  ctx: CanvasRenderingContext2D,
  what: string,
  x: number,
  y: number,
  size: number,
  room: number,
  weight = 600,
): void {
  if (!what) return;
  ctx.font = `${weight} ${size}px "Liberation Sans Narrow", "Arial Narrow", "Helvetica Neue", Arial, sans-serif`;
  ctx.fillText(what, x, y, room);
}

/** The unit's name stands at the left of the box, turned when it is long. */
function sideText(ctx: CanvasRenderingContext2D, short: string): void {
  if (short.length <= 3) return text(ctx, short, 16.5, 47, 20, 23, 800);
  ctx.save();
  ctx.translate(23, 40);
  ctx.rotate(-Math.PI / 2);
  text(ctx, short, 0, 0, 15, 56, 700);
  ctx.restore();
}

function factors(ctx: CanvasRenderingContext2D, look: Look, y: number, size: number): void {
  text(ctx, look.factors, 50, y, look.factors.length > 6 ? size * 0.8 : size, 92, 800);
}

/** A dot for each step beside the symbol, closer together where there are many, so that the factors below stay free. */
function steps(ctx: CanvasRenderingContext2D, look: Look): void {
  if (look.fullSteps < 2) return;
  if (look.unknown) {
    ctx.fillStyle = look.paint.ink;
    return text(ctx, "?", 84, 50, 30, 24, 800);
  }
  const gap = Math.min(12, 34 / (look.fullSteps - 1));
  for (let i = 0; i < look.fullSteps; i++) {
    ctx.beginPath();
    ctx.arc(84, 29 + i * gap, gap < 10 ? 2.6 : 4, 0, Math.PI * 2);
    ctx.lineWidth = gap < 10 ? 1.6 : 2.5;
    ctx.strokeStyle = look.paint.ink;
    ctx.fillStyle = look.paint.ink;
    ctx.stroke();
    if (i >= look.fullSteps - look.steps) ctx.fill();
  }
}

function marks(ctx: CanvasRenderingContext2D, look: Look): void {
  look.marks.slice(0, 3).forEach((mark, i) => {
    const x = 88 - i * 24;
    ctx.beginPath();
    ctx.arc(x, 13, 12, 0, Math.PI * 2);
    ctx.fillStyle = mark.bad ? "#c8102e" : "#fffbe6";
    ctx.fill();
    ctx.lineWidth = 2;
    ctx.strokeStyle = "#000";
    ctx.stroke();
    ctx.fillStyle = mark.bad ? "#fff" : "#000";
    text(ctx, mark.sign, x, 19, 17, 20, 800);
  });
}

/** Done for this phase: a folded corner. */
function corner(ctx: CanvasRenderingContext2D): void {
  ctx.fillStyle = "rgba(0,0,0,.28)";
  ctx.fillRect(2, 2, EDGE - 4, EDGE - 4);
  ctx.beginPath();
  ctx.moveTo(EDGE - 3, EDGE - 32);
  ctx.lineTo(EDGE - 3, EDGE - 3);
  ctx.lineTo(EDGE - 32, EDGE - 3);
  ctx.closePath();
  ctx.fillStyle = "#fffbe6";
  ctx.fill();
  ctx.lineWidth = 2.5;
  ctx.strokeStyle = "#000";
  ctx.stroke();
}
