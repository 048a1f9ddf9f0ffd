/**
 * The symbols of the classic counter sheets, drawn into a box 3 wide and 2 high around the origin (x from -1.5 to
 * 1.5, y from -1 to 1).
 */

import type { Symbol } from "../wire";

type Draw = (path: Path2D, filled: Path2D) => void;

const line = (path: Path2D, ...points: number[]): void => {
  for (let i = 0; i < points.length; i += 2)
    i ? path.lineTo(points[i]!, points[i + 1]!) : path.moveTo(points[i]!, points[i + 1]!);
};
const oval = (path: Path2D, rx = 0.95, ry = 0.55): void => {
  path.moveTo(rx, 0);
  path.ellipse(0, 0, rx, ry, 0, 0, Math.PI * 2);
};
const cross = (path: Path2D): void => {
  line(path, -1.5, -1, 1.5, 1);
  line(path, -1.5, 1, 1.5, -1);
};
const slash = (path: Path2D): void => line(path, -1.5, 1, 1.5, -1);
const dot = (path: Path2D, x: number, y: number, r: number): void => {
  path.moveTo(x + r, y);
  path.arc(x, y, r, 0, Math.PI * 2);
};
const wheels = (path: Path2D): void => {
  for (const x of [-0.8, 0, 0.8]) dot(path, x, 1.22, 0.2);
};

export const SYMBOLS: Readonly<Record<Symbol, Draw>> = {
  infantry: cross,
  motorized: (p) => {
    cross(p);
    wheels(p);
  },
  mechanized: (p) => {
    cross(p);
    oval(p);
  },
  armor: (p) => oval(p),
  cavalry: slash,
  "cavalry-mechanized": (p) => {
    slash(p);
    oval(p);
  },
  reconnaissance: (p) => {
    slash(p);
    line(p, -0.5, 1, -0.5, 1.3);
  },
  artillery: (_, f) => dot(f, 0, 0, 0.34),
  "assault-gun": (p, f) => {
    oval(p);
    dot(f, 0, 0, 0.26);
  },
  "rocket-artillery": (p, f) => {
    line(p, -0.35, -0.15, 0, -0.6, 0.35, -0.15);
    dot(f, 0, 0.3, 0.3);
  },
  engineer: (p) => {
    line(p, -0.8, 0.55, -0.8, -0.45, 0.8, -0.45, 0.8, 0.55);
    line(p, 0, -0.45, 0, 0.55);
  },
  "anti-tank": (p) => line(p, -1.5, 1, 0, -1, 1.5, 1),
  "anti-air": (p) => {
    p.moveTo(1.1, 1);
    p.ellipse(0, 1, 1.1, 1.2, 0, 0, Math.PI, true);
  },
  "machine-gun": (p) => {
    line(p, 0, 0.75, 0, -0.7);
    line(p, -0.3, -0.35, 0, -0.7, 0.3, -0.35);
    line(p, -0.45, 0.75, 0.45, 0.75);
    line(p, -0.25, 0.35, 0.25, 0.35);
  },
  mountain: (p, f) => {
    cross(p);
    line(f, -0.45, 1, 0, 0.3, 0.45, 1);
    f.closePath();
  },
  airborne: (p) => {
    cross(p);
    p.moveTo(0, 0.85);
    p.arc(-0.3, 0.85, 0.3, 0, Math.PI, true);
    p.moveTo(0.6, 0.85);
    p.arc(0.3, 0.85, 0.3, 0, Math.PI, true);
  },
  headquarters: (_, f) => {
    f.rect(-1.5, -1, 3, 0.6);
  },
  fortification: (p) => {
    line(p, -1, 0.6, -1, -0.55, -0.6, -0.55, -0.6, -0.15, -0.2, -0.15, -0.2, -0.55, 0.2, -0.55, 0.2, -0.15, 0.6, -0.15);
    line(p, 0.6, -0.15, 0.6, -0.55, 1, -0.55, 1, 0.6, -1, 0.6);
  },
  supply: (p) => line(p, -1.5, 0.55, 1.5, 0.55),
  rail: (p) => {
    line(p, -1.5, 0.35, 1.5, 0.35);
    for (const x of [-1, -0.33, 0.33, 1]) line(p, x, 0.1, x, 0.6);
  },
  air: (_, f) => {
    f.moveTo(0, 0);
    f.bezierCurveTo(-0.5, -0.75, -1.15, -0.5, -1.15, 0);
    f.bezierCurveTo(-1.15, 0.5, -0.5, 0.75, 0, 0);
    f.bezierCurveTo(0.5, -0.75, 1.15, -0.5, 1.15, 0);
    f.bezierCurveTo(1.15, 0.5, 0.5, 0.75, 0, 0);
  },
  other: () => undefined,
};
