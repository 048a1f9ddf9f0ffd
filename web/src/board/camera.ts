import type { Point } from "./geometry";

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What part of the map is on the screen. World units are those of the map picture, screen units are CSS pixels. */
export class Camera {
  x = 0;
  y = 0;
  zoom = 1;
  width = 1;
  height = 1;

  constructor(private readonly world: Bounds) {}

  resize(width: number, height: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.clamp();
  }

  get fitZoom(): number {
    return Math.min(this.width / this.world.width, this.height / this.world.height);
  }

  /** Between the whole map and counters as large as a hand. */
  private get range(): [number, number] {
    const least = Math.min(1, this.fitZoom);
    return [least, Math.max(least * 2, 4)];
  }

  toWorld(sx: number, sy: number): Point {
    return { x: this.x + sx / this.zoom, y: this.y + sy / this.zoom };
  }

  toScreen(x: number, y: number): Point {
    return { x: (x - this.x) * this.zoom, y: (y - this.y) * this.zoom };
  }

  pan(dx: number, dy: number): void {
    this.x -= dx / this.zoom;
    this.y -= dy / this.zoom;
    this.clamp();
  }

  zoomAt(factor: number, sx: number, sy: number): void {
    const [least, most] = this.range;
    const fixed = this.toWorld(sx, sy);
    this.zoom = Math.min(most, Math.max(least, this.zoom * factor));
    this.x = fixed.x - sx / this.zoom;
    this.y = fixed.y - sy / this.zoom;
    this.clamp();
  }

  centre(p: Point): void {
    this.x = p.x - this.width / this.zoom / 2;
    this.y = p.y - this.height / this.zoom / 2;
    this.clamp();
  }

  fit(area: Bounds = this.world, most = Infinity): void {
    const [least, limit] = this.range;
    const zoom = Math.min(this.width / area.width, this.height / area.height, most, limit);
    this.zoom = Math.max(least, zoom);
    this.centre({ x: area.x + area.width / 2, y: area.y + area.height / 2 });
  }

  /** True when a point is well inside the screen. */
  shows(p: Point, margin: number): boolean {
    const s = this.toScreen(p.x, p.y);
    return s.x >= margin && s.y >= margin && s.x <= this.width - margin && s.y <= this.height - margin;
  }

  visible(): Bounds {
    return { x: this.x, y: this.y, width: this.width / this.zoom, height: this.height / this.zoom };
  }

  private clamp(): void {
    this.x = clampAxis(this.x, this.width / this.zoom, this.world.x, this.world.width);
    this.y = clampAxis(this.y, this.height / this.zoom, this.world.y, this.world.height);
  }
}

/** A map smaller than the screen is centred; a larger one may be pulled in by an eighth of the screen, no further. */
function clampAxis(at: number, seen: number, from: number, size: number): number {
  const slack = seen / 8;
  if (size <= seen) return from + (size - seen) / 2;
  return Math.min(from + size - seen + slack, Math.max(from - slack, at));
}
