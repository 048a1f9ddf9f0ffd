/** The board under every hand: wheel, drag, pinch, keys; the small map; counters that can be hidden. */

import type { Page } from "@playwright/test";
import { create, expect, pointOf, secretOf, sit, test } from "./game";

interface Camera {
  x: number;
  y: number;
  zoom: number;
}

async function camera(page: Page): Promise<Camera> {
  const [x, y, zoom] = ((await page.locator("#board").getAttribute("data-camera")) ?? "").split(" ").map(Number);
  return { x: x!, y: y!, zoom: zoom! };
}

/** What the board shows. */
async function picture(page: Page): Promise<string> {
  return (await page.locator("#board").screenshot()).toString("base64");
}

test("wheel, drag, keys and the small map move the board", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/historical", seed: "1" });
  await sit(page, secretOf(game, "soviet"));
  const { x, y } = await pointOf(page, "3604");
  const start = await camera(page);
  await page.mouse.move(x, y);
  await page.mouse.wheel(0, -300);
  await expect.poll(async () => (await camera(page)).zoom).toBeGreaterThan(start.zoom);
  const zoomed = await camera(page);
  // What was under the pointer is still there.
  expect(Math.abs((zoomed.x - start.x) * zoomed.zoom - (x * (zoomed.zoom - start.zoom)) / start.zoom)).toBeLessThan(2);
  await page.mouse.down();
  await page.mouse.move(x + 120, y + 60, { steps: 5 });
  await page.mouse.up();
  const panned = await camera(page);
  expect(Math.abs((zoomed.x - panned.x) * zoomed.zoom - 120)).toBeLessThan(2);
  expect(Math.abs((zoomed.y - panned.y) * zoomed.zoom - 60)).toBeLessThan(2);
  await page.keyboard.press("0");
  const whole = await camera(page);
  expect(whole.zoom).toBeLessThan(start.zoom);
  await page.keyboard.press("+");
  await expect.poll(async () => (await camera(page)).zoom).toBeGreaterThan(whole.zoom);
  const before = await camera(page);
  await page.locator(".minimap").click({ position: { x: 20, y: 20 } });
  await expect.poll(async () => (await camera(page)).y).not.toBe(before.y);
});

test("counters are hidden while H is held", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, "axis"));
  await page.mouse.move(5, 5);
  const shown = await picture(page);
  await page.keyboard.down("h");
  await expect.poll(() => picture(page)).not.toBe(shown);
  await page.keyboard.up("h");
  await expect.poll(() => picture(page)).toBe(shown);
});

test("two fingers zoom, one pans, on a tablet", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "1" });
  const context = await page.context().browser()!.newContext({
    baseURL: server.url,
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
  });
  const tablet = await context.newPage();
  await sit(tablet, secretOf(game, "soviet"));
  const session = await context.newCDPSession(tablet);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...points: [number, number][]) =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const start = await camera(tablet);
  await touch("touchStart", [300, 400], [400, 400]);
  for (let i = 1; i <= 5; i++) await touch("touchMove", [300 - i * 15, 400], [400 + i * 15, 400]);
  await touch("touchEnd");
  await expect.poll(async () => (await camera(tablet)).zoom).toBeGreaterThan(start.zoom * 1.5);
  const zoomed = await camera(tablet);
  await touch("touchStart", [300, 400]);
  for (let i = 1; i <= 5; i++) await touch("touchMove", [300 + i * 20, 400]);
  await touch("touchEnd");
  await expect.poll(async () => (await camera(tablet)).x).toBeLessThan(zoomed.x);
  expect((await camera(tablet)).zoom).toBe(zoomed.zoom);
  await context.close();
});

test("the same seat in two windows stays one game", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, "axis"));
  const twin = await page.context().newPage();
  await sit(twin, secretOf(game, "axis"));
  // Both answer the same decision at the same moment: one is done, the other refused without harm.
  for (const one of [page, twin]) await one.keyboard.press("e");
  for (const one of [page, twin]) await expect(one.locator(".choices .hint[role=alert]")).toBeVisible();
  await Promise.all([page.keyboard.press("1"), twin.keyboard.press("1")]);
  await expect(page.locator(".game")).toHaveAttribute("data-at", /[12]/);
  await expect.poll(async () => twin.locator(".game").getAttribute("data-at")).toBe(await page.locator(".game").getAttribute("data-at"));
});
