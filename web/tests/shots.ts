/** Pictures of the client at three sizes, light and dark. `npm run shots` writes them to docs/img. */

import type { Page } from "@playwright/test";
import { clickHex, create, expect, pointAt, secretOf, sit, test, type } from "./game";

const FOLDER = process.env["SHOTS"] ?? `${import.meta.dirname}/../../docs/img`;
const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
];

async function shoot(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${FOLDER}/client-${name}.jpg`, type: "jpeg", quality: 80 });
}

for (const colorScheme of ["light", "dark"] as const)
  for (const viewport of SIZES) {
    const suffix = `${viewport.width}-${colorScheme}`;
    test(`pictures at ${suffix}`, async ({ browser, server }) => {
      const context = await browser.newContext({ baseURL: server.url, viewport, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      await page.addInitScript(() => localStorage.setItem("grognard.details", "open"));
      const first = viewport === SIZES[0] && colorScheme === "light";
      await page.goto("/");
      await expect(page.getByRole("heading", { name: "New game" })).toBeVisible();
      if (first) await shoot(page, "lobby");

      const game = await create(server, { scenario: "dagc/historical", seed: "c" });
      await sit(page, secretOf(game, "soviet"));
      await clickHex(page, "3600");
      await clickHex(page, "3700");
      await expect(page.locator("#prompt")).toContainText(/add units/i);
      await type(page, "join sov-11G");
      await page.keyboard.press("Escape");
      await expect(page.locator(".prospect .ways")).toContainText("DR");
      await page.mouse.move(5, 5);
      await shoot(page, `attack-${suffix}`);
      if (!first) return context.close();

      const mini = await create(server, { scenario: "mini/ford", seed: "c" });
      await sit(page, secretOf(mini, "axis"));
      await clickHex(page, "1005");
      await pointAt(page, "1302");
      await pointAt(page, "1303");
      await expect(page.locator(".route .part").first()).toBeVisible();
      await shoot(page, "move");

      const bug = await create(server, { scenario: "bug/ustyluh", seed: "c" });
      await sit(page, secretOf(bug, "axis"));
      await type(page, "activate 298ID");
      await page.keyboard.press("Escape");
      if (await page.locator(".choices").getByRole("button", { name: /let the roll stand/i }).count()) await page.keyboard.press("e");
      await clickHex(page, "1009");
      await page.keyboard.press("j");
      await expect(page.locator(".choices .price").nth(5)).toBeVisible();
      await page.mouse.move(5, 5);
      await shoot(page, "bug");

      const campaign = await create(server, { scenario: "barbarossa/campaign", seed: "c" });
      await sit(page, secretOf(campaign, "axis"));
      await type(page, "deploy-all");
      await page.keyboard.press("Escape");
      await page.locator("button.turn").click();
      await expect(page.locator(".track-box[aria-current=step]")).toBeVisible();
      await shoot(page, "track");
      await context.close();
    });
  }
