import { useComputed, useSignal, type Signal } from "@preact/signals";
import { Fragment } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { create, everyGame, Faulty, find, hostSeat, library, open } from "../api";
import { forgetGame, gameHash, hostKey, keepCreated, keepSeats, keptSeats } from "../seats";
import { rememberEyes } from "../table";
import type { Created, Fault, GameSummary, Library, NewPlayer, RulebookInfo, ScenarioInfo, Side } from "../wire";
import { HelpDialog } from "./help";
import { Icon } from "./icon";
import { SettingsDialog } from "./settings";
import { ScenarioCard } from "./scenario";
import { capital } from "./text";

/** Who sits on the other side: the program, a friend with a link, or nobody else. */
type Opponent = { kind: "level"; level: string } | { kind: "friend" } | { kind: "hand-over" } | { kind: "open" };

export const SHARE_FIRST = "grognard.share-first";

export function Lobby() {
  const books = useSignal<Library | null>(null);
  const trouble = useSignal<{ why: string; faults: readonly Fault[] } | null>(null);
  const dialog = useSignal<"help" | "settings" | null>(null);
  const dropping = useSignal(false);

  useEffect(() => {
    document.title = "Grognard";
    library().then(
      (found) => (books.value = found),
      (error: Error) => (trouble.value = { why: error.message, faults: [] }),
    );
  }, []);

  const attempt = async (run: () => Promise<Created>, opponent: Opponent, side: Side): Promise<void> => {
    trouble.value = null;
    try {
      enter(await run(), opponent, side);
    } catch (error) {
      if (error instanceof Faulty) trouble.value = error.faults;
      else if (error instanceof Error) trouble.value = { why: error.message, faults: [] };
    }
  };
  const openFile = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const text = await file.text();
    await attempt(() => open({ name: file.name, text, players: { axis: person(), soviet: person() } }), { kind: "open" }, "axis");
  };

  return (
    <main
      class="lobby"
      data-dropping={dropping.value}
      onDragOver={(e) => {
        e.preventDefault();
        dropping.value = true;
      }}
      onDragLeave={() => (dropping.value = false)}
      onDrop={(e) => {
        e.preventDefault();
        dropping.value = false;
        void openFile(e.dataTransfer?.files[0]);
      }}
    >
      <header class="lobby-head">
        <img src="/icon.svg" alt="" width="56" height="56" />
        <div>
          <h1>Grognard</h1>
          <p>Operational wargames by the book. Every rule enforced, every refusal explained, every die accounted for.</p>
        </div>
        <nav>
          <button type="button" class="icon" aria-label="Settings" onClick={() => (dialog.value = "settings")}>
            <Icon name="settings" />
          </button>
          <button type="button" class="icon" aria-label="Help" onClick={() => (dialog.value = "help")}>
            <Icon name="help" />
          </button>
        </nav>
      </header>
      {trouble.value && (
        <div class="trouble" role="alert">
          <p>{trouble.value.why}</p>
          <FaultList faults={trouble.value.faults} />
        </div>
      )}
      <Resume books={books.value?.rulebooks ?? []} />
      {books.value && <Setup library={books.value} start={attempt} />}
      {!books.value && !trouble.value && <p class="quiet">Fetching the rulebooks …</p>}
      <section class="card open-file">
        <h2>Open a file</h2>
        <p>Drop a record or a situation anywhere on this page, or choose one: it becomes a game that you can play on.</p>
        <input type="file" aria-label="Record or situation" onChange={(e) => void openFile(e.currentTarget.files?.[0])} />
      </section>
      <footer class="quiet">
        Unofficial, and not connected with any publisher: no text or art of theirs is in it. You need the games to own them.
      </footer>
      {dialog.value === "help" && <HelpDialog onClose={() => (dialog.value = null)} />}
      {dialog.value === "settings" && <SettingsDialog onClose={() => (dialog.value = null)} />}
    </main>
  );
}

function FaultList({ faults }: { faults: readonly Fault[] }) {
  if (faults.length < 1) return null;
  return (
    <ul>
      {faults.map((fault, i) => (
        <li key={i}>
          <code>
            {[fault.file, fault.line || "", fault.field].filter(Boolean).join(":")}
          </code>{" "}
          {fault.message}
        </li>
      ))}
    </ul>
  );
}

const person = (): NewPlayer => ({ name: "" });

