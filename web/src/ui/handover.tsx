import { useContext, useEffect, useRef } from "preact/hooks";
import { Game } from "./context";

/** Both sides at one screen: nothing of the other side's view is seen until the player has changed places. */
export function HandOver() {
  const { table } = useContext(Game);
  const side = table.handOver.value;
  const ref = useRef<HTMLButtonElement>(null);
  useEffect(() => ref.current?.focus(), [side]);
  if (!side) return null;
  const name = table.sideName(side);
  const watch = async (): Promise<void> => {
    await table.takeScreen();
    await table.watchFrom(table.newsFrom.value);
  };
  return (
    <section class="handover" role="dialog" aria-modal="true" aria-label="Hand over">
      <div class="card">
        <h2>
          <span class={`side ${side}`}>{name}</span> decides
        </h2>
        <p>Hand the screen to the {name} player. The board stays covered until then.</p>
        <div class="row-buttons">
          <button ref={ref} type="button" class="main" onClick={() => void table.takeScreen()}>
            I am the {name} player
          </button>
          <button type="button" onClick={() => void watch()}>
            Show me first what happened
          </button>
          {table.seat.value?.eyes.includes("all") && (
            <button type="button" onClick={() => void table.playOpen()}>
              I play both sides: show everything
            </button>
          )}
        </div>
      </div>
    </section>
  );
}
