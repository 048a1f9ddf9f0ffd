/** A full turn of every rulebook: two people in two browsers, and a person against the program. */

import type { Page } from "@playwright/test";
import { actions, another, BOOKS, create, expect, panel, prompt, secretOf, sit, test } from "./game";

const turnOf = async (page: Page): Promise<number> => Number(await page.locator(".turn b").textContent());
const over = (page: Page) => page.locator(".prompt[data-side=none]");

/**
 * Makes one decision as a person would without a plan: sometimes the first thing that is offered, mostly the finishing
 * answer. True when a decision was there to be made.
 */
async function decide(page: Page, wild: boolean): Promise<boolean> {
  if ((await page.locator(".prompt").getAttribute("data-yours")) !== "true") return false;
  const before = await actions(page);
  const main = page.locator(".choices button.main");
  if (!wild && (await main.count())) {
    await main.first().click();
    const again = page.locator(".choices .hint[role=alert]");
    await expect.poll(async () => (await actions(page)) > before || (await again.isVisible())).toBe(true);
    if ((await actions(page)) === before) await main.first().click();
  } else {
    if (!(await page.locator(".typed input").isVisible())) await page.keyboard.press("/");
    const line = await page.locator("#actions option").first().getAttribute("value");
    await page.locator(".typed input").fill(line ?? "");
    await page.locator(".typed input").press("Enter");
  }
  await expect.poll(() => actions(page), { message: "the answer was taken" }).toBeGreaterThan(before);
  await expect(page.locator(".refusal")).toHaveCount(0);
  return true;
}

async function playTurn(pages: Page[]): Promise<void> {
  const first = pages[0]!;
  const turn = await turnOf(first);
  for (let i = 0; i < 400; i++) {
    if ((await turnOf(first)) > turn || (await over(first).count())) return;
    for (const page of pages) if (await decide(page, i % 3 === 1 && i < 40)) break;
    // Whoever decides next is told at once; the program takes its time.
    await expect
      .poll(async () => {
        if ((await over(first).count()) || (await turnOf(first)) > turn) return true;
        const yours = await Promise.all(pages.map((page) => page.locator(".prompt").getAttribute("data-yours")));
        return yours.includes("true");
      })
      .toBe(true);
  }
  throw new Error("the turn does not end");
}

for (const { scenario, first } of BOOKS) {
  test(`${scenario}: a turn between two people`, async ({ page, server }) => {
    const game = await create(server, { scenario, seed: "two" });
    await sit(page, secretOf(game, "axis"));
    const other = await another(page);
    await sit(other, secretOf(game, "soviet"));
    const begins = first === "axis" ? page : other;
    await expect(begins.locator(".prompt")).toHaveAttribute("data-yours", "true");
    await playTurn([page, other]);
    await expect(prompt(page)).not.toBeEmpty();
    expect(await turnOf(other)).toBe(await turnOf(page));
    await other.context().close();
  });

  test(`${scenario}: a turn against the program`, async ({ page, server }) => {
    const game = await create(server, {
      scenario,
      seed: "one",
      players: { axis: { name: "" }, soviet: { name: "", level: "random" } },
    });
    await sit(page, secretOf(game, "axis"));
    await playTurn([page]);
    await panel(page, "Log");
    await expect(page.locator(".log .entry.soviet").first()).toBeVisible();
  });
}
