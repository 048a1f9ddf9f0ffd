import { useLayoutEffect, useRef } from "preact/hooks";
import { drawCounter, lookKey, type Look } from "../board/counter";

/** A counter as a picture of its own, outside the board. The text beside it says the same to those who do not see it. */
export function CounterPicture({ look, size = 44 }: { look: Look; size?: number }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const key = lookKey(look);
  useLayoutEffect(() => {
    const canvas = ref.current;
    const ctx = canvas?.getContext("2d");
    if (!canvas || !ctx) return;
    const pixels = Math.round(size * Math.min(3, window.devicePixelRatio || 1));
    canvas.width = canvas.height = pixels;
    canvas.style.width = canvas.style.height = `${size}px`;
    drawCounter(ctx, look, pixels);
  }, [key, size]);
  return <canvas ref={ref} class="counter" aria-hidden="true" />;
}
