/** Who is at the table, and what is said: players among themselves, observers among themselves. */

import { useSignal } from "@preact/signals";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { Said } from "../wire";
import { Game } from "./context";
import { counted } from "../words";

const NAME = "grognard.name";
const SIDES = ["axis", "soviet"] as const;

export function TalkPanel() {
  const { table } = useContext(Game);
  const text = useSignal("");
  const name = useSignal(localStorage.getItem(NAME) ?? "");
  const end = useRef<HTMLDivElement>(null);
  const said = table.said.value;
  const watching = !table.seat.value?.sides.length;
  useEffect(() => {
    table.read.value = said.length;
    end.current?.scrollIntoView({ block: "end" });
  }, [said.length]);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!text.value.trim()) return;
    localStorage.setItem(NAME, name.value);
    if (await table.say(text.value, watching ? name.value : "")) text.value = "";
  };
  return (
    <section class="talk" aria-label="Talk">
      <Present />
      <p class="quiet">
        {table.update.value?.question.over
          ? "The game is over: everybody hears everybody."
          : watching
            ? "What you say here only those hear who look on."
            : "What you say here the players hear, and nobody who looks on."}
      </p>
      <ol aria-live="polite">
        {said.map((one) => (
          <li key={one.number}>
            <b>{speaker(one, (side) => table.sideName(side))}</b>{" "}
            <time dateTime={new Date(one.time * 1000).toISOString()}>{clock(one.time)}</time>
            <p>{one.text}</p>
          </li>
        ))}
      </ol>
      <form onSubmit={(e) => void submit(e)}>
        {watching && (
          <label>
            Your name <input value={name.value} maxLength={40} autocomplete="nickname" onInput={(e) => (name.value = e.currentTarget.value)} />
          </label>
        )}
        <label>
          Say <input value={text.value} maxLength={1000} autocomplete="off" onInput={(e) => (text.value = e.currentTarget.value)} />
        </label>
        <button type="submit">Send</button>
      </form>
      <div ref={end} />
    </section>
  );
}

/** Who sits where, and whether he is here now. */
function Present() {
  const { table } = useContext(Game);
  const presence = table.presence.value;
  const info = table.info.value;
  if (!presence || !info) return null;
  return (
    <ul class="present" aria-label="At the table">
      {SIDES.map((side) => (
        <li key={side}>
          <Dot here={presence.players[side]} /> <span class={`side ${side}`}>{info.sides[side]}</span> {whoIs(info.players[side])}
          {presence.players[side] ? "" : " (not here)"}
        </li>
      ))}
      {presence.observers > 0 && <li>{counted(presence.observers, "person looks", "people look")} on</li>}
    </ul>
  );
}

/** The same in a few letters, for the bar above the map. */
export function PresenceShort() {
  const { table, tab, folded } = useContext(Game);
  const presence = table.presence.value;
  const info = table.info.value;
  if (!presence || !info || !table.isShared.value) return null;
  const told = SIDES.map((side) => `${info.sides[side]} ${presence.players[side] ? "is here" : "is not here"}`).join(", ");
  const open = (): void => {
    tab.value = "talk";
    folded.value = false;
  };
  return (
    <button type="button" class="presence" title={told} aria-label={`At the table: ${told}`} onClick={open}>
      {SIDES.map((side) => (
        <span key={side}>
          <Dot here={presence.players[side]} /> {info.players[side].name || info.sides[side]}
        </span>
      ))}
    </button>
  );
}

/** Filled who is here, hollow who is not: told apart without colour. */
function Dot({ here }: { here: boolean }) {
  return <i class="dot" data-here={here} aria-hidden="true" />;
}

function whoIs({ name, level }: { name: string; level: string | null }): string {
  return level ? `the program (${level})` : name;
}

function speaker({ room, side, name }: Said, sideName: (side: "axis" | "soviet") => string): string {
  if (side) return name ? `${name} (${sideName(side)})` : sideName(side);
  return name || (room === "observers" ? "Somebody who looks on" : "Both sides");
}

function clock(time: number): string {
  return new Date(time * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
