/** Every rulebook on the shelf, at three sizes, light and dark: everything is within reach, nothing is cut, axe finds nothing. */

import { BOOKS, clickHex, create, expect, panel, secretOf, SIZES, sit, test, Told } from "./game";
import { audit } from "./audit";

for (const { scenario, first } of BOOKS)
  for (const viewport of SIZES)
    for (const colorScheme of ["light", "dark"] as const)
      test(`${scenario} at ${viewport.width} x ${viewport.height}, ${colorScheme}`, async ({ page, server }) => {
        await page.setViewportSize(viewport);
        await page.emulateMedia({ colorScheme });
        const game = await create(server, { scenario, seed: "shelf" });
        await sit(page, secretOf(game, first));
        await expect(page.locator(".prompt")).toHaveAttribute("data-yours", "true");
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
        for (const tool of await page.locator(".tools button").all()) {
          const box = (await tool.boundingBox())!;
          expect(box.x, "a tool begins on the screen").toBeGreaterThanOrEqual(0);
          expect(box.x + box.width, "a tool ends on the screen").toBeLessThanOrEqual(viewport.width);
        }
        const board = (await page.locator("#board").boundingBox())!;
        expect(board.height).toBeGreaterThan(viewport.height / 4);
        await audit(page, "the first decision");
        await page.keyboard.press(" ");
        await audit(page, "a unit picked");
        for (const name of ["Log", "Units", "Tables", "Rules", "Hex"] as const) {
          await panel(page, name);
          await audit(page, name);
        }
        await page.keyboard.press("b");
        await expect(page.locator(".track-box").first()).toBeVisible();
        await audit(page, "the turn track");
        await page.keyboard.press("b");
        await page.keyboard.press("r");
        await expect(page.getByRole("region", { name: "Replay" })).toBeVisible();
        await audit(page, "replay");
        await page.keyboard.press("Escape");
      });

test("bug: what is left of an enemy's strength is not known, and one's own is", async ({ page, server }) => {
  const game = await create(server, { scenario: "bug/ustyluh", seed: "1" });
  const told = new Told(page);
  await sit(page, secretOf(game, "axis"));
  const fronts = told.update.view.stacks.flatMap(({ hex, pieces }) => pieces.flatMap(({ side, front }) => (front ? [{ hex, side, front }] : [])));
  const own = fronts.find(({ side, front }) => side === "axis" && front.steps > 1)!;
  const enemy = fronts.find(({ side, front }) => side === "soviet" && front.at_most)!;
  expect(own.front.at_most).toBe(false);
  await clickHex(page, own.hex);
  await expect(page.locator(".piece").first()).toContainText(/\d of \d steps?/);
  await page.keyboard.press("Escape");
  await clickHex(page, enemy.hex);
  await expect(page.locator(".piece").filter({ has: page.locator(`[data-unit="${enemy.front.unit}"]`) })).toContainText(/at most \d/);
});
