/** The board: a canvas, what lies on it, and what a hand can do to it. It knows cells and looks, and no game. */

import { Camera, type Bounds } from "./camera";
import type { Cell, Geometry, Point } from "./geometry";
import { Painter } from "./painter";
import type { Picture } from "./picture";
import { EMPTY_SCENE, type Scene, type StackShown } from "./scene";

export type Hand = "primary" | "secondary" | "adding";

export interface BoardListener {
  /** A cell was clicked, tapped or chosen with the keyboard. */
  picked(cell: Cell | null, hand: Hand): void;
  /** A counter was dragged from one cell to another. */
  dropped(from: Cell, to: Cell): void;
  /** A counter is being dragged off a cell. */
  lifted(from: Cell): void;
  /** It was let go outside the board, at this place in the window. */
  left(at: Point): void;
  /** The pointer or the cursor is now over this cell. */
  pointed(cell: Cell | null): void;
  /** What is on the screen has changed. */
  moved(camera: Camera): void;
}

/** A press that moves less than this is a click. */
const CLICK = 6;
const LONG_PRESS = 450;

interface Press {
  readonly id: number;
  readonly start: Point;
  last: Point;
  readonly stack: StackShown | undefined;
  readonly button: number;
  kind: "click" | "pan" | "drag" | "done";
  timer: number;
}

