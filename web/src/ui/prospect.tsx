/** What comes of an attack: first what people want to know, from good to bad; the account and every result folded behind it. */

import { useContext } from "preact/hooks";
import { termOf } from "../glossary";
import type { Balance, Gist, Happening, Prospect, Side, Way } from "../wire";
import { Game } from "./context";
import { capital, Case, plain, Rich } from "./text";

export function ProspectCard({ title, prospect }: { title: string; prospect: Prospect }) {
  return (
    <section class="card prospect" aria-label={title}>
      <h2>{title}</h2>
      {prospect.guess && <p class="quiet">A guess: what is hidden from you was dealt at random.</p>}
      {prospect.gist && <GistLines prospect={prospect} gist={prospect.gist} />}
      <Details prospect={prospect} />
    </section>
  );
}

/** The chance to take the hex and what it costs, by what the enemy does where he may choose. */
function GistLines({ prospect, gist }: { prospect: Prospect; gist: Gist }) {
  const { table } = useContext(Game);
  const own = prospect.side ?? "axis";
  const enemy = own === "axis" ? "soviet" : "axis";
  const both = gist.gives_way.taken !== gist.stands.taken || gist.gives_way.lost[enemy] !== gist.stands.lost[enemy];
  const row = (name: string, balance: Balance) => (
    <tr>
      {both && <th scope="row">{name}</th>}
      <td>
        <Bar share={balance.taken} /> <b>{percent(balance.taken)}</b>
      </td>
      <td>{steps(balance.lost[own])}</td>
      <td>{steps(balance.lost[enemy])}</td>
    </tr>
  );
  return (
    <table class="gist">
      <thead>
        <tr>
          {both && <th scope="col">If</th>}
          <th scope="col">Takes the hex</th>
          <th scope="col">{table.sideName(own)} loses</th>
          <th scope="col">{table.sideName(enemy)} loses</th>
        </tr>
      </thead>
      <tbody>
        {row("he gives way", gist.gives_way)}
        {both && row("he stands", gist.stands)}
      </tbody>
    </table>
  );
}

function Details({ prospect }: { prospect: Prospect }) {
  const folded = prospect.gist !== null;
  const inside = (
    <>
      <Ledger events={prospect.account} />
      <ul class="ways" aria-label="Chances">
        {prospect.ways.map((way, i) => (
          <WayRow key={i} way={way} side={prospect.side} />
        ))}
      </ul>
    </>
  );
  if (!folded) return inside;
  return (
    <details class="all-ways" open={detailsOpen()} onToggle={(e) => keepOpen(e.currentTarget.open)}>
      <summary>Strengths, shifts and every result</summary>
      {inside}
    </details>
  );
}

const DETAILS = "grognard.details";
const detailsOpen = (): boolean => localStorage.getItem(DETAILS) === "open";
const keepOpen = (open: boolean): void => localStorage.setItem(DETAILS, open ? "open" : "folded");

/** What a result is to whoever attacks: told by a sign and a word, and only then by a colour. */
const TEMPER = { good: ["▲", "good"], even: ["●", "neither good nor bad"], bad: ["▼", "bad"] } as const;

function temperOf(gist: Gist | null, side: Side | null): keyof typeof TEMPER {
  if (!gist || !side) return "even";
  const enemy = side === "axis" ? "soviet" : "axis";
  const { taken, lost } = gist.gives_way;
  const gain = taken + lost[enemy] - lost[side];
  return gain > 0.05 ? "good" : gain < -0.05 ? "bad" : "even";
}

function WayRow({ way, side }: { way: Way; side: Side | null }) {
  const { table } = useContext(Game);
  const temper = temperOf(way.gist, side);
  const [sign, word] = TEMPER[temper];
  const term = termOf(table.info.value?.rulebook, way.label);
  const first = way.events[0];
  return (
    <li data-temper={temper}>
      <details>
        <summary>
          <span class="temper" role="img" aria-label={word} title={word}>
            {sign}
          </span>
          <span class="way-label">
            {way.label || capital(plain(first?.text ?? ["nothing"], table.looks.value))}
            {term && <small> {term.meaning}</small>}
          </span>
          <Bar share={way.p} />
          <span class="way-p">{percent(way.p)}</span>
          <small>{way.chance}</small>
        </summary>
        <Ledger events={way.events} />
      </details>
    </li>
  );
}

/** A bar is drawn as a meter: no style attribute, and its value is told. */
function Bar({ share }: { share: number }) {
  return <meter class="bar" min={0} max={1} value={share} aria-label={percent(share)} />;
}

export function percent(p: number): string {
  return p > 0 && p < 0.0005 ? "< 0.1 %" : `${(p * 100).toFixed(1)} %`;
}

/** Steps, as an average. */
function steps(n: number): string {
  return n < 0.05 ? "nothing" : `${n.toFixed(1)} ${n.toFixed(1) === "1.0" ? "step" : "steps"}`;
}

/** What is paid for it, as its account tells. */
export function priceIn(prospect: Prospect | null | undefined): string | undefined {
  const paid = prospect?.account.find((event) => event.role === "price");
  return paid && plain(paid.text);
}

export function Ledger({ events }: { events: readonly Happening[] }) {
  if (!events.length) return null;
  return (
    <ol class="ledger">
      {events.map((event, i) => (
        <li key={i} data-event={event.event}>
          <Rich text={event.text} begin /> <Case number={event.case} />
        </li>
      ))}
    </ol>
  );
}
