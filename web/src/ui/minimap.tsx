import { useSignalEffect } from "@preact/signals";
import { useContext, useEffect, useRef } from "preact/hooks";
import { dark } from "../settings";
import { SIDE_COLOUR } from "../stage";
import type { Side } from "../wire";
import { Game } from "./context";

const EDGE = 150;

/** The whole map, a dot for each stack, and the part that is on the screen. */
export function Minimap({ onMoved }: { onMoved: { current: (() => void) | null } }) {
  const { table, board } = useContext(Game);
  const ref = useRef<HTMLCanvasElement>(null);
  const { width, height } = table.mapSize;
  const scale = EDGE / Math.max(width, height);

  const draw = (): void => {
    const canvas = ref.current;
    const ctx = canvas?.getContext("2d");
    const geometry = table.geometry.value;
    const camera = board.value?.camera;
    if (!canvas || !ctx || !geometry || !camera) return;
    const seen = camera.visible();
    canvas.hidden = seen.width >= width && seen.height >= height;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    const [w, h] = [Math.round(width * scale * ratio), Math.round(height * scale * ratio)];
    if (canvas.width !== w || canvas.height !== h) {
      canvas.width = w;
      canvas.height = h;
      canvas.style.width = `${w / ratio}px`;
      canvas.style.height = `${h / ratio}px`;
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = dark.value ? "#3a3d38" : "#e9e1ca";
    ctx.fillRect(0, 0, w, h);
    ctx.setTransform(scale * ratio, 0, 0, scale * ratio, 0, 0);
    const a = geometry.across;
    for (const cell of geometry.cells) {
      const colour = (dark.value ? GROUND_AT_NIGHT : GROUND)[cell.terrain];
      if (!colour) continue;
      ctx.fillStyle = colour;
      ctx.fillRect(cell.x - a / 2, cell.y - a / 2, a * 1.02, a * 1.02);
    }
    for (const { hex, pieces } of table.view.value?.stacks ?? []) {
      const cell = geometry.byLabel.get(hex);
      const side = pieces[0]?.side;
      if (!cell || !side) continue;
      ctx.fillStyle = dark.value ? SIDE_AT_NIGHT[side] : SIDE_COLOUR[side];
      const d = a * 0.95;
      // Squares and discs, so that the sides differ without colour.
      if (side === "axis") ctx.fillRect(cell.x - d / 2, cell.y - d / 2, d, d);
      else {
        ctx.beginPath();
        ctx.arc(cell.x, cell.y, d / 2, 0, Math.PI * 2);
        ctx.fill();
      }
    }
    ctx.strokeStyle = dark.value ? "#fff" : "#000";
    ctx.lineWidth = 2 / scale;
    ctx.strokeRect(seen.x, seen.y, seen.width, seen.height);
  };

  useEffect(() => {
    onMoved.current = draw;
    return () => {
      onMoved.current = null;
    };
  });
  useSignalEffect(() => {
    void [table.view.value, table.geometry.value, board.value, dark.value];
    draw();
  });

  const jump = (event: PointerEvent): void => {
    if (!event.buttons && event.type !== "pointerdown") return;
    board.value?.jump({ x: event.offsetX / scale, y: event.offsetY / scale });
  };
  return <canvas ref={ref} class="minimap" aria-hidden="true" onPointerDown={jump} onPointerMove={jump} />;
}

const GROUND: Readonly<Record<string, string>> = {
  sea: "#a9cbdc",
  lake: "#a9cbdc",
  forest: "#c6d5a3",
  woods: "#c6d5a3",
  marsh: "#c2dacb",
  swamp: "#c2dacb",
};

const GROUND_AT_NIGHT: Readonly<Record<string, string>> = {
  sea: "#24404e",
  lake: "#24404e",
  forest: "#46512f",
  woods: "#46512f",
  marsh: "#3c4f45",
  swamp: "#3c4f45",
};

const SIDE_AT_NIGHT: Readonly<Record<Side, string>> = { axis: "#9fb6c6", soviet: "#f06a78" };