/** Takes the right one of the new game's seats. */
export function enter(created: Created, opponent: Opponent, side: Side): void {
  keepCreated(created);
  const alone = opponent.kind === "hand-over" || opponent.kind === "open";
  const mine = created.seats.find((seat) => (alone ? seat.sides.length === 2 : seat.sides.length === 1 && seat.sides[0] === side));
  const seat = mine ?? created.seats[0];
  if (!seat) return;
  if (opponent.kind === "open") rememberEyes(seat.secret, "all");
  if (opponent.kind === "friend") sessionStorage.setItem(SHARE_FIRST, seat.secret);
  location.hash = gameHash(created.id, seat.sides);
}

interface SetupProps {
  library: Library;
  start(run: () => Promise<Created>, opponent: Opponent, side: Side): Promise<void>;
}

/** Plays well and answers at once; else the best there is. */
function usualOpponent(book: RulebookInfo | undefined): string {
  const level = book?.levels.find((one) => one.name === "officer") ?? book?.levels.at(-1);
  return level ? `level ${level.name}` : "open";
}

/** How long a general may think about a phase, in seconds. */
const SECONDS = { usual: 10, most: 300 };

function Setup({ library: { rulebooks }, start }: SetupProps) {
  const rulebook = useSignal<RulebookInfo | undefined>(rulebooks[0]);
  const scenario = useSignal<ScenarioInfo | undefined>(rulebooks[0]?.scenarios[0]);
  const side = useSignal<Side>("soviet");
  const against = useSignal(usualOpponent(rulebooks[0]));
  const seconds = useSignal(SECONDS.usual);
  const openThoughts = useSignal(false);
  const casual = useSignal(false);
  const options = useSignal<readonly string[]>([]);
  const seed = useSignal("");
  const busy = useSignal(false);
  const opponent = useComputed<Opponent>(() => {
    const [kind, level] = against.value.split(" ");
    if (kind === "level") return { kind: "level", level: level ?? "" };
    return { kind: kind as "friend" | "hand-over" | "open" };
  });
  const book = rulebook.value;
  const chosen = scenario.value;
  const byLink = opponent.value.kind === "friend";
  const begin = async (): Promise<void> => {
    if (!book || !chosen) return;
    const other: NewPlayer = opponent.value.kind === "level" ? { name: "", level: opponent.value.level } : person();
    const players = side.value === "axis" ? { axis: person(), soviet: other } : { axis: other, soviet: person() };
    const game = {
      scenario: `${book.name}/${chosen.name}`,
      options: [...options.value],
      players,
      opponents: { seconds: seconds.value, open_thoughts: openThoughts.value },
      casual: casual.value && opponent.value.kind === "level",
      ...(seed.value && !byLink ? { seed: seed.value } : {}),
      ...(byLink ? { you: side.value } : {}),
    };
    busy.value = true;
    performance.mark("game-clicked");
    await start(() => create(game), opponent.value, side.value);
    busy.value = false;
  };
  const choose = (next: RulebookInfo): void => {
    rulebook.value = next;
    scenario.value = next.scenarios[0];
    options.value = [];
    const has = next.levels.some((one) => `level ${one.name}` === against.value);
    if (opponent.value.kind === "level" && (!has || against.value === usualOpponent(book))) against.value = usualOpponent(next);
  };
  const levels = book?.levels ?? [];
  const level = levels.find((one) => `level ${one.name}` === against.value);
  const alone = opponent.value.kind === "open" || opponent.value.kind === "hand-over";
  return (
    <section class="setup" aria-label="New game">
      <h2>New game</h2>
      <div class="books" role="group" aria-label="Rulebook">
        {rulebooks.map((one) => (
          <button key={one.name} type="button" aria-pressed={one === book} onClick={() => choose(one)}>
            <b>{one.title}</b>
            <small>{one.edition}</small>
          </button>
        ))}
      </div>
      <div class="setup-columns">
        <fieldset class="scenarios">
          <legend>Scenario</legend>
          {book?.scenarios.map((one) => (
            <label key={one.name} class="scenario card" data-picked={one === chosen}>
              <input
                type="radio"
                name="scenario"
                checked={one === chosen}
                onChange={() => {
                  scenario.value = one;
                  options.value = [];
                }}
              />
              <span>
                <b>{one.title}</b>
                <span>{one.about}</span>
                {one === chosen && book && <ScenarioCard book={book} scenario={one} />}
                {one !== chosen && (
                  <small>
                    {one.length}
                    {one.favours && ` · favours ${one.favours}`}
                  </small>
                )}
              </span>
            </label>
          ))}
        </fieldset>
        <form
          class="card players"
          onSubmit={(e) => {
            e.preventDefault();
            void begin();
          }}
        >
          <fieldset>
            <legend>Against</legend>
            {levels.map((one) => (
              <Fragment key={one.name}>
                <Radio name="against" picked={against} value={`level ${one.name}`}>
                  {`The program: ${one.name}`}
                </Radio>
                {one === level && (
                  <div class="opponent">
                    <p class="quiet">{capital(level.about)}.</p>
                    {level.name === "general" && (
                      <label class="row">
                        Seconds a phase{" "}
                        <input
                          type="number"
                          required
                          min={1}
                          max={SECONDS.most}
                          value={seconds.value}
                          onInput={(e) => (seconds.value = e.currentTarget.valueAsNumber || SECONDS.usual)}
                        />
                      </label>
                    )}
                    {level.name !== "random" && (
                      <label class="row">
                        <input
                          type="checkbox"
                          checked={openThoughts.value}
                          onChange={(e) => (openThoughts.value = e.currentTarget.checked)}
                        />
                        It explains itself: it tells its plans during the game
                      </label>
                    )}
                    <label class="row">
                      <input type="checkbox" checked={casual.value} onChange={(e) => (casual.value = e.currentTarget.checked)} />
                      A casual game: anything can be taken back, dice included
                    </label>
                  </div>
                )}
              </Fragment>
            ))}
            <Radio name="against" picked={against} value="friend">
              A friend, by link
            </Radio>
            <Radio name="against" picked={against} value="hand-over">
              A friend at this screen
            </Radio>
            <Radio name="against" picked={against} value="open">
              Nobody: I play both sides
            </Radio>
          </fieldset>
          {!alone && book && (
            <fieldset>
              <legend>I play</legend>
              <Radio name="side" picked={side as Signal<string>} value="axis">
                {book.sides.axis}
              </Radio>
              <Radio name="side" picked={side as Signal<string>} value="soviet">
                {book.sides.soviet}
              </Radio>
            </fieldset>
          )}
          {book && book.options.length > 0 && (
            <details>
              <summary>Optional rules{options.value.length > 0 && ` (${options.value.length})`}</summary>
              {book.options.map((option) => {
                const built = chosen?.options.includes(option.name) ?? false;
                return (
                  <label key={option.name} class="row">
                    <input
                      type="checkbox"
                      disabled={built}
                      checked={built || options.value.includes(option.name)}
                      onChange={(e) => {
                        const rest = options.value.filter((name) => name !== option.name);
                        options.value = e.currentTarget.checked ? [...rest, option.name] : rest;
                      }}
                    />
                    <span>
                      {option.about} <small class="case-number">{option.case}</small>
                    </span>
                  </label>
                );
              })}
            </details>
          )}
          {!byLink && (
            <details>
              <summary>Dice</summary>
              <label class="row">
                Seed{" "}
                <input
                  value={seed.value}
                  maxLength={100}
                  placeholder="nobody&rsquo;s: mixed from the server&rsquo;s secret and yours"
                  onInput={(e) => (seed.value = e.currentTarget.value)}
                />
              </label>
              <p class="quiet">Who chooses the seed can know the dice beforehand, and the game says so.</p>
            </details>
          )}
          <button type="submit" class="main big" disabled={busy.value || !chosen}>
            Start {chosen?.title}
          </button>
        </form>
      </div>
    </section>
  );
}

