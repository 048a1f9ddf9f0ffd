import { signal, useSignalEffect } from "@preact/signals";
import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import { Hand } from "../hand";
import { Reel } from "../reel";
import { ring } from "../bell";
import { gameHash } from "../seats";
import { isLow, room } from "../settings";
import { Table } from "../table";
import { BoardView } from "./board";
import { Game, type GamePage, type Open, type Tab } from "./context";
import { FallingDice } from "./dice";
import { FanOut } from "./fanout";
import { FindDialog } from "./find";
import { HandOver } from "./handover";
import { HelpDialog } from "./help";
import { Icon } from "./icon";
import { keyboard } from "./keys";
import { Told } from "./live";
import { SHARE_FIRST } from "./lobby";
import { LogPanel } from "./log";
import { OverlaysCard } from "./overlays";
import { PlayPanel } from "./play";
import { PromptBar } from "./prompt";
import { CasesPanel, TablesPanel } from "./reference";
import { ReasonsPanel } from "./reasons";
import { ReelCard } from "./reel";
import { ReplayBar } from "./replay";
import { ResultDialog } from "./result";
import { AboutDialog } from "./scenario";
import { SettingsDialog } from "./settings";
import { TalkPanel } from "./talk";
import { ShareDialog } from "./share";
import { Tray } from "./tray";
import { UnaskedDialog } from "./unasked";
import { PhaseTrack, TopBar } from "./topbar";
import { UnitsPanel } from "./units";

const TABS: readonly (readonly [Tab, string])[] = [
  ["play", "Hex"],
  ["log", "Log"],
  ["units", "Units"],
  ["tables", "Tables"],
  ["cases", "Rules"],
  ["talk", "Talk"],
  ["reasons", "Reasons"],
];

function makePage(secret: string): GamePage {
  const table = new Table(secret);
  const hand = new Hand(table);
  const page: GamePage = {
    table,
    hand,
    reel: new Reel(table),
    tab: signal<Tab>("play"),
    open: signal<Open>(null),
    typing: signal(false),
    openCase: signal<string | null>(null),
    board: signal(null),
    box: signal<string | null>(null),
    // Little height is for the map: the panel comes when it is wanted.
    folded: signal(room.value === "narrow" && isLow()),
    showCase(number) {
      page.openCase.value = number;
      page.tab.value = "cases";
      page.folded.value = false;
    },
    goTo(hex) {
      const cell = table.geometry.value?.byLabel.get(hex);
      if (!cell) return;
      hand.inspected.value = hex;
      page.board.value?.setCursor(cell);
      page.board.value?.reveal(cell, true);
    },
  };
  return page;
}

