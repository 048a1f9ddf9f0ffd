import { useContext, useEffect, useRef } from "preact/hooks";
import { sentence, type Choice } from "../answers";
import { Game, type GamePage } from "./context";
import { room } from "../settings";
import { Icon } from "./icon";
import { priceIn } from "./prospect";
import { capital, Case, plain, Rich } from "./text";
import { counted, takenShort } from "../words";
import { LeaveWord } from "./orders";
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
          <Rich text={question.over?.reason ?? question.prompt} begin />
        </span>{" "}
        <Case number={question.over?.case ?? question.case} />
        {side && !question.yours && table.presence.value?.players[side] === false && (
          <span class="quiet"> (not connected)</span>
        )}
      </p>
      {!replaying && <ChoiceButtons game={game} />}
      {!replaying && <DrawOffered game={game} />}
      {!replaying && <LeaveWord game={game} />}
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
  if (hand.ending.value) return [hand.ending.value];
  const menu = hand.menu.value;
  if (menu) return [...menu.choices];
  const base = hand.base.value;
  const prefixed = base !== table.choices.value;
  // Which counter lies on top is asked of a stack that was picked, not of everybody.
  const shown = base.all.filter((choice) => !isTicked(choice) && choice.form.role !== "arrange");
  if (!prefixed && !hand.unit.value && shown.length <= few()) return finishingLast(shown);
  const plain = finishingLast(prefixed ? [] : base.plain.filter((choice) => !isTicked(choice)));
  return [...hand.unitChoices.value.filter((choice) => !isTicked(choice)), ...hand.hexChoices.value, ...plain];
}

/** Who takes part in an attack is ticked on the board or in its card. */
function isTicked({ form }: Choice): boolean {
  return form.step === "join" || form.step === "leave";
}

function finishingLast(choices: readonly Choice[]): Choice[] {
  return [...choices].sort((a, b) => Number(a.form.finishes) - Number(b.form.finishes));
}

export async function chooseButton(game: GamePage, choice: Choice): Promise<void> {
  const { hand, table } = game;
  const declaration = hand.muster.declarations.value.find((one) => one.choice.line === choice.line);
  if (declaration) await hand.muster.declare(declaration);
  else if (hand.menu.value || hand.unit.value) await hand.choose(choice);
  else await table.act([choice.line]);
}

function ChoiceButtons({ game }: { game: GamePage }) {
  const { hand, table } = game;
  const buttons = buttonsOf(game);
  const list = buttons.length > MANY;
  const shown = list ? buttons.filter((choice) => choice.form.finishes) : buttons;
  const lines = shown.map((choice) => choice.line).join();
  useEffect(() => {
    // What cannot be taken back says so before it is given.
    const before = hand.menu.value?.lines ?? [];
    for (const choice of shown) void (before.length ? hand.judge([...before, choice.line]) : hand.weigh(choice));
  }, [lines, table.update.value?.decision]);
  const barred = hand.menu.value || hand.ending.value || hand.unit.value ? [] : table.barred.value;
  if (!buttons.length && !barred.length && !hand.marked.value.size && !hand.group.isHeld) return null;
  return (
    <div class="choices" role="group" aria-label="Choices">
      <Ending game={game} />
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
              {sentence(choice, table.speak)} ({choice.form.case})
            </option>
          ))}
        </select>
      )}
      {shown.map((choice, i) => (
        <ChoiceButton key={choice.line} game={game} choice={choice} number={list ? null : i + 1} />
      ))}
      <InHand game={game} />
      {barred.map(({ form, case: number, why }) => (
        <span class="choice" key={form.name}>
          <button
            type="button"
            aria-disabled="true"
            title={capital(plain(why, table.looks.value))}
            onClick={() => (table.refusal.value = { case: number, why, line: null, stale: false })}
          >
            {capital(form.sentence)}
          </button>
          <Case number={number} />
        </span>
      ))}
      {(hand.menu.value || hand.ending.value) && (
        <button type="button" onClick={() => (hand.menu.value = hand.ending.value = null)}>
          <kbd aria-hidden="true">Esc</kbd> Not now
        </button>
      )}
      <Marked game={game} />
    </div>
  );
}

