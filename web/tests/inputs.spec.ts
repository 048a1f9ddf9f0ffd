/** How many inputs a turn takes: clicks and keys are counted while a script plays as a person would. */

import type { Page } from "@playwright/test";
import { actions, choice, clickHex, create, expect, secretOf, sit, test, Told } from "./game";

/** Hands that count. */
class Hands {
  inputs = 0;

  constructor(private readonly page: Page) {}

  async click(hex: string): Promise<void> {
    this.inputs++;
    await clickHex(this.page, hex);
  }

  async press(key: string): Promise<void> {
    this.inputs++;
    await this.page.keyboard.press(key);
  }

  async button(name: RegExp): Promise<void> {
    this.inputs++;
    await choice(this.page, name).first().click();
  }
}

/** What the attacker is asked after the die, and the enemy's answers to it, are answered by the first finishing button or answer. */
async function settle(page: Page, told: Told, hands: Hands, phase: string): Promise<void> {
  for (let i = 0; i < 40; i++) {
    await settled(page, told);
    const { question, view } = told.update;
    const forms = question.answers.map(({ form }) => told.forms[form]!);
    if (view.phase !== phase || !question.side || forms.some((form) => form.step === "name" || form.role === "end-phase")) return;
    if (forms.every((form) => form.step !== null)) return;
    const before = await actions(page);
    if (await page.locator(".choices .main").count()) await hands.press("e");
    else await hands.press("1");
    await expect.poll(async () => (await actions(page)) > before || (await page.locator(".choices .hint[role=alert]").count()) > 0).toBe(true);
    if ((await actions(page)) === before) await hands.press("1");
    await expect.poll(() => actions(page)).toBeGreaterThan(before);
  }
}

/** Until what the page shows is what it was told, and somebody is asked. */
async function settled(page: Page, told: Told): Promise<void> {
  await expect.poll(async () => told.update.at === (await actions(page)) && (!told.update.question.side || told.update.question.answers.length > 0)).toBe(true);
}

test("dagc/historical: an attack in 3 inputs, a move in 2, a turn of 30 units under 100", async ({ page, server }) => {
  test.setTimeout(300_000);
  const game = await create(server, { scenario: "dagc/historical", seed: "inputs" });
  const told = new Told(page);
  await sit(page, secretOf(game, "axis+soviet"));
  // One person for both sides, who sees what both see: what the German side is asked is not counted.
  await page.keyboard.press("o");
  await page.getByRole("region", { name: "Overlays" }).getByRole("combobox").selectOption("all");
  await page.keyboard.press("o");
  await page.keyboard.press("0");
  const hands = new Hands(page);
  const enemy = new Hands(page);
  const settleAll = async (): Promise<void> => {
    const { phase } = told.update.view;
    for (let i = 0; i < 20; i++) {
      const before = await actions(page);
      await settle(page, told, told.update.question.side === "soviet" ? hands : enemy, phase);
      if ((await actions(page)) === before) return;
    }
  };
  const attacks: number[] = [];
  const moves: number[] = [];
  /** Units that have attacked or moved. */
  let deeds = 0;
  const turn = told.update.view.turn;
  const phase = told.update.view.phase;
  await test.step("attacks", async () => {
    for (let i = 0; i < 40 && told.update.view.phase === phase; i++) {
      await settled(page, told);
      const named = told.answers((form) => form.step === "name");
      if (!named.length && told.answers((form) => form.role === "end-phase").length) break;
      if (!named.length) {
        await settleAll();
        continue;
      }
      const target = named[0]![1]!;
      const before = hands.inputs;
      await hands.click(target);
      await expect(page.getByRole("region", { name: `Attack on ${target}` })).toBeVisible();
      await hands.press("j");
      await expect(choice(page, /declare/i).first()).toContainText(/takes the hex/);
      const units = page.getByRole("region", { name: `Attack on ${target}` }).getByRole("checkbox", { checked: true });
      deeds += await units.count();
      const at = await actions(page);
      await hands.button(/declare/i);
      await expect.poll(() => actions(page)).toBeGreaterThan(at);
      await expect.poll(() => told.update.question.answers.some(({ form }) => told.forms[form]?.step === "cancel")).toBe(false);
      attacks.push(hands.inputs - before);
      await settleAll();
    }
  });
  await test.step("on to the movement phase", async () => {
    for (let i = 0; i < 12 && !told.answers((form) => form.name === "move").length && told.update.view.turn === turn; i++) {
      const at = await actions(page);
      await settleAll();
      if (told.answers((form) => form.name === "move").length) break;
      await hands.press("e");
      const asked = page.locator(".choices .hint[role=alert]");
      await expect.poll(async () => (await actions(page)) > at || (await asked.count()) > 0).toBe(true);
      if ((await actions(page)) === at) await hands.press("1");
      await expect.poll(() => actions(page)).toBeGreaterThan(at);
    }
  });
  await test.step("moves", async () => {
    const tried = new Set<string>();
    for (let i = 0; i < 60 && deeds < 30; i++) {
      const stuck = new Set(told.update.question.stuck);
      const able = told.answers((form) => form.name === "move").map(([unit]) => unit!);
      const unit = able.find((one) => !tried.has(one) && !stuck.has(one) && topOf(told, one));
      if (!unit) break;
      tried.add(unit);
      const from = told.placeOf(unit)!;
      const before = hands.inputs;
      const at = await actions(page);
      told.reach = [];
      await hands.click(from);
      await expect(page.locator(".piece.picked")).toHaveCount(1);
      const to = await reachable(told, from);
      if (!to) {
        await page.keyboard.press("Escape");
        hands.inputs = before;
        continue;
      }
      await hands.click(to);
      await expect.poll(() => actions(page)).toBeGreaterThan(at);
      moves.push(hands.inputs - before);
      deeds++;
    }
  });
  console.log(`${attacks.length} attacks: ${attacks.join(" ")}; ${moves.length} moves: ${moves.join(" ")}; ${deeds} units attacked or moved; ${hands.inputs} inputs in all`);
  expect(Math.max(...attacks)).toBe(3);
  expect(Math.max(...moves)).toBe(2);
  expect(deeds).toBeGreaterThan(10);
  // Everything counts: what is asked after a die, ending phases.
  expect((hands.inputs / deeds) * 30).toBeLessThan(100);
});

/** The unit that a click on its stack picks: the top one. */
function topOf(told: Told, unit: string): boolean {
  const stack = told.update.view.stacks.find(({ pieces }) => pieces.some(({ front }) => front?.unit === unit));
  return stack?.pieces[0]?.front?.unit === unit;
}

/** An empty hex that the picked unit can go to by one click. */
async function reachable(told: Told, from: string): Promise<string | null> {
  await expect.poll(() => told.reach.length).toBeGreaterThan(0);
  const taken = new Set(told.update.view.stacks.map(({ hex }) => hex));
  return told.reach.find((hex) => hex !== from && !taken.has(hex)) ?? null;
}