export function GameView({ secret, at }: { secret: string; at: number | null }) {
  const page = useMemo(() => makePage(secret), [secret]);
  const { table, hand } = page;
  const ended = useRef<boolean | null>(null);
  const wasYours = useRef(true);
  useEffect(() => {
    const stop = keyboard(page);
    if (sessionStorage.getItem(SHARE_FIRST) === secret) {
      sessionStorage.removeItem(SHARE_FIRST);
      page.open.value = "share";
    }
    return () => {
      stop();
      page.reel.destroy();
      hand.destroy();
      table.leave();
    };
  }, [page]);
  const known = table.info.value !== null;
  useEffect(() => {
    // From here on the address names the seat without its secret.
    const info = table.info.value;
    if (info) history.replaceState(null, "", gameHash(info.id, table.seat.value?.sides ?? [], at));
  }, [known, page]);
  useEffect(() => {
    if (at === null || !known) return;
    void table.loadMarks();
    void table.scrub(at);
  }, [at, known, page]);
  useSignalEffect(() => {
    const question = table.update.value?.question;
    const title = table.info.value?.scenario_title ?? "Grognard";
    const yours = Boolean(question?.yours && !question.over);
    document.title = yours ? `● ${title}` : title;
    if (yours && !wasYours.current) ring(title);
    wasYours.current = yours;
  });

  useSignalEffect(() => {
    // The end of a game is shown once, to whoever was there.
    const over = Boolean(table.update.value?.question.over);
    const was = ended.current;
    if (!table.update.value) return;
    // First what led to it.
    if (over && was === false && page.reel.isOn) return;
    ended.current = over;
    if (over && was === false && !table.moment.peek()) page.open.value = "result";
  });

  if (table.state.value === "closed") return <Closed why={table.closedWhy.value} />;
  const { tab, open, folded } = page;
  const unread = table.said.value.length - table.read.value;
  const close = (): void => {
    open.value = null;
  };
  return (
    <Game.Provider value={page}>
      <div class="game" data-at={table.update.value?.at} data-folded={folded.value} data-replaying={table.moment.value !== null}>
        <TopBar />
        <PhaseTrack />
        <PromptBar />
        <main class="middle">
          <BoardView />
          {open.value === "overlays" && <OverlaysCard />}
          <Tray />
          <FanOut />
          <FallingDice />
          <ReelCard />
          <ReplayBar />
          <HandOver />
          {table.state.value !== "open" && known && (
            <p class="lost" role="status">
              The connection is lost. Trying again …
            </p>
          )}
          {known && <Awaited />}
          {!known && <p class="loading">Fetching the game …</p>}
        </main>
        <aside class="side-panel">
          <div class="tabs">
            <div class="tab-list" role="tablist" aria-label="Panels">
            {TABS.filter(([name]) => isThere(page, name)).map(([name, label]) => (
              <button
                key={name}
                type="button"
                role="tab"
                id={`tab-${name}`}
                aria-selected={tab.value === name}
                aria-controls="panel"
                onClick={() => {
                  folded.value = tab.value === name && !folded.value;
                  tab.value = name;
                }}
              >
                {label}
                {name === "talk" && unread > 0 && <b class="unread"> {unread}</b>}
              </button>
            ))}
            </div>
            <button
              type="button"
              class="icon fold"
              aria-expanded={!folded.value}
              aria-controls="panel"
              aria-label={folded.value ? "Unfold the panel" : "Fold the panel"}
              onClick={() => (folded.value = !folded.value)}
            >
              <Icon name={folded.value ? "back" : "on"} />
            </button>
          </div>
          <div class="panel" id="panel" role="tabpanel" aria-labelledby={`tab-${tab.value}`} tabIndex={-1}>
            {!table.handOver.value && <Panel tab={tab.value} />}
          </div>
        </aside>
        <Told />
        {open.value === "help" && <HelpDialog onClose={close} />}
        {open.value === "settings" && <SettingsDialog onClose={close} />}
        {open.value === "find" && <FindDialog />}
        {open.value === "share" && <ShareDialog />}
        {open.value === "about" && <AboutDialog onClose={close} />}
        {open.value === "result" && <ResultDialog onClose={close} />}
        {open.value === "unasked" && <UnaskedDialog onClose={() => open.value === "unasked" && close()} />}
      </div>
    </Game.Provider>
  );
}

/** Some panels are there only where there is something in them. */
function isThere({ table }: GamePage, name: Tab): boolean {
  if (name === "reasons") return table.explains.value;
  return name !== "talk" || table.isShared.value;
}

/** Until everybody has sat down nothing is done. */
function Awaited() {
  const { table, open } = useContext(Game);
  const mine = table.seat.value?.sides ?? [];
  const side = table.presence.value?.awaited.find((one) => !mine.includes(one));
  if (!side || open.value) return null;
  return (
    <p class="lost" role="status">
      The game begins when the {table.sideName(side)} player has sat down.{" "}
      {mine.length > 0 && (
        <button type="button" class="small" onClick={() => (open.value = "share")}>
          The link to send
        </button>
      )}
    </p>
  );
}

function Panel({ tab }: { tab: Tab }) {
  switch (tab) {
    case "play":
      return <PlayPanel />;
    case "log":
      return <LogPanel />;
    case "units":
      return <UnitsPanel />;
    case "tables":
      return <TablesPanel />;
    case "cases":
      return <CasesPanel />;
    case "talk":
      return <TalkPanel />;
    case "reasons":
      return <ReasonsPanel />;
  }
}

function Closed({ why }: { why: string }) {
  return (
    <main class="lobby">
      <section class="card">
        <h1>This seat cannot be taken</h1>
        <p>{why}</p>
        <a class="button main" href="#/">
          To the lobby
        </a>
      </section>
    </main>
  );
}
