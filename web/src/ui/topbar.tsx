import { useContext, useEffect, useRef } from "preact/hooks";
import { Game, type GamePage } from "./context";
import { Icon } from "./icon";
import { ScoreShort } from "./scenario";
import { PresenceShort } from "./talk";
import { TRACK } from "./tray";

export function TopBar() {
  const game = useContext(Game);
  const { table, open } = game;
  const view = table.view.value;
  const info = table.info.value;
  return (
    <header class="top">
      <a class="home" href="#/" aria-label="Grognard: to the lobby">
        <img src="/icon.svg" alt="" width="28" height="28" />
      </a>
      <h1>
        <button type="button" class="title" title="What this game is about" onClick={() => toggle(game, "about")}>
          {info?.scenario_title ?? "Grognard"}
        </button>
      </h1>
      {view && (
        <button
          type="button"
          class="turn"
          title="The turn track: what happens when (B)"
          aria-expanded={game.box.value === TRACK}
          onClick={() => toggleTrack(game)}
        >
          <span class="word">Turn </span>
          <b>{view.turn}</b>/{view.turns}
        </button>
      )}
      <ScoreShort />
      <PresenceShort />
      <nav class="tools" aria-label="Tools">
        <Step game={game} which="undo" label="Undo" />
        <Step game={game} which="redo" label="Redo" />
        <button type="button" aria-pressed={open.value === "overlays"} aria-label="Overlays" onClick={() => toggle(game, "overlays")} title="Overlays (O)">
          <Icon name="overlays" /> <span class="word">Overlays</span>
        </button>
        <button type="button" aria-pressed={table.moment.value !== null} aria-label="Replay" onClick={() => toggleReplay(game)} title="Replay (R)">
          <Icon name="replay" /> <span class="word">Replay</span>
        </button>
        <button type="button" aria-label="Find" onClick={() => toggle(game, "find")} title="Find (F)">
          <Icon name="find" /> <span class="word">Find</span>
        </button>
        <button type="button" aria-label="Share" onClick={() => toggle(game, "share")} title="Links and files">
          <Icon name="share" /> <span class="word">Share</span>
        </button>
        {Boolean(table.update.value?.unasked.length) && (
          <button type="button" class="icon" aria-label="Concede or offer a draw" title="What you may do without being asked" onClick={() => toggle(game, "unasked")}>
            <Icon name="flag" />
          </button>
        )}
        <button type="button" class="icon" aria-label="Settings" onClick={() => toggle(game, "settings")}>
          <Icon name="settings" />
        </button>
        <button type="button" class="icon" aria-label="Help" onClick={() => toggle(game, "help")}>
          <Icon name="help" />
        </button>
      </nav>
    </header>
  );
}

export function toggle(game: GamePage, what: NonNullable<GamePage["open"]["value"]>): void {
  game.open.value = game.open.value === what ? null : what;
}

/** Opens or closes the turn track. */
export function toggleTrack({ box }: GamePage): void {
  box.value = box.value === TRACK ? null : TRACK;
}

export function toggleReplay({ table }: GamePage): void {
  if (table.moment.value) return table.leaveReplay();
  const at = table.update.value?.at ?? 0;
  void table.loadMarks();
  void table.scrub(at);
}

function Step({ game, which, label }: { game: GamePage; which: "undo" | "redo"; label: string }) {
  const { table } = game;
  const possible = table.update.value?.[which];
  const can = Boolean(possible?.can) && !table.moment.value && !table.handOver.value;
  const why = possible ? `${label}: ${possible.why}` : label;
  return (
    <button
      type="button"
      class="step"
      aria-label={label}
      // Not disabled: who cannot undo shall be able to hear why.
      aria-disabled={!can}
      title={why}
      onClick={() => {
        if (can) void table[which]();
        else if (possible && !table.moment.value) table.refuse(possible.why);
      }}
    >
      <Icon name={which} /> <span class="word">{label}</span>
    </button>
  );
}

/** The whole sequence of play, and where we are in it. */
export function PhaseTrack() {
  const { table } = useContext(Game);
  const ref = useRef<HTMLLIElement>(null);
  const phases = table.sequence.value?.phases ?? [];
  const now = table.sequence.value?.phase;
  useEffect(() => {
    const chip = ref.current;
    const track = chip?.parentElement;
    if (chip && track) track.scrollLeft = chip.offsetLeft - (track.clientWidth - chip.clientWidth) / 2;
  }, [now]);
  return (
    <nav class="sequence" aria-label="Sequence of play">
      <ol class="phases">
        {phases.map((phase, i) => (
          <li
            key={i}
            ref={i === now ? ref : null}
            class={`phase ${phase.side ?? "both"}`}
            aria-current={i === now ? "step" : undefined}
            title={`${phase.side ? `${table.sideName(phase.side)}: ` : ""}${phase.name} (${phase.case})`}
          >
            <span>{phase.name}</span>
          </li>
        ))}
      </ol>
    </nav>
  );
}
