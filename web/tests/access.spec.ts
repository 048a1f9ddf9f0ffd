/** For every hand and eye: axe finds nothing wrong, in light and dark, with every panel open. */

import { audit } from "./audit";
import { create, expect, panel, secretOf, sit, test, type } from "./game";

for (const colorScheme of ["light", "dark"] as const)
  test(`axe finds nothing in ${colorScheme}`, async ({ page, server }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await expect(page.getByRole("heading", { name: "New game" })).toBeVisible();
    await audit(page, "lobby");
    const game = await create(server, { scenario: "dagc/vitebsk", seed: "c" });
    await sit(page, secretOf(game, "soviet"));
    await page.keyboard.press(" ");
    await expect(page.locator(".piece.picked")).toHaveCount(1);
    await audit(page, "a unit picked");
    await type(page, "name sov-5 3700");
    await expect(page.locator(".prospect")).toBeVisible();
    await audit(page, "an attack");
    for (const name of ["Log", "Units", "Tables", "Rules"] as const) {
      await panel(page, name);
      await audit(page, name);
    }
    await page.getByRole("button", { name: "Replay" }).click();
    await expect(page.getByRole("region", { name: "Replay" })).toBeVisible();
    await audit(page, "replay");
    await page.keyboard.press("Escape");
    for (const name of ["Settings", "Help", "Share", "Find"]) {
      await page.getByRole("button", { name, exact: true }).click();
      await expect(page.locator("dialog[open]")).toBeVisible();
      await audit(page, name);
      await page.keyboard.press("Escape");
      await expect(page.locator("dialog[open]")).toHaveCount(0);
    }
  });
