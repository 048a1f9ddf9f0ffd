/** The panel for the hand: the hex that was picked, what lies there, and the account of what is being decided. */

import { useSignal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { sentence, type Choice, type Speak } from "../answers";
import { combats } from "../combats";
import { journeys } from "../journeys";
import { gaveNonce, keptSeat } from "../seats";
import type { HexInfo, Mixture, Note, Piece, Role, Route, Stock, View } from "../wire";
import { AnalysisCard } from "./analysis";
import { AttackCard } from "./attack";
import { Game, type GamePage } from "./context";
import { CounterPicture } from "./counter";
import { Die } from "./dice";
import { GuideCard } from "./guide";
import { OrdersCard } from "./orders";
import { ProspectCard } from "./prospect";
import { FightOutcome, Meaning } from "./reel";
import { capital, Case, HexLink, Rich } from "./text";
import { counted, spoken } from "../words";

export function PlayPanel() {
  const { hand, table } = useContext(Game);
  const prospect = hand.prospect.value;
  const threat = hand.threat.value;
  return (
    <>
      <AttackCard />
      <GuideCard />
      {prospect && <ProspectCard title="What comes of it" prospect={prospect} />}
      {threat && <ProspectCard title={`What the enemy could do to ${threat.hex}`} prospect={threat.prospect} />}
      <RouteCard />
      <Placeless />
      <Happened />
      <HexCard />
      <ProofCard />
      <AnalysisCard />
      {table.question.value?.over && <OverCard />}
      <OrdersCard />
      <Tracks />
      <Fairness />
    </>
  );
}

/** What everybody at the table should know of its seats and dice before he takes them for fair. */
function Fairness() {
  const { table } = useContext(Game);
  const info = table.info.value;
  if (!info) return null;
  const people = [info.players.axis, info.players.soviet].filter((player) => !player.level).length;
  const oneHand = !info.for_two && people === 2 && table.seat.value?.sides.length !== 2;
  return (
    <>
      {oneHand && <p class="source">This game was made for one person, who holds the seats of both sides.</p>}
      {info.seed_chosen && <p class="source">Somebody chose the seed of the dice, and so could know them beforehand.</p>}
    </>
  );
}

/** So many lines of a sort; the log has all of it. */
const LAST = 12;

/** What came of one's own last answer: a line for each unit that went somewhere, one for each combat, and what else matters. */
function Happened() {
  const { table, tab, reel } = useContext(Game);
  if (table.moment.value) return null;
  const entries = table.log.value.filter((entry) => entry.at > table.answeredAt.value);
  const mine = table.seat.value?.sides ?? [];
  const others = entries.filter((entry) => entry.at > table.newsFrom.value && (mine.length !== 1 || entry.side !== mine[0]));
  const ways = entries.length > 2 ? journeys(entries, table.newsPlaces.value) : [];
  const fights = entries.length > 2 ? combats(entries).filter((one) => one.attack || one.result || one.after.length) : [];
  const told = entries.flatMap((entry) =>
    entry.events.filter((event) => MATTERS.has(event.role) || entries.length < 3).map((event) => ({ event, at: entry.at })),
  );
  const shown = told.slice(-LAST);
  if (!shown.length && !ways.length && !fights.length) return null;
  const more = told.length - shown.length + Math.max(0, fights.length - LAST);
  return (
    <section class="card happened" aria-label="What happened">
      <h2>What happened</h2>
      <div class="row-buttons">
        {others.length > 0 && (
          <button type="button" class="small" onClick={() => void reel.again(table.answeredAt.value)}>
            Show it again
          </button>
        )}
        {others.length > 0 && (
          <button type="button" class="small" onClick={() => void table.watchFrom(table.answeredAt.value)}>
            Step by step
          </button>
        )}
        {more > 0 && (
          <button type="button" class="small" onClick={() => (tab.value = "log")}>
            {more} more in the log
          </button>
        )}
      </div>
      {fights.length > 0 && (
        <ol class="ledger fights" aria-label="Combats">
          {fights.slice(-LAST).map((combat) => (
            <li key={combat.at}>
              {combat.attack && <Rich text={combat.attack.text} begin />} <FightOutcome combat={combat} />
            </li>
          ))}
        </ol>
      )}
      {ways.length > 0 && (
        <ul class="ledger ways-gone" aria-label="Who went where">
          {ways.map(({ unit, side, hexes }, i) => (
            <li key={i}>
              {capital(unit ? table.looks.value.title(unit) : `a ${table.sideName(side)} unit`)}: <HexLink hex={hexes[0]!} /> →{" "}
              <HexLink hex={hexes.at(-1)!} />
            </li>
          ))}
        </ul>
      )}
      {shown.length > 0 && (
        <ol class="ledger">
          {shown.map(({ event, at }, i) => (
            <li key={`${at} ${i}`} data-event={event.event}>
              {event.roll && <Die roll={event.roll} />} <Rich text={event.text} begin />
              <Meaning event={event} /> <Case number={event.case} />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** What is told of many actions at once, besides moves and fights. */
const MATTERS: ReadonlySet<Role> = new Set(["control", "arrival", "turn", "end"]);

/** What the way to the pointed hex costs, part by part. */
function RouteCard() {
  const { hand, table } = useContext(Game);
  const route = useSignal<Route | null>(null);
  const hex = hand.pointed.value;
  const summary = hex ? hand.routes.value.get(hex) : undefined;
  const line = summary?.line;
  useEffect(() => {
    route.value = null;
    if (!line || !hex) return;
    let gone = false;
    const timer = window.setTimeout(async () => {
      const answer = await table.ask<"route">({ what: "route", lines: hand.linesTo(hex) });
      if (!gone) route.value = answer;
    }, 150);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [line, hex]);
  if (!summary) return null;
  const shown = route.value;
  return (
    <section class="card route" aria-label="Way">
      <h2>
        To <HexLink hex={summary.path.at(-1) ?? ""} />: {summary.cost} MP{shown && ` of ${shown.has}`}
      </h2>
      {shown && (
        <ol class="ledger">
          {shown.legs.map((leg) => (
            <li key={leg.hex}>
              <HexLink hex={leg.hex} />: {leg.cost}
              {leg.parts.map((part, i) => (
                <span key={i} class="part">
                  {" "}
                  {part.what} {part.cost} <Case number={part.case} />
                </span>
              ))}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function HexCard() {
  const { hand, table } = useContext(Game);
  const info = useSignal<HexInfo | null>(null);
  const hex = hand.inspected.value;
  const decision = table.update.value?.decision;
  useEffect(() => {
    if (!hex) {
      info.value = null;
      return;
    }
    let gone = false;
    void table.ask<"hex">({ what: "hex", hex }).then((answer) => {
      if (!gone) info.value = answer;
    });
    return () => {
      gone = true;
    };
  }, [hex, decision]);
  if (!hex) return <Welcome />;
  const cell = table.geometry.value?.byLabel.get(hex);
  const told = info.value?.hex === hex ? info.value : null;
  const pieces = table.pieces.value.get(hex) ?? [];
  const markers = (table.view.value?.markers ?? []).filter((marker) => marker.hex === hex);
  const names = told?.names ?? cell?.names ?? [];
  return (
    <section class="card hex" aria-label={`Hex ${hex}`}>
      <h2>
        <span class="hex-number">{hex}</span> {names.join(", ")}
      </h2>
      <p class="terrain">
        {capital(told?.terrain ?? cell?.terrain ?? "")}
        {(told?.features ?? cell?.features ?? []).map((feature) => ` · ${feature.replaceAll("_", " ").replace(NATION, capital)}`)}
      </p>
      {markers.length > 0 && <p>{markers.map((marker) => marker.what).join(", ")}</p>}
      <Stocks stocks={(table.view.value?.stocks ?? []).filter((stock) => stock.hex === hex)} />
      <Notes notes={told?.notes ?? []} />
      {pieces.length > 0 && (
        <ul class="stack" aria-label="Stack, top first">
          {pieces.map((piece, i) => (
            <PieceRow key={piece.front?.unit ?? i} piece={piece} />
          ))}
        </ul>
      )}
      <div class="row-buttons">
        <button type="button" onClick={() => void hand.askThreat(hex)} title="The heaviest attack the enemy could make here">
          Threat
        </button>
      </div>
    </section>
  );
}

/** What the map spells as a name of its own. */
const NATION = /^(german|soviet|romanian|hungarian|finnish|polish)\b/;

/** What is counted: whose, how much, of what. */
function Stocks({ stocks }: { stocks: readonly Stock[] }) {
  const { table } = useContext(Game);
  if (!stocks.length) return null;
  return (
    <ul class="stocks" aria-label="Stocks">
      {stocks.map((stock, i) => (
        <li key={i}>
          <span class={`side ${stock.side}`}>{table.sideName(stock.side)}</span> {stockTold(stock)}
        </li>
      ))}
    </ul>
  );
}

function stockTold({ amount, what }: Stock): string {
  return amount === null ? `${what}, how much is not known` : `${amount} ${what}`;
}

function stocksWith(view: View | null, fits: (stock: Stock) => boolean): string[] {
  return (view?.stocks ?? []).filter(fits).map(stockTold);
}

function Notes({ notes }: { notes: readonly Note[] }) {
  if (!notes.length) return null;
  return (
    <ul class="notes">
      {notes.map((note, i) => (
        <li key={i}>
          <Rich text={note.text} /> <Case number={note.case} />
        </li>
      ))}
    </ul>
  );
}

function PieceRow({ piece }: { piece: Piece }) {
  const { hand, table } = useContext(Game);
  const look = table.looks.value.of(piece);
  const front = piece.front;
  if (!front)
    return (
      <li class="piece">
        <CounterPicture look={look} />
        <span>A {table.sideName(piece.side)} unit, not seen</span>
      </li>
    );
  const { unit } = front;
  const counter = table.looks.value.counter(unit);
  const able = hand.base.value.ofUnit(unit).length > 0;
  const picked = hand.unit.value === unit;
  return (
    <li class={picked ? "piece picked" : "piece"}>
      <button
        type="button"
        class="piece-button"
        aria-pressed={picked}
        disabled={!able}
        data-unit={unit}
        title={`${able ? "Pick this unit" : "Nothing to do now"} (${unit})`}
        onClick={() => void hand.pickUnit(unit)}
      >
        <CounterPicture look={look} size={52} />
        <span>
          <b>{capital(counter?.title ?? unit)}</b>
          <small>
            {front.factors} ·{" "}
            {front.at_most
              ? `at most ${counted(front.steps, "step")}, not shown`
              : `${front.steps} of ${counted(counter?.steps ?? front.steps, "step")}`}
            {table.looks.value.marksOf(front).map((mark) => (
              <span key={mark.word} title={`It ${mark.about} (${mark.case})`}>
                {" · "}
                {spoken(mark.word)}
              </span>
            ))}
            {stocksWith(table.view.value, (stock) => stock.unit === unit).map((told) => ` · carries ${told}`)}
          </small>
        </span>
      </button>
      <button type="button" class="small" title="Supply and what can be proved" aria-label={`Supply of ${counter?.title ?? unit}`} onClick={() => void hand.askProofs(unit)}>
        Supply
      </button>
    </li>
  );
}

function ProofCard() {
  const { hand, table } = useContext(Game);
  const shown = hand.proofs.value;
  if (!shown) return null;
  return (
    <section class="card proofs" aria-label="Proof">
      <h2>{table.looks.value.title(shown.unit)}</h2>
      {shown.proofs.length === 0 && <p>Nothing can be proved of it.</p>}
      {shown.proofs.map((proof) => (
        <div key={proof.what}>
          <p class={proof.holds ? "holds" : "fails"}>
            {proof.holds ? "✓" : "✗"} {capital(proof.what)}
          </p>
          {proof.path.length > 0 && (
            <p>
              {proof.path.map((hex, i) => (
                <span key={hex}>
                  {i > 0 && " – "}
                  <HexLink hex={hex} />
                </span>
              ))}
            </p>
          )}
          <Notes notes={proof.because} />
        </div>
      ))}
    </section>
  );
}

function Welcome() {
  const { hand, table } = useContext(Game);
  const question = table.question.value;
  if (!question?.yours || question.over) return null;
  const able = [...hand.ready.value];
  return (
    <section class="card">
      <h2>Your decision</h2>
      <p>
        {able.length
          ? "Counters with a yellow rim can act. Click or tap one; Space goes from one to the next."
          : "Choose one of the answers beside the prompt."}
      </p>
    </section>
  );
}

/** What picking a unit beside the map leads to, in a few words. */
function whatFor(choices: readonly Choice[], speak: Speak): string {
  const [first] = choices;
  if (first && choices.length === 1) return sentence(first, speak);
  const hexes = new Set(choices.flatMap((choice) => choice.hexes)).size;
  return hexes ? `pick it, then one of ${hexes} marked hexes` : `${choices.length} choices`;
}

/** Units that can act but do not lie on the map: arrivals, replacements. */
function Placeless() {
  const { hand, table, board } = useContext(Game);
  const pick = async (unit: string): Promise<void> => {
    await hand.pickUnit(unit);
    const cells = [...hand.destinations.value.keys()].flatMap((hex) => table.geometry.value?.byLabel.get(hex) ?? []);
    const shown = cells.some((cell) => board.value?.camera.shows(cell, 40));
    if (!shown && cells[0]) board.value?.reveal(cells[0], true);
  };
  const places = table.places.value;
  const units = [...hand.base.value.units].filter((unit) => !places.has(unit));
  if (!units.length) return null;
  return (
    <section class="card" aria-label="Units beside the map">
      <h2>Beside the map</h2>
      <ul class="stack">
        {units.map((unit) => {
          const look = table.looks.value.printed(unit);
          const choices = hand.base.value.ofUnit(unit);
            return (
            <li key={unit} class={hand.unit.value === unit ? "piece picked" : "piece"}>
              <button
                type="button"
                class="piece-button"
                aria-pressed={hand.unit.value === unit}
                onClick={() => void pick(unit)}
              >
                {look && <CounterPicture look={look} size={48} />}
                <span>
                  <b>{capital(table.looks.value.title(unit))}</b>
                  <small>{whatFor(choices, table.speak)}</small>
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function OverCard() {
  const { table, open } = useContext(Game);
  const over = table.question.value?.over;
  const info = table.info.value;
  if (!over || !info) return null;
  return (
    <section class="card over">
      <h2>{over.winner ? `${info.sides[over.winner]} victory` : "A draw"}</h2>
      <p>
        <Rich text={over.reason} begin /> <Case number={over.case} />
      </p>
      <button type="button" onClick={() => (open.value = "result")}>
        The whole result
      </button>
      {over.seed && (
        <p>
          Seed of the dice: <code class="hash">{over.seed}</code>. Download the record and run <code>grognard verify</code> to prove
          every roll.
        </p>
      )}
      {over.mixture && <p class="source">{mixtureSays(over.mixture, table)}</p>}
    </section>
  );
}

/** Whether the dice were mixed from what this browser gave, and from what the server had committed itself to. */
function mixtureSays({ nonces }: Mixture, table: GamePage["table"]): string {
  const { seat, info, secret } = table;
  if (!seat.value?.sides.length) return "It was mixed from a secret of the server and a number of each player.";
  const mine = [nonces.axis, nonces.soviet].some((nonce) => gaveNonce(info.value?.id ?? "", nonce));
  const known = keptSeat(secret)?.commitment;
  const same = known === undefined || known === info.value?.commitment;
  if (!same) return "Beware: the server commits itself to another secret now than when you sat down.";
  if (!mine) return "Another number than the one of this browser was mixed in for you: you sat down first in another browser, or somebody cheats.";
  return "It was mixed from the secret that the server had committed itself to, and from your own number among others.";
}

function Tracks() {
  const { table } = useContext(Game);
  const tracks = (table.view.value?.tracks ?? []).filter((track) => track.value !== "-");
  // Units and sides by the names that players know.
  const named = (text: string): string =>
    text
      .split(" ")
      .map((word) => (word === "axis" || word === "soviet" ? table.sideName(word) : (table.looks.value.counter(word)?.title ?? word)))
      .join(" ");
  const pools = (table.view.value?.stocks ?? []).filter((stock) => !stock.hex && !stock.unit);
  if (!tracks.length && !pools.length) return null;
  return (
    <section class="card" aria-label="Tracks">
      <Stocks stocks={pools} />
      <dl class="tracks">
        {tracks.map((track) => (
          <div key={track.name}>
            <dt>{capital(named(track.name))}</dt>
            <dd>{named(track.value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
