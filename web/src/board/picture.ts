/** The map picture: an SVG, drawn to bitmaps at a few scales so that a frame only copies pixels. */

import type { Bounds } from "./camera";

/** More pixels than this cost more memory than they are worth. */
const MOST_PIXELS = 24_000_000;

export class Picture {
  private readonly levels = new Map<number, HTMLCanvasElement>();
  private readonly wanted: number[] = [];

  private constructor(
    private readonly image: HTMLImageElement,
    readonly bounds: Bounds,
    private readonly shade: string | null,
    private readonly ready: () => void,
  ) {}

  /** `part` is what of the picture belongs to the map; legends below it are left out. */
  static async load(url: string, part: Bounds, shade: string | null, ready: () => void): Promise<Picture> {
    const image = new Image();
    image.src = url;
    await image.decode();
    return new Picture(image, part, shade, ready);
  }

  /** Another shade of the same picture, for dark rooms. */
  shaded(shade: string | null): Picture {
    return new Picture(this.image, this.bounds, shade, this.ready);
  }

  /** The best bitmap there is for a scale; a better one is made when there is time. */
  at(scale: number): { bitmap: HTMLCanvasElement; scale: number } {
    const fit = this.fitting(scale);
    const exact = this.levels.get(fit);
    if (exact) return { bitmap: exact, scale: fit };
    const nearest = [...this.levels.keys()].sort((a, b) => Math.abs(a - fit) - Math.abs(b - fit))[0];
    if (nearest === undefined) return { bitmap: this.make(fit), scale: fit };
    this.later(fit);
    return { bitmap: this.levels.get(nearest)!, scale: nearest };
  }

  private fitting(scale: number): number {
    const most = Math.sqrt(MOST_PIXELS / (this.bounds.width * this.bounds.height));
    return Math.min(most, [0.25, 0.5, 1, 2, 4].find((level) => level >= scale * 0.8) ?? 4);
  }

  private later(scale: number): void {
    if (this.wanted.includes(scale)) return;
    this.wanted.push(scale);
    const idle = window.requestIdleCallback ?? ((run: () => void) => window.setTimeout(run, 60));
    idle(() => {
      this.make(scale);
      this.ready();
    });
  }

  private make(scale: number): HTMLCanvasElement {
    const { x, y, width, height } = this.bounds;
    const bitmap = document.createElement("canvas");
    bitmap.width = Math.round(width * scale);
    bitmap.height = Math.round(height * scale);
    const ctx = bitmap.getContext("2d", { alpha: false });
    if (ctx) {
      ctx.setTransform(scale, 0, 0, scale, -x * scale, -y * scale);
      ctx.drawImage(this.image, 0, 0);
      if (this.shade) {
        ctx.globalCompositeOperation = "multiply";
        ctx.fillStyle = this.shade;
        ctx.fillRect(x, y, width, height);
      }
    }
    this.levels.set(scale, bitmap);
    return bitmap;
  }
}
