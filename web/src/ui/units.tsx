/** Order of battle: every counter of the game by side and formation, and where it is. */

import { useContext } from "preact/hooks";
import type { Counter, Front, Side } from "../wire";
import { Game } from "./context";
import { CounterPicture } from "./counter";
import { counted } from "../words";
import { capital, Rich } from "./text";

interface Where {
  readonly hex?: string;
  readonly box?: string;
  readonly front?: Front;
}

export function UnitsPanel() {
  const { table } = useContext(Game);
  const info = table.info.value;
  const view = table.view.value;
  if (!info || !view) return null;
  const where = new Map<string, Where>();
  for (const { hex, pieces } of view.stacks)
    for (const { front } of pieces) if (front) where.set(front.unit, { hex, front });
  for (const { title, pieces } of view.boxes)
    for (const { front } of pieces) if (front) where.set(front.unit, { box: title, front });
  return (
    <section class="units">
      <Boxes />
      <TurnTrack />
      {(["axis", "soviet"] as const).map((side) => (
        <SideUnits key={side} side={side} counters={info.counters.filter((c) => c.side === side)} where={where} />
      ))}
    </section>
  );
}

/** Losses, arrivals and whatever else lies beside the map. */
function Boxes() {
  const { table } = useContext(Game);
  const boxes = (table.view.value?.boxes ?? []).filter((box) => box.pieces.length);
  return (
    <>
      {boxes.map((box) => (
        <details key={box.name} class="card" open={box.pieces.length < 9}>
          <summary>
            {capital(box.title)} ({box.pieces.length})
          </summary>
          <ul class="counters">
            {box.pieces.map((piece, i) => (
              <li key={i} title={piece.front ? table.looks.value.title(piece.front.unit) : ""}>
                <CounterPicture look={table.looks.value.of(piece)} size={40} />
                <small>{piece.front ? table.looks.value.title(piece.front.unit) : table.sideName(piece.side)}</small>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </>
  );
}

function TurnTrack() {
  const { table } = useContext(Game);
  const turns = table.sequence.value?.turns ?? [];
  const now = table.view.value?.turn;
  if (!turns.length) return null;
  return (
    <details class="card">
      <summary>Turn track and reinforcements</summary>
      <ol class="turns">
        {turns.map((turn) => (
          <li key={turn.turn} aria-current={turn.turn === now ? "step" : undefined}>
            <b>{turn.turn}</b> {turn.title}
            <span class="arrivals">{turn.arrives.map((unit) => table.looks.value.title(unit)).join(", ")}</span>
            {turn.notes.map((note, i) => (
              <small key={i}>
                <Rich text={note.text} begin />
              </small>
            ))}
          </li>
        ))}
      </ol>
    </details>
  );
}

function SideUnits({ side, counters, where }: { side: Side; counters: Counter[]; where: Map<string, Where> }) {
  const { table } = useContext(Game);
  const seen = counters.filter((counter) => where.has(counter.unit));
  const unseen = counters.filter((counter) => !where.has(counter.unit));
  const formations = [...new Set(seen.map((counter) => counter.formation))];
  return (
    <details class="card" open={side === table.update.value?.question.side}>
      <summary>
        <span class={`side ${side}`}>{table.sideName(side)}</span> order of battle
      </summary>
      {formations.map((formation) => (
        <div key={formation}>
          {formations.length > 1 && <h2>{capital(formation || "of no formation")}</h2>}
          <UnitTable counters={seen.filter((counter) => counter.formation === formation)} where={where} />
        </div>
      ))}
      {unseen.length > 0 && (
        <details>
          <summary>{counted(unseen.length, "counter")} not in sight or not in this game</summary>
          <UnitTable counters={unseen} where={where} />
        </details>
      )}
    </details>
  );
}

function UnitTable({ counters, where }: { counters: Counter[]; where: Map<string, Where> }) {
  return (
    <table class="oob">
      <tbody>
        {counters.map((counter) => (
          <UnitRow key={counter.unit} counter={counter} where={where.get(counter.unit)} />
        ))}
      </tbody>
    </table>
  );
}

function UnitRow({ counter, where }: { counter: Counter; where: Where | undefined }) {
  const { goTo } = useContext(Game);
  return (
    <tr class={where ? "" : "unknown"}>
      <th scope="row" title={counter.unit}>
        {capital(counter.title)}
      </th>
      <td>{where?.front?.factors ?? counter.front}</td>
      <td>
        {where?.front ? `${where.front.steps}/${counter.steps}` : ""}
      </td>
      <td>
        {where?.hex ? (
          <button type="button" class="hex-link" onClick={() => goTo(where.hex!)}>
            {where.hex}
          </button>
        ) : (
          (where?.box ?? counter.arrives)
        )}
      </td>
    </tr>
  );
}