function ChoiceButton({ game, choice, number }: { game: GamePage; choice: Choice; number: number | null }) {
  const { hand, table } = game;
  const final = hand.finality.value.get(choice.line);
  const declared = hand.muster.declarations.value.find((one) => one.choice.line === choice.line);
  const prospect = declared?.prospect ?? hand.weighed.value.get(choice.line);
  const price = hand.prices.value.get(choice.line) ?? priceIn(prospect);
  const said = sentence(choice, table.speak);
  const told = hand.ending.value === choice ? `${said} all the same` : said;
  return (
    <span class="choice">
      <button
        type="button"
        class={choice.form.finishes ? "main" : ""}
        disabled={table.busy.value}
        onMouseEnter={() => choice.hexes[0] && hand.point(choice.hexes[0])}
        onMouseLeave={() => choice.hexes[0] && hand.point(null)}
        title={final ? `Cannot be taken back: ${final}` : choice.line}
        onClick={(e) => {
          // After a click of the mouse, Space shall mean the next unit and not this button again.
          if (e.detail) e.currentTarget.blur();
          if (choice.form.role === "end-phase" && !hand.ending.value) void hand.finish();
          else void chooseButton(game, choice);
        }}
      >
        {number !== null && number < 10 && <kbd aria-hidden="true">{number}</kbd>}
        {told}
        {price && <small class="price">{price}</small>}
        {hand.chances.value.has(choice.line) && <small class="price">{hand.chances.value.get(choice.line)}</small>}
        {prospect?.gist && <small class="price">takes the hex {takenShort(prospect.gist, prospect.guess)}</small>}
        {final && (
          <small class="final" aria-label={`cannot be taken back: ${final}`}>
            final
          </small>
        )}
      </button>
      <Case number={choice.form.case} />
    </span>
  );
}

/** What the hand holds: several units, or one that can be set aside. */
function InHand({ game: { hand, table } }: { game: GamePage }) {
  const { group } = hand;
  const unit = hand.unit.value;
  if (group.isHeld)
    return (
      <span class="hint">
        {counted(group.units.value.length, "unit")} in the hand: click where all of them go ({counted(group.reach.value.size, "hex", "hexes")})
      </span>
    );
  if (unit && table.stuck.value.has(unit)) return <span class="hint">It can go nowhere now: click a hex to hear why</span>;
  if (!unit || !table.choices.value.idle.includes(unit) || hand.menu.value) return null;
  return (
    <button type="button" title="Set this unit aside for this phase (X)" onClick={() => hand.setAside(unit)}>
      <kbd aria-hidden="true">X</kbd> {hand.done.value.has(unit) ? "Not done yet" : "Done for now"}
    </button>
  );
}

/** Before a phase is ended with units that could still act, or something is done that cannot be taken back. */
function Ending({ game: { hand } }: { game: GamePage }) {
  const choice = hand.ending.value;
  if (!choice) return null;
  const idle = choice.form.role === "end-phase" ? hand.waiting.value.length : 0;
  const final = hand.finality.value.get(choice.line);
  return (
    <span class="hint" role="alert">
      {idle > 0 && `${counted(idle, "unit")} could still act; Space shows the next. `}
      {final && `It cannot be taken back: ${final}.`}
    </span>
  );
}

/** What the hexes mean that are marked without anything being picked. */
function Marked({ game: { hand } }: { game: GamePage }) {
  const forms = new Map<string, { sentence: string; hexes: number }>();
  if (!hand.unit.value && !hand.menu.value && !hand.ending.value)
    for (const choices of hand.marked.value.values())
      for (const { form } of choices) {
        const told = form.sentence.replace(/\{\w+\}/g, "…");
        forms.set(form.name, { sentence: told, hexes: (forms.get(form.name)?.hexes ?? 0) + 1 });
      }
  return (
    <>
      {[...forms].map(([name, { sentence: told, hexes }]) => (
        <span class="hint" key={name}>
          <i class="swatch-marked" aria-hidden="true" /> {capital(told)}: click one of {counted(hexes, "marked hex", "marked hexes")}
        </span>
      ))}
    </>
  );
}

function RefusalLine({ game }: { game: GamePage }) {
  const { refusal } = game.table;
  return (
    <div role="alert" class="refusal-slot">
      {refusal.value && (
        <p class="refusal">
          <Rich text={refusal.value.why} begin /> <Case number={refusal.value.case} />
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
