import { useSignal } from "@preact/signals";
import { useContext, useEffect, useRef } from "preact/hooks";
import type { LogEntry } from "../wire";
import { Game } from "./context";
import { Die } from "./dice";
import { Meaning } from "./reel";
import { Case, Rich } from "./text";

/** So many actions are shown at first, and so many more on request. */
const SHOWN = 120;

export function LogPanel() {
  const { table } = useContext(Game);
  const end = useRef<HTMLDivElement>(null);
  const log = table.log.value;
  const at = table.moment.value?.at;
  const cut = at === undefined ? log : log.filter((entry) => entry.at <= at);
  const length = useSignal(SHOWN);
  const shown = cut.slice(-length.value);
  const earlier = (): void => {
    length.value += SHOWN;
    if (length.value > cut.length) void table.earlierLog();
  };
  const more = table.logFrom.value > 0 || cut.length > shown.length;
  useEffect(() => {
    end.current?.scrollIntoView({ block: "end" });
  }, [shown.at(-1)?.at]);
  return (
    <section class="log" aria-label="Log">
      {more && (
        <button type="button" onClick={earlier}>
          Earlier
        </button>
      )}
      {!shown.length && <p class="quiet">Nothing has happened yet.</p>}
      <ol>
        {shown.map((entry) => (
          <Entry key={entry.at} entry={entry} news={entry.at > table.newsFrom.value} />
        ))}
      </ol>
      <div ref={end} />
    </section>
  );
}

function Entry({ entry, news }: { entry: LogEntry; news: boolean }) {
  const { table } = useContext(Game);
  return (
    <li class={`entry ${entry.side}`} data-news={news}>
      <div class="entry-head">
        <span class={`side ${entry.side}`}>{table.sideName(entry.side)}</span> <code>{entry.action ?? "…"}</code>
        <button type="button" class="moment" title="Show this moment" onClick={() => (void table.loadMarks(), void table.scrub(entry.at))}>
          #{entry.at}
        </button>
      </div>
      <ul>
        {entry.events.map((event, i) => (
          <li key={i} data-event={event.event}>
            {event.roll && <Die roll={event.roll} />} <Rich text={event.text} />
            <Meaning event={event} /> <Case number={event.case} />
          </li>
        ))}
      </ul>
    </li>
  );
}