export class Board {
  readonly camera: Camera;
  private readonly painter: Painter;
  private scene: Scene = EMPTY_SCENE;
  private readonly stackAt = new Map<string, StackShown>();
  private readonly presses = new Map<number, Press>();
  private pinch = 0;
  private hover: Cell | null = null;
  private cursorCell: Cell | null = null;
  private keep: Point = { x: 0, y: 0 };
  private dragAt: Point | null = null;
  private hidden = false;
  private corner: Point | null = null;
  private frame = 0;
  private readonly gone = new AbortController();
  private readonly observer: ResizeObserver;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    readonly geometry: Geometry,
    private picture: Picture,
    private paper: string,
    private readonly listener: BoardListener,
  ) {
    this.camera = new Camera(picture.bounds);
    this.painter = new Painter(canvas.getContext("2d", { alpha: false })!, geometry);
    this.painter.prepare(this.scene);
    this.observer = new ResizeObserver(() => this.resized());
    this.observer.observe(canvas);
    this.resized();
    this.listen();
  }

  destroy(): void {
    this.gone.abort();
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }

  setScene(scene: Scene): void {
    this.scene = scene;
    this.stackAt.clear();
    for (const stack of scene.stacks) this.stackAt.set(stack.cell.label, stack);
    this.painter.prepare(scene);
    this.canvas.dataset["travelling"] = String(scene.travels.length);
    this.redraw();
  }

  setPicture(picture: Picture, paper: string): void {
    this.picture = picture;
    this.paper = paper;
    this.redraw();
  }

  hideCounters(hidden: boolean): void {
    if (this.hidden === hidden) return;
    this.hidden = hidden;
    this.redraw();
  }

  get cursor(): Cell | null {
    return this.cursorCell;
  }

  setCursor(cell: Cell | null): void {
    this.cursorCell = cell;
    if (cell) {
      this.keep = cell;
      this.reveal(cell);
      this.listener.pointed(cell);
    }
    this.redraw();
  }

  moveCursor(dx: number, dy: number): void {
    const from = this.cursorCell;
    if (!from) return this.setCursor(this.nearestToCentre());
    const to = this.geometry.towards(from, dx, dy, this.keep);
    if (!to) return;
    const keep = { x: dx ? to.x : this.keep.x, y: dy ? to.y : this.keep.y };
    this.setCursor(to);
    this.keep = keep;
  }

  /** Brings a cell into sight, no more than needed. */
  reveal(cell: Point, centre = false): void {
    if (centre || !this.camera.shows(cell, Math.min(90, this.camera.width / 5))) {
      this.camera.centre(cell);
      this.changed();
    }
  }

  fit(area?: Bounds, most?: number): void {
    this.camera.fit(area, most);
    this.changed();
  }

  zoom(factor: number): void {
    this.camera.zoomAt(factor, this.camera.width / 2, this.camera.height / 2);
    this.changed();
  }

  pan(dx: number, dy: number): void {
    this.camera.pan(dx, dy);
    this.changed();
  }

  jump(p: Point): void {
    this.camera.centre(p);
    this.changed();
  }

  redraw(): void {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
      if (this.scene.travels.length) this.redraw();
    });
  }

  private draw(): void {
    const drag = [...this.presses.values()].find((press) => press.kind === "drag");
    const dragging = drag?.stack && this.dragAt ? { stack: drag.stack, at: this.dragAt } : null;
    this.painter.draw(this.picture, this.camera, this.ratio, {
      hover: this.hover,
      cursor: document.activeElement === this.canvas ? this.cursorCell : null,
      dragging,
      hideCounters: this.hidden,
      paper: this.paper,
    });
  }

  private get ratio(): number {
    return Math.min(2, window.devicePixelRatio || 1);
  }

  private resized(): void {
    const { clientWidth, clientHeight } = this.canvas;
    this.canvas.width = Math.max(1, Math.round(clientWidth * this.ratio));
    this.canvas.height = Math.max(1, Math.round(clientHeight * this.ratio));
    this.camera.resize(clientWidth, clientHeight);
    this.stayPut();
    // At once, or the emptied canvas would flash.
    this.draw();
    this.tellMoved();
  }

  /** When a line comes or goes above the board, the map stays where it was on the screen. */
  private stayPut(): void {
    const { left, top } = this.canvas.getBoundingClientRect();
    if (this.corner) this.camera.pan(this.corner.x - left, this.corner.y - top);
    this.corner = { x: left, y: top };
  }

  private changed(): void {
    this.tellMoved();
    this.redraw();
  }

  /** The element says where it looks, for whoever must find a hex on the screen: tests, and tools for other hands. */
  private tellMoved(): void {
    const { x, y, zoom } = this.camera;
    this.canvas.dataset["camera"] = `${x} ${y} ${zoom}`;
    this.listener.moved(this.camera);
  }

  /** The cell at a place in the window, if the board lies there. */
  cellAt({ x, y }: Point): Cell | null {
    if (document.elementFromPoint(x, y) !== this.canvas) return null;
    const { left, top } = this.canvas.getBoundingClientRect();
    return this.at({ offsetX: x - left, offsetY: y - top });
  }

  private nearestToCentre(): Cell | null {
    const { x, y, width, height } = this.camera.visible();
    return this.geometry.at(x + width / 2, y + height / 2) ?? this.geometry.cells[0] ?? null;
  }

  private at(event: { offsetX: number; offsetY: number }): Cell | null {
    const p = this.camera.toWorld(event.offsetX, event.offsetY);
    return this.geometry.at(p.x, p.y) ?? null;
  }

  private listen(): void {
    const { canvas } = this;
    const { signal } = this.gone;
    canvas.addEventListener("pointerdown", (e) => this.down(e), { signal });
    canvas.addEventListener("pointermove", (e) => this.move(e), { signal });
    canvas.addEventListener("pointerup", (e) => this.up(e), { signal });
    canvas.addEventListener("pointercancel", (e) => this.drop(e.pointerId), { signal });
    canvas.addEventListener("pointerleave", () => this.point(null), { signal });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault(), { signal });
    canvas.addEventListener("wheel", (e) => this.wheel(e), { signal, passive: false });
    canvas.addEventListener("focus", () => this.redraw(), { signal });
    canvas.addEventListener("blur", () => this.redraw(), { signal });
  }

  private down(event: PointerEvent): void {
    this.canvas.setPointerCapture(event.pointerId);
    const start = { x: event.offsetX, y: event.offsetY };
    const cell = this.at(event);
    const stack = cell ? this.stackAt.get(cell.label) : undefined;
    const press: Press = { id: event.pointerId, start, last: start, stack, button: event.button, kind: "click", timer: 0 };
    if (event.pointerType === "touch") {
      press.timer = window.setTimeout(() => {
        if (press.kind !== "click") return;
        press.kind = "done";
        this.listener.picked(cell, "secondary");
      }, LONG_PRESS);
    }
    this.presses.set(event.pointerId, press);
    if (this.presses.size === 2) {
      this.pinch = this.spread();
      for (const other of this.presses.values()) {
        other.kind = "pan";
        clearTimeout(other.timer);
      }
    }
  }

  private move(event: PointerEvent): void {
    const press = this.presses.get(event.pointerId);
    if (!press) return this.point(this.at(event));
    const now = { x: event.offsetX, y: event.offsetY };
    const before = press.last;
    press.last = now;
    if (this.presses.size === 2) return this.pinched(before, now);
    if (press.kind === "click" && Math.hypot(now.x - press.start.x, now.y - press.start.y) > CLICK) {
      const mayDrag = press.stack?.ready && press.button === 0 && event.pointerType !== "touch";
      press.kind = mayDrag ? "drag" : "pan";
      if (mayDrag && press.stack) this.listener.lifted(press.stack.cell);
      clearTimeout(press.timer);
    }
    if (press.kind === "pan") this.pan(now.x - before.x, now.y - before.y);
    if (press.kind === "drag") {
      this.dragAt = this.camera.toWorld(now.x, now.y);
      this.point(this.at(event));
      this.redraw();
    }
  }

  private pinched(before: Point, now: Point): void {
    const spread = this.spread();
    const [a, b] = [...this.presses.values()];
    if (!a || !b) return;
    this.camera.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    this.camera.zoomAt(spread / this.pinch, (a.last.x + b.last.x) / 2, (a.last.y + b.last.y) / 2);
    this.pinch = spread;
    this.changed();
  }

  private spread(): number {
    const [a, b] = [...this.presses.values()];
    return a && b ? Math.max(10, Math.hypot(a.last.x - b.last.x, a.last.y - b.last.y)) : 1;
  }

  private up(event: PointerEvent): void {
    const press = this.presses.get(event.pointerId);
    this.drop(event.pointerId);
    if (!press) return;
    const cell = this.at(event);
    if (press.kind === "click") {
      const hand = press.button === 2 ? "secondary" : event.shiftKey ? "adding" : "primary";
      if (press.button !== 1) this.listener.picked(cell, hand);
    } else if (press.kind === "drag" && document.elementFromPoint(event.clientX, event.clientY) !== this.canvas) {
      this.listener.left({ x: event.clientX, y: event.clientY });
    } else if (press.kind === "drag" && press.stack && cell && cell !== press.stack.cell) {
      this.listener.dropped(press.stack.cell, cell);
    }
  }

  private drop(id: number): void {
    const press = this.presses.get(id);
    if (press) clearTimeout(press.timer);
    this.presses.delete(id);
    this.dragAt = null;
    this.redraw();
  }

  private point(cell: Cell | null): void {
    if (cell === this.hover) return;
    this.hover = cell;
    this.listener.pointed(cell);
    this.redraw();
  }

  /** Wheel zooms; with Shift it pans. A trackpad's pinch arrives as a wheel with Ctrl. */
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? 33 : 1;
    if (event.shiftKey) return this.pan(-(event.deltaX || event.deltaY) * unit, 0);
    const speed = event.ctrlKey ? 0.01 : 0.0016;
    this.camera.zoomAt(Math.exp(-event.deltaY * unit * speed), event.offsetX, event.offsetY);
    this.changed();
  }
}