interface RadioProps {
  name: string;
  picked: Signal<string>;
  value: string;
  children: string;
}

function Radio({ name, picked, value, children }: RadioProps) {
  return (
    <label class="row">
      <input type="radio" name={name} checked={picked.value === value} onChange={() => (picked.value = value)} />
      {children}
    </label>
  );
}

/** Games that this browser has seats in. */
function Resume({ books }: { books: readonly RulebookInfo[] }) {
  const games = useSignal<readonly GameSummary[]>([]);
  const asked = useRef(false);
  const skip = useSignal(0);
  const left = useSignal(false);
  const more = async (): Promise<void> => {
    const found = await myGames(skip.value);
    const known = new Set(games.value.map((game) => game.id));
    games.value = [...games.value, ...found.filter((game) => !known.has(game.id))];
    skip.value += PAGE;
    left.value = found.length >= PAGE;
  };
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    void more();
  }, []);
  if (!games.value.length) return null;
  const sure = useSignal<string | null>(null);
  const forget = (id: string): void => {
    if (sure.value !== id) {
      sure.value = id;
      return;
    }
    forgetGame(id);
    games.value = games.value.filter((game) => game.id !== id);
  };
  return (
    <section class="resume" aria-label="Your games">
      <h2>Your games</h2>
      <ul>
        {games.value.map((game) => (
          <li key={game.id} class="card">
            <div>
              <b>{game.title}</b>
              <GameRow game={game} books={books} />
            </div>
            <div class="row-buttons">
              {seatsOf(game).map((seat, i) => (
                <a key={seat.secret} class={i === 0 ? "button main" : "button"} href={gameHash(game.id, seat.sides)}>
                  {i === 0 ? "Continue" : seat.sides.length === 2 ? "both" : (seat.sides[0] ?? "observe")}
                </a>
              ))}
              {!game.seats.length && (
                <button type="button" class="main" onClick={() => void sitAsHost(game.id)}>
                  {game.for_two ? "Look on" : "Continue"}
                </button>
              )}
              {sure.value === game.id ? (
                <>
                  <button type="button" class="warn" onClick={() => forget(game.id)}>
                    Forget it: this browser loses its seat
                  </button>
                  <button type="button" onClick={() => (sure.value = null)}>
                    Keep it
                  </button>
                </>
              ) : (
                <button type="button" class="icon" aria-label={`Forget ${game.title}`} title="Forget" onClick={() => forget(game.id)}>
                  <Icon name="close" />
                </button>
              )}
            </div>
          </li>
        ))}
      </ul>
      {left.value && (
        <button type="button" onClick={() => void more()}>
          More games
        </button>
      )}
    </section>
  );
}

