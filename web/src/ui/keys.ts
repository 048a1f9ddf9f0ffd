/** The keyboard: everything that a mouse can do. The help card lists it. */

import type { GamePage, Tab } from "./context";
import { buttonsOf, chooseButton } from "./prompt";
import { toggle, toggleReplay, toggleTrack } from "./topbar";
import { showMinimap } from "../settings";

const TABS: Readonly<Record<string, Tab>> = { l: "log", u: "units", t: "tables", c: "cases", p: "play", k: "talk" };
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
const PAN: Readonly<Record<string, readonly [number, number]>> = { a: [80, 0], d: [-80, 0], w: [0, 80], s: [0, -80] };

export function keyboard(game: GamePage): () => void {
  const gone = new AbortController();
  const { signal } = gone;
  window.addEventListener("keydown", (event) => press(game, event), { signal });
  window.addEventListener(
    "keyup",
    (event) => {
      if (event.key.toLowerCase() === "h") game.board.value?.hideCounters(false);
    },
    { signal },
  );
  return () => gone.abort();
}

function press(game: GamePage, event: KeyboardEvent): void {
  if (event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target as HTMLElement;
  const onBoard = target.id === "board";
  const field = target.matches("input:not([type=checkbox]):not([type=radio]):not([type=range]), select, textarea");
  if (field) return;
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() === "z") run(event, () => void (event.shiftKey ? game.table.redo() : game.table.undo()));
    if (event.key.toLowerCase() === "y") run(event, () => void game.table.redo());
    return;
  }
  const arrow = ARROWS[event.key];
  if (game.table.moment.value && replayKey(game, event)) return;
  if (arrow && (onBoard || target === document.body)) return run(event, () => cursor(game, arrow));
  // Buttons and links keep Enter and Space for themselves.
  if ((event.key === "Enter" || event.key === " ") && !onBoard && target !== document.body) return;
  const action = keyAction(game, event);
  if (action) run(event, action);
}

function run(event: KeyboardEvent, action: () => void): void {
  event.preventDefault();
  action();
}

function cursor(game: GamePage, [dx, dy]: readonly [number, number]): void {
  document.getElementById("board")?.focus();
  game.board.value?.moveCursor(dx, dy);
}

function replayKey(game: GamePage, event: KeyboardEvent): boolean {
  const { table } = game;
  const at = table.moment.value?.at ?? 0;
  const last = table.update.value?.at ?? 0;
  const to: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageUp: at - 10,
    PageDown: at + 10,
    Home: 0,
    End: last,
  };
  const wish = to[event.key];
  if (wish === undefined) return false;
  run(event, () => {
    table.playing.value = false;
    void table.scrub(Math.max(0, Math.min(last, wish)));
  });
  return true;
}

function keyAction(game: GamePage, event: KeyboardEvent): (() => void) | null {
  const { table, board } = game;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const pan = PAN[key];
  if (pan) return () => board.value?.pan(pan[0], pan[1]);
  if (TABS[key])
    return () => {
      game.tab.value = TABS[key]!;
      game.folded.value = false;
    };
  if (/^[1-9]$/.test(key)) return () => nth(game, Number(key) - 1);
  switch (key) {
    case "Enter":
      return () => enter(game, event.shiftKey);
    case "Escape":
      return () => escape(game);
    case " ":
    case "n":
      return () => next(game, event.shiftKey ? -1 : 1);
    case "g":
      return () => nextDestination(game, event.shiftKey ? -1 : 1);
    case "x":
      return () => game.hand.unit.value && game.hand.setAside(game.hand.unit.value);
    case "j":
      return () => void game.hand.muster.all();
    case "e":
      return () => void game.hand.finish();
    case "z":
      return () => void table.undo();
    case "y":
      return () => void table.redo();
    case "/":
      return () => typeAction(game);
    case "f":
      return () => toggle(game, "find");
    case "b":
      return () => toggleTrack(game);
    case "o":
      return () => toggle(game, "overlays");
    case "r":
      return () => toggleReplay(game);
    case "h":
      return () => board.value?.hideCounters(true);
    case "m":
      return () => {
        showMinimap.value = !showMinimap.value;
      };
    case "b":
      return () => {
        document.getElementById("board")?.focus();
        if (board.value && !board.value.cursor) board.value.moveCursor(0, 0);
      };
    case "?":
      return () => toggle(game, "help");
    case "+":
    case "=":
      return () => board.value?.zoom(1.3);
    case "-":
      return () => board.value?.zoom(1 / 1.3);
    case "0":
      return () => board.value?.fit();
    default:
      return null;
  }
}

/** At once: the letters that follow belong into the field, not to the board. */
function typeAction(game: GamePage): void {
  game.typing.value = true;
  const form = document.querySelector<HTMLFormElement>(".typed");
  if (!form) return;
  form.hidden = false;
  form.querySelector("input")?.focus();
}

function nth(game: GamePage, i: number): void {
  if (game.table.moment.value) return;
  const choice = buttonsOf(game)[i];
  if (!choice) return;
  if (choice.form.role === "end-phase" && !game.hand.ending.value) void game.hand.finish();
  else void chooseButton(game, choice);
}


function enter(game: GamePage, inspectOnly: boolean): void {
  const cell = game.board.value?.cursor;
  if (!cell) return;
  game.reel.skip();
  if (!inspectOnly) return void game.hand.pick(cell.label, true);
  game.hand.inspected.value = cell.label;
  game.tab.value = "play";
}

function escape(game: GamePage): void {
  const { hand, table } = game;
  if (game.open.value) game.open.value = null;
  else if (game.reel.isOn) game.reel.skip();
  else if (game.typing.value) game.typing.value = false;
  else if (table.moment.value) table.leaveReplay();
  else hand.clear();
  // The card of what lies under the pointer goes, too.
  hand.pointed.value = null;
}

/** The next hex that the picked unit could go to or attack. */
function nextDestination({ hand, table, board }: GamePage, step: 1 | -1): void {
  const hexes = [...hand.destinations.value.keys()];
  if (!hexes.length) return;
  const at = board.value?.cursor ? hexes.indexOf(board.value.cursor.label) : -1;
  const cell = table.geometry.value?.byLabel.get(hexes[(at + step + hexes.length) % hexes.length] ?? "");
  document.getElementById("board")?.focus();
  if (cell) board.value?.setCursor(cell);
}

/** The next stack that can act: its first unit is picked, nothing is done yet. */
function next(game: GamePage, step: 1 | -1): void {
  const { hand, table, board } = game;
  game.reel.skip();
  const hex = hand.nextReady(step);
  const cell = hex ? table.geometry.value?.byLabel.get(hex) : undefined;
  if (!hex || !cell) return;
  document.getElementById("board")?.focus();
  board.value?.setCursor(cell);
  const unit = hand.unitsIn(hex).find((one) => hand.base.value.ofUnit(one).length);
  if (unit) void hand.pickUnit(unit);
}
