/** What a game is about: history, who must do what by when, what is special, how long it takes; and how it stands. */

import { useSignal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { library } from "../api";
import type { RulebookInfo, ScenarioInfo, Score } from "../wire";
import { Game } from "./context";
import { Dialog } from "./dialog";
import { capital, Case } from "./text";

export function ScenarioCard({ book, scenario }: { book: RulebookInfo; scenario: ScenarioInfo }) {
  return (
    <div class="scenario-card">
      {scenario.history && <p>{scenario.history}</p>}
      <dl class="goals">
        {(["axis", "soviet"] as const).map(
          (side) =>
            scenario.goals[side] && (
              <div key={side}>
                <dt>
                  <span class={`side ${side}`}>{book.sides[side]}</span>
                </dt>
                <dd>{scenario.goals[side]}</dd>
              </div>
            ),
        )}
      </dl>
      {scenario.special.length > 0 && (
        <ul class="special">
          {scenario.special.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      )}
      <small>
        {capital(scenario.length)}
        {scenario.favours && ` · favours ${scenario.favours}`}
      </small>
    </div>
  );
}

/** Behind the title of a game. */
export function AboutDialog({ onClose }: { onClose: () => void }) {
  const { table } = useContext(Game);
  const info = table.info.value;
  const found = useSignal<{ book: RulebookInfo; scenario: ScenarioInfo } | null>(null);
  useEffect(() => {
    // Without the server the title alone is shown.
    void library().then(
      ({ rulebooks }) => {
        const book = rulebooks.find((one) => one.name === info?.rulebook);
        const scenario = book?.scenarios.find((one) => one.name === info?.scenario);
        if (book && scenario) found.value = { book, scenario };
      },
      () => undefined,
    );
  }, []);
  return (
    <Dialog title={info?.scenario_title ?? "The game"} onClose={onClose}>
      <p class="quiet">
        {info?.title}, {info?.edition}
      </p>
      {found.value && <p>{found.value.scenario.about}</p>}
      {found.value && <ScenarioCard {...found.value} />}
      {(table.view.value?.score ?? []).map((score) => (
        <Ladder key={score.side} score={score} />
      ))}
      {info?.casual && <p>A casual game: anything may be taken back, dice included.</p>}
    </Dialog>
  );
}

/** What so many points are, and where it stands. */
function Ladder({ score }: { score: Score }) {
  const { table } = useContext(Game);
  const reached = score.levels.find((level) => score.points >= level.from);
  return (
    <section aria-label={`Score of the ${table.sideName(score.side)} side`}>
      <h3>
        {capital(score.what)}: {score.points} <Case number={score.case} />
      </h3>
      <ul class="ladder">
        {score.levels.map((level) => (
          <li key={level.what} aria-current={level === reached ? "step" : undefined}>
            <b>{level.from} or more</b> {level.what}
          </li>
        ))}
        {score.below && (
          <li aria-current={score.levels.length && !reached ? "step" : undefined}>
            <b>fewer</b> {score.below}
          </li>
        )}
      </ul>
    </section>
  );
}

/** What the points would be worth if the game ended now. */
function levelOf({ points, levels, below }: Score): string {
  return levels.find((level) => points >= level.from)?.what ?? below;
}

/** How it stands against what is needed, in a word beside the turn. */
export function ScoreShort() {
  const { table, open } = useContext(Game);
  const scores = table.view.value?.score ?? [];
  if (!scores.length) return null;
  const told = scores.map((score) => {
    const { what, points, levels, side } = score;
    if (!levels.length) return `${table.sideName(side)} ${points}`;
    if (levels.length === 1) return `${capital(what)} ${points} of ${levels[0]!.from}`;
    return `${capital(what)} ${points}: ${levelOf(score)}`;
  });
  const short = scores.map(({ points, levels }) => {
    const next = levels.findLast((level) => points < level.from) ?? levels[0];
    return next ? `${points}/${next.from}` : `${points}`;
  });
  const reached = scores[0] && levelOf(scores[0]);
  return (
    <button type="button" class="score" title={reached ? `If it ended now: ${reached}` : "The score"} onClick={() => (open.value = "about")}>
      <span class="long">{told.join(" · ")}</span>
      <span class="short" aria-hidden="true">
        {short.join(":")}
      </span>
    </button>
  );
}
