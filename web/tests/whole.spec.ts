/** Whole games through the browser against the program, decided by what the screen shows, to the page that tells the result. */

import type { Page } from "@playwright/test";
import { actions, choice, clickHex, create, expect, secretOf, sit, test, Told } from "./game";

const GAMES = [
  { scenario: "dagc/vitebsk", side: "soviet", enemy: "axis" },
  { scenario: "bug/ustyluh", side: "axis", enemy: "soviet" },
] as const;

const SHOTS = process.env["SHOTS"];
/** An attack is made from this chance on. */
const WORTH = 40;

/** The target with the most who could attack it, put together on the board; true when it was declared. */
async function attack(page: Page, told: Told, tried: Set<string>): Promise<boolean> {
  const targets = new Map<string, number>();
  for (const [, hex] of told.answers((form) => form.step === "name")) if (hex && !tried.has(hex)) targets.set(hex, (targets.get(hex) ?? 0) + 1);
  const [target] = [...targets].sort(([, a], [, b]) => b - a)[0] ?? [];
  if (!target) return false;
  tried.add(target);
  await clickHex(page, target);
  await expect(page.getByRole("region", { name: `Attack on ${target}` })).toBeVisible();
  await page.keyboard.press("j");
  const declare = choice(page, /takes the hex/).first();
  await expect(declare.or(page.locator(".attack .quiet")).first()).toBeVisible();
  const chance = Number(/(\d+) %/.exec((await declare.textContent().catch(() => "")) ?? "")?.[1] ?? 0);
  const at = await actions(page);
  if (chance >= WORTH) await declare.click();
  else await choice(page, /call the attack off/i).click();
  await expect.poll(() => actions(page)).toBeGreaterThan(at);
  return true;
}

/** What is asked is answered: by an attack that is worth it, by the main button, or by the first that is offered. */
async function decide(page: Page, told: Told, tried: Set<string>): Promise<void> {
  if (told.answers((form) => form.step === "name").length && (await attack(page, told, tried))) return;
  const at = await actions(page);
  const main = page.locator(".choices .main");
  // Something to do comes before letting it be, now and then: an activation, not a pass.
  const acts = told.answers((form) => form.role === "plain" && form.name === "activate");
  if (acts.length) {
    await page.keyboard.press("/");
    await page.locator(".typed input").fill(`activate ${acts[0]!.join(" ")}`);
    await page.locator(".typed input").press("Enter");
    await expect.poll(() => actions(page)).toBeGreaterThan(at);
    await page.locator(".typed input").press("Escape");
    return;
  }
  if (await main.count()) await main.first().click();
  else await page.keyboard.press("1");
  const again = page.locator(".choices .hint[role=alert]");
  await expect.poll(async () => (await actions(page)) > at || (await again.count()) > 0).toBe(true);
  if ((await actions(page)) === at) await page.keyboard.press("1");
  await expect.poll(() => actions(page)).toBeGreaterThan(at);
}

for (const { scenario, side, enemy } of GAMES)
  test(`${scenario}: a whole game against the program`, async ({ page, server }) => {
    test.setTimeout(400_000);
    const players = { axis: { name: "" }, soviet: { name: "" }, [enemy]: { name: "", level: "recruit" } };
    const game = await create(server, { scenario, seed: "whole", players });
    const told = new Told(page);
    await sit(page, secretOf(game, side));
    const shoot = async (name: string): Promise<void> => {
      if (SHOTS) await page.screenshot({ path: `${SHOTS}/${scenario.replace("/", "-")}-${name}.png` });
    };
    const over = page.locator(".prompt[data-side=none]");
    let phase = "";
    let tried = new Set<string>();
    for (let i = 0; i < 600 && !(await over.count()); i++) {
      await expect(page.locator(".prompt[data-yours=true]").or(over).first()).toBeVisible({ timeout: 60_000 });
      if (await over.count()) break;
      await expect.poll(async () => told.update.at === (await actions(page))).toBe(true);
      const now = `${told.update.view.turn} ${told.update.view.phase}`;
      if (now !== phase) {
        tried = new Set();
        await shoot(`${String(i).padStart(3, "0")}`);
      }
      phase = now;
      if (!told.update.question.yours) continue;
      await decide(page, told, tried);
      await expect(page.locator(".refusal")).toHaveCount(0);
    }
    await expect(page.getByRole("dialog", { name: /victory|draw/i })).toBeVisible({ timeout: 60_000 });
    await shoot("result");
  });
