/** Charts as tables, the luck ledger, and the rulebook's cases in our own words. */

import { useSignal } from "@preact/signals";
import { useContext, useEffect, useMemo, useRef } from "preact/hooks";
import { cases, tables } from "../api";
import type { CaseInfo, Luck, Sheet } from "../wire";
import { Game } from "./context";
import { termsOf } from "../glossary";
import { searchCases } from "../search";
import { counted } from "../words";
import { Case, Rich } from "./text";

/** The server is away; the panel asks again when it is opened again. */
const nothing = (): void => undefined;

export function TablesPanel() {
  const { table } = useContext(Game);
  const sheets = useSignal<readonly Sheet[]>([]);
  const rulebook = table.info.value?.rulebook;
  useEffect(() => {
    if (rulebook) void tables(rulebook).then((found) => (sheets.value = found), nothing);
  }, [rulebook]);
  return (
    <section class="tables">
      <LuckLedger />
      {sheets.value.map((sheet) => (
        <SheetTable key={sheet.name} sheet={sheet} />
      ))}
    </section>
  );
}

/** The column that the account of the present attack names, so that it can be lit. */
function useColumn(): ReadonlySet<string> {
  const { hand } = useContext(Game);
  const account = hand.prospect.value?.account ?? hand.muster.declarations.value[0]?.prospect?.account ?? [];
  const column = account.filter((event) => event.role === "column").at(-1);
  return new Set(Object.values(column?.fields ?? {}).map(String));
}

function SheetTable({ sheet }: { sheet: Sheet }) {
  const lit = useColumn();
  const isLit = (i: number): boolean => i > 0 && lit.has(sheet.columns[i] ?? "");
  return (
    <details class="card sheet" open>
      <summary>{sheet.title}</summary>
      <div class="scroll" tabIndex={0} role="group" aria-label={sheet.title}>
        <table>
          <thead>
            <tr>
              {sheet.columns.map((column, i) => (
                <th key={i} scope="col" class={isLit(i) ? "lit" : ""} aria-current={isLit(i) ? "true" : undefined}>
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sheet.rows.map((row, r) => (
              <tr key={r}>
                {row.map((cell, i) =>
                  i === 0 ? (
                    <th key={i} scope="row">
                      {cell}
                    </th>
                  ) : (
                    <td key={i} class={isLit(i) ? "lit" : ""}>
                      {cell}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="source">
        {sheet.source && `Source: ${sheet.source}. `}
        {sheet.note} <Case number={sheet.case} />
      </p>
    </details>
  );
}

/** Every die so far against what was to be expected. */
function LuckLedger() {
  const { table } = useContext(Game);
  const luck = useSignal<Luck | null>(null);
  const decision = table.update.value?.decision;
  useEffect(() => {
    void table.ask<"luck">({ what: "luck" }).then((answer) => (luck.value = answer));
  }, [decision]);
  const ledger = luck.value?.ledger ?? [];
  return (
    <details class="card" open={ledger.length > 0}>
      <summary>Luck ledger</summary>
      {!ledger.length && <p class="quiet">No die has been rolled yet.</p>}
      {ledger.length > 0 && (
        <div class="scroll" tabIndex={0} role="group" aria-label="Luck ledger">
          <table>
            <thead>
              <tr>
                <th scope="col">Side</th>
                <th scope="col">For</th>
                <th scope="col">Dice</th>
                <th scope="col">Sum</th>
                <th scope="col">Expected</th>
                <th scope="col">Luck</th>
              </tr>
            </thead>
            <tbody>
              {ledger.map((line, i) => (
                <tr key={i}>
                  <th scope="row">{table.sideName(line.side)}</th>
                  <td>{line.purpose}</td>
                  <td title={line.faces.map((count, face) => `${face + 1}: ${count}`).join(", ")}>
                    {line.count} d{line.die}
                  </td>
                  <td>{line.sum}</td>
                  <td>{line.expected.toFixed(1)}</td>
                  <td>{signed(line.sum - line.expected)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {table.info.value?.commitment && (
        <p class="source">
          Commitment to the server&rsquo;s part of the dice: <code class="hash">{table.info.value.commitment}</code>
        </p>
      )}
      {table.info.value?.seed_chosen && <p class="source">Somebody chose the seed of the dice, and so could know them.</p>}
    </details>
  );
}

function signed(n: number): string {
  return `${n > 0 ? "+" : n < 0 ? "−" : ""}${Math.abs(n).toFixed(1)}`;
}

export function CasesPanel() {
  const { table, openCase } = useContext(Game);
  const all = useSignal<readonly CaseInfo[]>([]);
  const wanted = useSignal("");
  const list = useRef<HTMLDListElement>(null);
  const rulebook = table.info.value?.rulebook;
  useEffect(() => {
    if (rulebook) void cases(rulebook).then((found) => (all.value = found), nothing);
  }, [rulebook]);
  const open = openCase.value;
  useEffect(() => {
    if (open) wanted.value = "";
  }, [open]);
  useEffect(() => {
    list.current?.querySelector("[data-open=true]")?.scrollIntoView({ block: "center" });
  }, [open, all.value]);
  const found = useMemo(() => searchCases(all.value, wanted.value, termsOf(rulebook)), [all.value, wanted.value, rulebook]);
  return (
    <section class="cases">
      <label class="search">
        Search the rules{" "}
        <input type="search" value={wanted.value} onInput={(e) => (wanted.value = e.currentTarget.value)} />
      </label>
      <p class="quiet" role="status">
        {table.info.value?.title}, {table.info.value?.edition}. {counted(found.length, "case")}, in our own words.
      </p>
      <dl ref={list}>
        {found.map((one) => (
          <div key={one.number} data-open={one.number === open} class="rule">
            <dt>
              <b>{one.number}</b> {one.title} <small>{one.kind}</small>
            </dt>
            <dd>
              <Rich text={one.statement} begin />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
