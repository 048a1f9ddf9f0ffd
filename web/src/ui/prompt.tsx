import { useContext, useRef } from "preact/hooks";
import { sentence, type Choice } from "../answers";
import { Game, type GamePage } from "./context";
import { room } from "../settings";
import { Icon } from "./icon";
import { capital, Case, Rich } from "./text";
import { DrawOffered } from "./unasked";

/** More plain choices than this fold into a list. */
const MANY = 8;
/** So few answers are all offered as buttons, those on the map too; fewer where there is little room. */
const few = (): number => (room.value === "narrow" ? 3 : 5);

/** Who must do what now, and every answer that is not a click on the map. */
export function PromptBar() {
  const game = useContext(Game);
  const { table } = game;
  const question = table.question.value;
  const info = table.info.value;
  if (!question || !info) return <div class="prompt" />;
  const replaying = table.moment.value !== null;
  const side = question.side;
  return (
    <section class="prompt" aria-label="Decision" data-side={side ?? "none"} data-yours={question.yours}>
      <p class="ask" id="prompt">
        {replaying && <span class="tag">As it was</span>}
        {side && <span class={`side ${side}`}>{info.sides[side]}</span>}
        <span class="ask-text">
          {question.over ? <Rich text={capital(question.over.reason)} /> : <Rich text={capital(question.prompt)} />}
        </span>{" "}
        <Case number={question.over?.case ?? question.case} />
        {side && !question.yours && table.presence.value?.players[side] === false && (
          <span class="quiet"> (not connected)</span>
        )}
      </p>
      {!replaying && <ChoiceButtons game={game} />}
      {!replaying && <DrawOffered game={game} />}
      <ThinkingLine game={game} />
      <Typed game={game} />
      <RefusalLine game={game} />
    </section>
  );
}

/** That the program is at work, how far it is, and how to stop its thinking. */
function ThinkingLine({ game: { table } }: { game: GamePage }) {
  const thinking = table.thinking.value;
  if (!thinking || table.moment.value) return null;
  const plays = Boolean(table.seat.value?.sides.length);
  const general = table.info.value?.players[thinking.side].level === "general";
  return (
    <div class="thinking">
      <span>The program is {general ? "thinking" : "playing"}</span>
      {general && <progress aria-label="How far it is" value={thinking.progress} />}
      {general && plays && (
        <button type="button" class="small" title="Act with what it has found in this phase" onClick={() => void table.hurry()}>
          Hurry
        </button>
      )}
    </div>
  );
}

/** The choices in the order of their number keys; the finishing one comes last and has E as well. */
export function buttonsOf(game: GamePage): Choice[] {
  const { hand, table } = game;
  const menu = hand.menu.value;
  if (menu) return [...menu.choices];
  const base = hand.base.value;
  const prefixed = hand.base.value !== table.choices.value;
  if (!prefixed && !hand.unit.value && base.all.length <= few()) return finishingLast(base.all);
  const plain = finishingLast(prefixed ? [] : base.plain);
  return [...hand.unitChoices.value, ...plain];
}

function finishingLast(choices: readonly Choice[]): Choice[] {
  return [...choices].sort((a, b) => Number(a.form.finishes) - Number(b.form.finishes));
}

export async function chooseButton(game: GamePage, choice: Choice): Promise<void> {
  const { hand, table } = game;
  if (hand.menu.value || hand.unit.value) await hand.choose(choice);
  else await table.act([choice.line]);
}

function ChoiceButtons({ game }: { game: GamePage }) {
  const { hand, table } = game;
  const buttons = buttonsOf(game);
  if (!buttons.length) return null;
  const name = (unit: string): string => table.looks.value.title(unit);
  const list = buttons.length > MANY;
  const shown = list ? buttons.filter((choice) => choice.form.finishes) : buttons;
  const commitment = hand.commitment.value;
  return (
    <div class="choices" role="group" aria-label="Choices">
      {list && (
        <select
          aria-label="All choices"
          value=""
          onChange={(e) => {
            const choice = buttons[Number(e.currentTarget.value)];
            if (choice) void chooseButton(game, choice);
          }}
        >
          <option value="">{buttons.length} choices …</option>
          {buttons.map((choice, i) => (
            <option key={choice.line} value={i}>
              {sentence(choice, name)} ({choice.form.case})
            </option>
          ))}
        </select>
      )}
      {shown.map((choice, i) => (
        <span class="choice" key={choice.line}>
          <button
            type="button"
            class={choice.form.finishes ? "main" : ""}
            disabled={table.busy.value}
            onMouseEnter={() => choice.hexes[0] && hand.point(choice.hexes[0])}
            onMouseLeave={() => choice.hexes[0] && hand.point(null)}
            title={commitment?.choice.line === choice.line ? commitment.why : choice.line}
            onClick={(e) => {
              // After a click of the mouse, Space shall mean the next unit and not this button again.
              if (e.detail) e.currentTarget.blur();
              void chooseButton(game, choice);
            }}
          >
            {!list && i < 9 && <kbd aria-hidden="true">{i + 1}</kbd>}
            {sentence(choice, name)}
          </button>
          <Case number={choice.form.case} />
        </span>
      ))}
      {hand.menu.value && (
        <button type="button" onClick={() => (hand.menu.value = null)}>
          Cancel
        </button>
      )}
      {commitment && (
        <span class="hint">Cannot be taken back ({commitment.why}): click the unit again or use the button.</span>
      )}
    </div>
  );
}

function RefusalLine({ game }: { game: GamePage }) {
  const { refusal } = game.table;
  return (
    <div role="alert" class="refusal-slot">
      {refusal.value && (
        <p class="refusal">
          <Rich text={capital(refusal.value.why)} /> <Case number={refusal.value.case} />
          <button type="button" class="icon" aria-label="Dismiss" onClick={() => (refusal.value = null)}>
            <Icon name="close" />
          </button>
        </p>
      )}
    </div>
  );
}

/** Actions in notation, several with semicolons. */
function Typed({ game }: { game: GamePage }) {
  const ref = useRef<HTMLInputElement>(null);
  const { table, typing } = game;
  const lines = typing.value ? table.choices.value.all.slice(0, 400).map((choice) => choice.line) : [];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const typed = (ref.current?.value ?? "").split(";").map((line) => line.trim()).filter(Boolean);
    if (!typed.length) return;
    if ((await table.act(typed)) && ref.current) ref.current.value = "";
  };
  return (
    <form class="typed" hidden={!typing.value} onSubmit={(e) => void submit(e)}>
      <label>
        Action{" "}
        <input
          ref={ref}
          list="actions"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          placeholder={lines[0] ?? "nothing to do"}
          onKeyDown={(e) => {
            if (e.key !== "Escape") return;
            e.stopPropagation();
            typing.value = false;
            document.getElementById("board")?.focus();
          }}
        />
      </label>
      <datalist id="actions">
        {lines.map((line) => (
          <option key={line} value={line} />
        ))}
      </datalist>
      <button type="submit" disabled={table.busy.value}>
        Do it
      </button>
    </form>
  );
}
