/** A first game, guided by what the decisions ask: the rule behind each, what can be done, and where to click. */

import { signal, useSignal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { cases, library } from "../api";
import type { Choice } from "../answers";
import type { CaseInfo, Form } from "../wire";
import { Game } from "./context";
import { capital, Case, Rich } from "./text";

const KEY = "grognard.guide";
const on = signal(localStorage.getItem(KEY) !== "off");

/** Leads on or not, in every game of this browser. */
export function setGuide(value: boolean): void {
  on.value = value;
  localStorage.setItem(KEY, value ? "on" : "off");
}

/** In the learning scenario of a rulebook, its first one, until it is sent away. */
export function GuideCard() {
  const { table } = useContext(Game);
  const rules = useSignal<ReadonlyMap<string, CaseInfo>>(new Map());
  const learning = useSignal(false);
  const info = table.info.value;
  useEffect(() => {
    if (!info) return;
    // Without the server there is nobody to learn from either.
    const nothing = (): void => undefined;
    void library().then(({ rulebooks }) => {
      const book = rulebooks.find((one) => one.name === info.rulebook);
      learning.value = info.scenario !== null && book?.scenarios[0]?.name === info.scenario;
    }, nothing);
    void cases(info.rulebook).then((all) => (rules.value = new Map(all.map((one) => [one.number, one]))), nothing);
  }, [info?.id]);
  const question = table.question.value;
  if (!on.value || !learning.value || !question?.yours || question.over || table.moment.value) return null;
  const rule = rules.value.get(question.case);
  const forms = new Map<string, Choice[]>();
  for (const choice of table.choices.value.all) forms.set(choice.form.name, [...(forms.get(choice.form.name) ?? []), choice]);
  return (
    <section class="card guide" aria-label="Guide">
      <header>
        <h2>{rule ? rule.title : "Your decision"}</h2>
        <button type="button" class="small" onClick={() => setGuide(false)}>
          I know my way
        </button>
      </header>
      {rule && (
        <p>
          <Rich text={rule.statement} begin /> <Case number={rule.number} />
        </p>
      )}
      <ul>
        {[...forms.values()].map(([first]) => first && <Hint key={first.form.name} form={first.form} />)}
      </ul>
    </section>
  );
}

function Hint({ form }: { form: Form }) {
  const told = capital(form.sentence.replace(/\{\w+\}/g, "…"));
  return (
    <li>
      <b>{told}</b> <Case number={form.case} />: {how(form)}
    </li>
  );
}

/** Where to click for an answer of this sort. */
function how(form: Form): string {
  const names = (kind: string): boolean => form.fields.some((field) => field.kind === kind);
  const unit = names("unit") || names("units");
  if (form.step === "name") return "click the enemy, then J for all who can, or tick who attacks";
  if (form.step === "join" || form.step === "leave") return "click the counter, or tick it in the card of the attack";
  if (unit && names("hex")) return "click a counter with a yellow rim, then the hex";
  if (unit) return "click a counter with a yellow rim; then its hexes or its button";
  if (names("hex")) return "click one of the marked hexes";
  return form.role === "end-phase" ? "the green button, when you have done what you want" : "a button beside the question";
}