/** Which side one plays against whom, how far it is, whose move it is. */
function GameRow({ game, books }: { game: GameSummary; books: readonly RulebookInfo[] }) {
  const sides = books.find((book) => book.name === game.rulebook)?.sides ?? { axis: "Axis", soviet: "Soviet" };
  const mine = game.seats.flatMap((seat) => (seat.sides.length === 1 ? seat.sides : []))[0];
  const enemy: Side = mine === "axis" ? "soviet" : "axis";
  const level = mine ? game.players[enemy].level : null;
  const against = level ? `against the program (${level})` : game.for_two ? `against ${game.players[enemy].name || "a friend"}` : "at one screen";
  const whose = !game.side ? "over" : game.side === mine ? "your move" : `${sides[game.side]} to move`;
  return (
    <small>
      {game.trouble ?? (
        <>
          {mine && !(game.seats.length > 2) && <span class={`side ${mine}`}>{sides[mine]}</span>} {against} · turn {game.turn} of {game.turns}
          {game.side && `, ${game.phase}`} · <b>{whose}</b>
        </>
      )}{" "}
      · {new Date(game.changed * 1000).toLocaleString()}
    </small>
  );
}

/** So many games come at once to who started the server. */
const PAGE = 200;

/** Who started the server finds a seat in every game of this machine where one person plays. */
async function sitAsHost(game: string): Promise<void> {
  const key = hostKey();
  if (!key) return;
  const { id, seat } = await hostSeat(key, game);
  keepSeats(id, [seat]);
  location.hash = gameHash(id, seat.sides);
}

/** By the seats that are kept here, and by the key of who started the server. A key of another day is of no use. */
async function myGames(skip: number): Promise<GameSummary[]> {
  const secrets = keptSeats().map((seat) => seat.secret);
  const key = hostKey();
  const [mine, all] = await Promise.all([
    secrets.length && !skip ? find(secrets).catch(() => []) : [],
    key ? everyGame(key, skip).catch(() => []) : [],
  ]);
  const games = new Map([...all, ...mine].map((game) => [game.id, game]));
  return [...games.values()].sort((a, b) => b.changed - a.changed);
}

/** The seat that was sat on last comes first. */
function seatsOf(game: GameSummary): GameSummary["seats"] {
  const used = new Map(keptSeats().map((seat) => [seat.secret, seat.used ?? 0]));
  return [...game.seats].sort((a, b) => (used.get(b.secret) ?? 0) - (used.get(a.secret) ?? 0));
}
