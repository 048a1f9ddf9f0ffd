import { effect, useSignalEffect } from "@preact/signals";
import { useContext, useEffect, useRef } from "preact/hooks";
import { Board } from "../board/board";
import { Picture } from "../board/picture";
import { dark, showMinimap } from "../settings";
import { Motion } from "../motion";
import { stage, trail } from "../stage";
import { Game, type GamePage } from "./context";
import { cameraTurn, READABLE } from "./fanout";
import { Icon } from "./icon";
import { Minimap } from "./minimap";
import { boxAt } from "./tray";

const PAPER = { light: "#e6dcc2", dark: "#1c2024" };
/** The map is printed for daylight; at night it is multiplied by this. */
const NIGHT = "#8d93a0";

/** The board's canvas, kept in step with the table. */
export function BoardView() {
  const game = useContext(Game);
  const { table, hand } = game;
  const ref = useRef<HTMLCanvasElement>(null);
  const moved = useRef<(() => void) | null>(null);

  useEffect(() => {
    const canvas = ref.current;
    const geometry = table.geometry.value;
    const svg = table.info.value?.map.svg;
    if (!canvas || !geometry || !svg) return;
    let gone = false;
    let stop = (): void => undefined;
    const failed = (): void => {
      table.refuse("the map could not be drawn: load the page again");
    };
    void Picture.load(svg, table.mapSize, dark.peek() ? NIGHT : null, () => game.board.value?.redraw()).then((picture) => {
      if (gone) return;
      const board = new Board(canvas, geometry, picture, dark.peek() ? PAPER.dark : PAPER.light, {
        picked: (cell, how) => {
          if (how === "adding" && cell) void hand.group.toggle(cell.label);
          else pick(game, cell?.label ?? null, how === "secondary");
        },
        dropped: (from, to) => void hand.drop(from.label, to.label),
        lifted: (from) => hand.lift(from.label),
        left: (at) => {
          const box = boxAt(at);
          if (box) void hand.putInto(box);
        },
        pointed: (cell) => hand.point(cell?.label ?? null),
        moved: () => {
          // What was shown beside a hex would float elsewhere.
          cameraTurn.value++;
          moved.current?.();
        },
      });
      firstSight(game, board);
      game.board.value = board;
      const motion = new Motion(table);
      const scene = stage(table, hand, motion, game.reel);
      const stopScene = effect(() => board.setScene(scene.value));
      let shown = dark.peek();
      const stopDark = effect(() => {
        if (dark.value === shown) return;
        shown = dark.value;
        board.setPicture(picture.shaded(shown ? NIGHT : null), shown ? PAPER.dark : PAPER.light);
      });
      stop = () => {
        stopScene();
        motion.destroy();
        stopDark();
        board.destroy();
        game.board.value = null;
      };
      requestAnimationFrame(() => requestAnimationFrame(() => performance.mark("board-shown")));
    }, failed);
    return () => {
      gone = true;
      stop();
    };
  }, [table.geometry.value, table.info.value?.map.svg]);

  useSignalEffect(() => {
    const board = game.board.value;
    if (board && table.update.value?.question.yours && !table.handOver.value && !game.reel.isOn) bringIntoSight(game, board);
  });
  useSignalEffect(() => {
    // A replay is followed where it goes.
    const entry = table.moment.value?.entry;
    const cell = entry && table.geometry.value?.byLabel.get(trail(entry).at(-1) ?? "");
    if (cell) game.board.value?.reveal(cell);
  });
  useSignalEffect(() => {
    if (table.handOver.value) hand.inspected.value = null;
  });

  return (
    <div class="board">
      <canvas
        ref={ref}
        id="board"
        tabIndex={0}
        role="application"
        aria-label="Map. Arrow keys move the cursor, Enter acts, question mark for help."
        aria-describedby="told"
      />
      {showMinimap.value && !table.handOver.value && <Minimap onMoved={moved} />}
      <div class="board-buttons" role="group" aria-label="Zoom">
        <button type="button" class="icon" aria-label="Zoom in" onClick={() => game.board.value?.zoom(1.4)}>
          <Icon name="plus" />
        </button>
        <button type="button" class="icon" aria-label="Zoom out" onClick={() => game.board.value?.zoom(1 / 1.4)}>
          <Icon name="minus" />
        </button>
        <button type="button" class="icon" aria-label="Whole map" onClick={() => game.board.value?.fit()}>
          <Icon name="whole" />
        </button>
      </div>
    </div>
  );
}

/** When there is something to decide and all of it lies outside the screen, the map moves there. */
function bringIntoSight({ table, hand }: GamePage, board: Board): void {
  const choices = table.choices.peek();
  const places = table.places.peek();
  const hexes = [...[...choices.units].flatMap((unit) => places.get(unit) ?? []), ...choices.hexesAlone];
  const cells = hexes.flatMap((hex) => board.geometry.byLabel.get(hex) ?? []);
  if (cells[0] && !hand.inspected.peek() && !cells.some((cell) => board.camera.shows(cell, 30))) board.reveal(cells[0], true);
}

function pick(game: GamePage, hex: string | null, inspectOnly: boolean): void {
  const { hand } = game;
  game.reel.skip();
  if (!hex) return void hand.clear();
  if (inspectOnly) {
    hand.inspected.value = hex;
    game.tab.value = "play";
    game.folded.value = false;
    return;
  }
  void hand.pick(hex);
}

/** Begins where there is something to do, not at the edge of an empty sea. */
function firstSight(game: GamePage, board: Board): void {
  const { table, hand } = game;
  const places = table.places.value;
  const ready = [...hand.ready.value].flatMap((unit) => places.get(unit) ?? []);
  const hexes = ready.length ? ready : (table.view.value?.stacks.map((stack) => stack.hex) ?? []);
  const cells = hexes.flatMap((hex) => board.geometry.byLabel.get(hex) ?? []);
  board.fit();
  if (!cells.length || board.camera.zoom * board.geometry.across >= READABLE) return;
  const margin = board.geometry.across * 2;
  const x = Math.min(...cells.map((c) => c.x)) - margin;
  const y = Math.min(...cells.map((c) => c.y)) - margin;
  const width = Math.max(...cells.map((c) => c.x)) + margin - x;
  const height = Math.max(...cells.map((c) => c.y)) + margin - y;
  board.fit({ x, y, width, height }, 1.6);
  // Counters that cannot be read are of no use: rather a part of the map, large enough.
  if (board.camera.zoom * board.geometry.across < READABLE) {
    const first = cells[Math.floor(cells.length / 2)]!;
    board.zoom(READABLE / (board.camera.zoom * board.geometry.across));
    board.reveal(first, true);
  }
}
