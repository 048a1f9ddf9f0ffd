/** Against the program: chosen in the lobby, seen thinking, hurried, explaining itself. */

import type { Page } from "@playwright/test";
import { actions, create, expect, finish, prompt, ready, secretOf, sit, test } from "./game";

const turn = async (page: Page): Promise<number> => Number(await page.locator(".turn b").textContent());

test("the Ford against a recruit, from the lobby", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /The Ford/ }).click();
  await page.getByRole("radio", { name: "The program: recruit" }).check();
  await expect(page.getByText("Takes what looks best at the moment", { exact: false })).toBeVisible();
  await page.getByRole("radio", { name: "Axis", exact: true }).check();
  await page.getByRole("button", { name: /^Start/ }).click();
  await ready(page);
  for (let tries = 0; tries < 200 && (await turn(page)) < 3; tries++) {
    const yours = page.locator(".prompt[data-yours=true]");
    await expect(yours).toBeVisible();
    const at = await actions(page);
    // Where nothing finishes the decision, the first answer serves.
    if (await page.locator(".choices .main").count()) await finish(page);
    else await page.keyboard.press("1");
    await expect.poll(() => actions(page)).toBeGreaterThan(at);
  }
  expect(await turn(page)).toBeGreaterThanOrEqual(3);
  await page.getByRole("tab", { name: "Log" }).click();
  await expect(page.locator(".log .entry.soviet").first()).toBeVisible();
  await expect(page.getByRole("tab", { name: "Reasons" })).toHaveCount(0);
});

test("levels follow the rulebook; a general has its time", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /Destruction of Army Group Center/ }).click();
  await expect(page.getByRole("radio", { name: "The program: officer" })).toBeChecked();
  await expect(page.getByLabel(/Seconds a phase/)).toHaveCount(0);
  await page.getByRole("radio", { name: "The program: general" }).check();
  await expect(page.getByLabel(/Seconds a phase/)).toHaveValue("10");
  await page.getByRole("button", { name: /The Ford/ }).click();
  await expect(page.getByRole("radio", { name: "The program: recruit" })).toBeChecked();
  await expect(page.getByRole("radio", { name: "The program: general" })).toHaveCount(0);
});

test("a general thinks, is hurried, and explains itself at an open table", async ({ page, server }) => {
  const game = await create(server, {
    scenario: "dagc/historical",
    players: { axis: { name: "" }, soviet: { name: "", level: "general" } },
    opponents: { seconds: 300, open_thoughts: true },
  });
  await sit(page, secretOf(game, "axis"));
  await expect(prompt(page)).toContainText("Soviet");
  await expect(page.locator(".thinking")).toContainText("The program is thinking");
  const phase = page.locator(".phase[aria-current=step]");
  const first = await phase.getAttribute("title");
  await page.getByRole("button", { name: "Hurry" }).click();
  // Its attacks ask for answers, too.
  await expect(async () => {
    if (await page.locator(".prompt[data-yours=true]").count()) await page.keyboard.press("1");
    expect(await phase.getAttribute("title")).not.toBe(first);
  }).toPass({ timeout: 80_000, intervals: [100] });
  await page.getByRole("tab", { name: "Reasons" }).click();
  const reasons = page.getByRole("region", { name: "Opponent's reasons" });
  await expect(reasons.locator("article").first()).toContainText("Turn 1");
});
