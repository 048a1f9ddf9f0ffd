import { useContext, useEffect, useRef } from "preact/hooks";
import { overlayColour, overlayHatch, overlaysOn } from "../stage";
import type { Overlay } from "../wire";
import { Game } from "./context";
import { EyesChoice } from "./eyes";
import { Icon } from "./icon";
import { capital, Case } from "./text";

export function OverlaysCard() {
  const { table, open } = useContext(Game);
  const ref = useRef<HTMLElement>(null);
  useEffect(() => ref.current?.querySelector("input")?.focus(), []);
  const flip = (name: string): void => {
    const on = new Set(overlaysOn.value);
    if (!on.delete(name)) on.add(name);
    overlaysOn.value = on;
  };
  return (
    <section ref={ref} class="overlays card" aria-label="Overlays">
      <header>
        <h2>Overlays</h2>
        <button type="button" class="icon" aria-label="Close" onClick={() => (open.value = null)}>
          <Icon name="close" />
        </button>
      </header>
      {table.overlays.value.map((overlay) => (
        <label key={overlay.name} class="row">
          <input type="checkbox" checked={overlaysOn.value.has(overlay.name)} onChange={() => flip(overlay.name)} />
          <Swatch overlay={overlay} />
          <span>
            {overlay.side && <span class={`side ${overlay.side}`}>{table.sideName(overlay.side)}</span>} {overlay.side ? overlay.title : capital(overlay.title)}
          </span> <Case number={overlay.case} />
        </label>
      ))}
      <EyesChoice onChange={(eyes) => table.look(eyes)} />
      {!table.overlays.value.length && <p class="quiet">This rulebook has none here.</p>}
    </section>
  );
}

/** The hatching is the legend: it tells the sides apart without colour. */
function Swatch({ overlay }: { overlay: Overlay }) {
  const colour = overlayColour(overlay);
  const hatch = overlayHatch(overlay);
  const lines = [0, 5, 10, 15, 20];
  return (
    <svg class="swatch" viewBox="0 0 20 14" aria-hidden="true">
      <rect width="20" height="14" fill={hatch === "none" ? colour : "#f7f2e2"} fill-opacity={hatch === "none" ? 0.4 : 1} />
      {hatch === "rising" && lines.map((x) => <path key={x} d={`M${x - 7} 14L${x + 7} 0`} stroke={colour} stroke-width="2" />)}
      {hatch === "falling" && lines.map((x) => <path key={x} d={`M${x - 7} 0L${x + 7} 14`} stroke={colour} stroke-width="2" />)}
      {hatch === "dots" && [4, 10, 16].map((x) => <circle key={x} cx={x} cy="7" r="2" fill={colour} />)}
    </svg>
  );
}
