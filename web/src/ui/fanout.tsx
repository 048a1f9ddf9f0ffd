import { signal, useSignal, useSignalEffect } from "@preact/signals";
import { useContext } from "preact/hooks";
import { Game } from "./context";
import { CounterPicture } from "./counter";
import { capital } from "./text";

/** A hex with a counter that can be read, in pixels across. */
export const READABLE = 58;

/** Grows whenever the map moves or is scaled. */
export const cameraTurn = signal(0);

/** The pointer rests this long before a stack fans out. */
const REST = 220;
const SIZE = 62;

/** The stack under the pointer, spread out beside it: every counter, and the hex beneath. */
export function FanOut() {
  const { hand, table, board } = useContext(Game);
  const shown = useSignal<string | null>(null);
  useSignalEffect(() => {
    const hex = hand.pointed.value;
    // Never over what the hand could reach or strike.
    const inHand = hand.unit.value || hand.target.value || hand.underWay.value || hand.muster.isOpen.value || hand.menu.value;
    void cameraTurn.value;
    shown.value = null;
    if (!hex || inHand) return;
    const timer = window.setTimeout(() => (shown.value = hex), REST);
    return () => clearTimeout(timer);
  });
  const hex = shown.value;
  const cell = hex ? table.geometry.value?.byLabel.get(hex) : undefined;
  const pieces = hex ? table.pieces.value.get(hex) : undefined;
  const camera = board.value?.camera;
  if (!cell || !camera || !pieces?.length || table.handOver.value) return null;
  // A single counter that can be read needs no larger picture.
  if (pieces.length === 1 && camera.zoom * board.value!.geometry.across >= READABLE) return null;
  const at = camera.toScreen(cell.x, cell.y);
  const half = ((board.value?.geometry.across ?? 0) * camera.zoom) / 2;
  // Beside the hex, on the side with more room, so that the hex itself stays in sight.
  const right = at.x < camera.width / 2;
  const low = at.y > camera.height / 2;
  return (
    <div
      class="fan card"
      aria-hidden="true"
      style={{
        left: right ? `${at.x + half + 6}px` : "auto",
        right: right ? "auto" : `${camera.width - at.x + half + 6}px`,
        top: low ? "auto" : `${Math.max(4, at.y - half)}px`,
        bottom: low ? `${Math.max(4, camera.height - at.y - half)}px` : "auto",
      }}
    >
      <p>
        <b>{cell.label}</b> {cell.names.join(", ")} <small>{capital(cell.terrain)}</small>
      </p>
      <ul>
        {pieces.map((piece, i) => (
          <li key={i}>
            <CounterPicture look={table.looks.value.of(piece)} size={SIZE} />
            <small>{piece.front ? table.looks.value.title(piece.front.unit) : "not seen"}</small>
          </li>
        ))}
      </ul>
    </div>
  );
}
