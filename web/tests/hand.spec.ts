/** What a click means: it selects, and nothing acts by surprise. */

import type { Page } from "@playwright/test";
import { actions, choice, clickHex, create, expect, finish, geometryOf, openText, prompt, refusal, secretOf, sit, test, type } from "./game";

/** The German division acts; a die that may be rolled again stands. */
async function activate(page: Page): Promise<void> {
  await type(page, "activate 298ID");
  const keep = choice(page, /let the roll stand/i);
  await expect(keep.or(choice(page, /end this/i)).first()).toBeVisible();
  if (await keep.count()) await keep.click();
  await expect(choice(page, /end this/i)).toBeVisible();
  // The field must not swallow the keys that follow.
  const typed = page.locator(".typed input");
  if (await typed.isVisible()) await typed.press("Escape");
}

test("bug: a click on a stack selects; what the hex can do are buttons with their price", async ({ page, server }) => {
  const game = await create(server, { scenario: "bug/ustyluh", seed: "7" });
  await sit(page, secretOf(game, "axis"));
  await activate(page);
  const before = await actions(page);
  for (const hex of ["0909", "0808", "0909", "0708"]) await clickHex(page, hex);
  await expect(page.locator(".piece.picked")).toHaveCount(1);
  // Where the hex itself can do something, that is a button.
  const improve = choice(page, /improve the defense/i);
  if (await improve.count()) await expect(improve.first()).toBeVisible();
  expect(await actions(page)).toBe(before);
});

test("dagc: End and E are safe, and what a rule forbids stands there with its reason", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/historical", seed: "c" });
  await sit(page, secretOf(game, "soviet"));
  const end = choice(page, /end the phase/i);
  // On turn 1 of the historical scenario attacks are forced: the button is there, and says why not.
  await expect(prompt(page)).toContainText(/attack/i);
  await expect(end).toHaveAttribute("aria-disabled", "true");
  await page.keyboard.press("e");
  await expect(refusal(page).locator(".case")).toHaveText("11.1c");
  expect(await actions(page)).toBe(0);
});

test("mini: ending a phase with units that could act asks once, and shows the next", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, "axis"));
  for (let i = 0; i < 3; i++) await page.keyboard.press("e");
  await expect(page.locator(".choices .hint[role=alert]")).toContainText(/\d units could still act/);
  expect(await actions(page)).toBe(0);
  await page.keyboard.press(" ");
  await expect(page.locator(".piece.picked")).toHaveCount(1);
  await expect(page.locator(".choices .hint[role=alert]")).toHaveCount(0);
  await page.keyboard.press("Escape");
  await finish(page);
  expect(await actions(page)).toBe(1);
});

/** In this position panzers and jaeger stand beside rifles, and nothing was rolled yet. */
const COMBAT = `rulebook = "mini"
turn = 1
turns = 2
luck = ""
stack = ["combat axis"]

[map]
grid = """
. . . . . .
 . . . . . .
. . w . . .
"""

[units]
panzers = "0301"
jaeger = "0302"
flak = "0102"
rifles-1 = "0401"
tanks = "0603"
`;

test("mini: an attack in three inputs: the target, all who can, declare", async ({ page, server }) => {
  const game = await openText(server, "combat.toml", COMBAT);
  await sit(page, secretOf(game, "axis"));
  await clickHex(page, "0401");
  const card = page.getByRole("region", { name: "Attack on 0401" });
  await expect(card.getByRole("checkbox")).toHaveCount(2);
  await page.keyboard.press("j");
  await expect(card.getByRole("checkbox", { checked: true })).toHaveCount(2);
  const declare = choice(page, /declare/i).first();
  await expect(declare).toContainText(/takes the hex \d+/);
  await expect(declare).toContainText("final");
  await expect(card.locator(".gist")).toContainText("Takes the hex");
  // Good comes before bad, and codes are spelled out.
  const ways = card.locator(".way-label");
  await expect(ways.first()).toContainText("every defender loses a step");
  await expect(ways.last()).toContainText("no effect");
  await declare.click();
  await expect.poll(() => actions(page)).toBe(3);
  await page.keyboard.press("l");
  await expect(page.locator(".log .die").first()).toBeVisible();
});

test("mini: who takes part is ticked and unticked on the board and in the card, and called off", async ({ page, server }) => {
  const game = await openText(server, "combat.toml", COMBAT);
  await sit(page, secretOf(game, "axis"));
  await clickHex(page, "0301");
  await clickHex(page, "0401");
  const card = page.getByRole("region", { name: "Attack on 0401" });
  const ticked = card.getByRole("checkbox", { checked: true });
  await expect(ticked).toHaveCount(1);
  await clickHex(page, "0302");
  await expect(ticked).toHaveCount(2);
  await clickHex(page, "0302");
  await expect(ticked).toHaveCount(1);
  await card.getByRole("checkbox", { checked: false }).click();
  await expect(ticked).toHaveCount(2);
  await choice(page, /call the attack off/i).click();
  await expect(card).toHaveCount(0);
});

for (const scenario of ["mini/ford", "dagc/vitebsk", "bug/ustyluh"])
  test(`${scenario}: with a unit in the hand every hex answers with a reason or with something to do`, async ({ page, server }) => {
    const game = await create(server, { scenario, seed: "click" });
    const side = scenario.startsWith("dagc") ? "soviet" : "axis";
    await sit(page, secretOf(game, side));
    if (scenario.startsWith("bug")) await activate(page);
    await page.keyboard.press("0");
    await page.keyboard.press(" ");
    await expect(page.locator(".piece.picked")).toHaveCount(1);
    const before = await actions(page);
    const { hexes } = await geometryOf(page);
    const chosen = hexes.filter((_, i) => i % Math.ceil(hexes.length / 12) === 3);
    for (const { label } of chosen) {
      await page.keyboard.press("Escape");
      await page.keyboard.press(" ");
      await expect(page.locator(".piece.picked")).toHaveCount(1);
      const told = page.locator(".refusal, .choices .hint, .choices .final");
      await clickHex(page, label);
      const answered = async (): Promise<boolean> =>
        (await actions(page)) > before ||
        (await told.count()) > 0 ||
        (await page.getByRole("region", { name: `Hex ${label}` }).locator(".piece").count()) > 0;
      await expect.poll(answered, { message: `${label} says nothing` }).toBe(true);
      if (await refusal(page).count()) await expect(refusal(page).locator(".case").first()).toHaveText(/^\d+\.\d+/);
      // What is on its way is waited for.
      await expect(page.locator(".choices button:disabled")).toHaveCount(0);
      await page.waitForTimeout(200);
      while ((await actions(page)) > before) {
        const at = await actions(page);
        await page.keyboard.press("z");
        await expect.poll(() => actions(page)).toBeLessThan(at);
      }
    }
  });
