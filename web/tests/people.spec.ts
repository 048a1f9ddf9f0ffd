/** People at a table: who is here, what is said and to whom; what others did, shown as it was; trying lines for oneself. */

import { actions, another, choice, clickHex, create, expect, openText, panel, prompt, ready, secretOf, sit, test, type } from "./game";

const FIGHT = `[Grognard "record 1"]
[Rulebook "mini"]
[Seed "3"]

| rulebook = "mini"
| turn = 1
| turns = 2
| luck = ""
| stack = ["combat axis"]
| map.grid = """
| . . . . . .
|  . . . . . .
| . . w . . .
| """
| units.panzers = "0301"
| units.jaeger = "0302"
| units.rifles-1 = "0401"
| units.tanks = "0603"
`;

test("players talk among themselves, observers among themselves, and everybody sees who is here", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", you: "axis", players: { axis: { name: "Anna" }, soviet: { name: "Boris" } } });
  await sit(page, secretOf(game, "axis"));
  await expect(page.getByRole("button", { name: /Soviet is not here/ })).toBeVisible();
  const friend = await another(page);
  await friend.goto(`/#/join/${game.invitation!.secret}`);
  await friend.getByRole("button", { name: "Take the seat" }).click();
  await ready(friend);
  await expect(page.getByRole("button", { name: /Soviet is here/ })).toBeVisible();
  const watchers = [await another(page), await another(page)] as const;
  for (const watcher of watchers) await sit(watcher, secretOf(game, ""));

  await panel(page, "Talk");
  await page.getByLabel("Say").fill("Good luck!");
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.locator(".talk li").filter({ hasText: "Good luck!" })).toContainText("Anna (Axis)");
  await expect(friend.getByRole("tab", { name: /Talk 1/ })).toBeVisible();
  await panel(friend, "Talk");
  await expect(friend.locator(".talk")).toContainText("Good luck!");
  await expect(friend.locator(".present")).toContainText("2 people look on");

  await panel(watchers[0], "Talk");
  await watchers[0].getByLabel("Your name").fill("Clara");
  await watchers[0].getByLabel("Say").fill("He should hold the ford");
  await watchers[0].getByRole("button", { name: "Send" }).click();
  await panel(watchers[1], "Talk");
  await expect(watchers[1].locator(".talk")).toContainText("Clara");
  await expect(watchers[1].locator(".talk")).not.toContainText("Good luck!");
  // What is said is kept, and who comes back finds it.
  await friend.reload();
  await ready(friend);
  await panel(friend, "Talk");
  await expect(friend.locator(".talk")).toContainText("Good luck!");
  await expect(friend.locator(".talk")).not.toContainText("hold the ford");
  for (const other of [friend, ...watchers]) await other.context().close();
});

test("an attack of the enemy is shown with its dice and its result, skipped, shown again, and summed up in a line", async ({ page, server }) => {
  const game = await openText(server, "fight.record", FIGHT);
  await sit(page, secretOf(game, "soviet"));
  const enemy = await page.context().newPage();
  await sit(enemy, secretOf(game, "axis"));
  await page.bringToFront();
  await type(enemy, "attack panzers,jaeger 0401");
  const reel = page.getByRole("region", { name: "What others do" });
  await expect(reel.locator(".die")).toHaveAttribute("aria-label", "3 on a d6");
  await expect(reel).toContainText("0401");
  await expect(reel).toContainText(/retreat/);
  await page.keyboard.press("Escape");
  await expect(reel).toHaveCount(0);
  const happened = page.getByRole("region", { name: "What happened" });
  await expect(happened.getByRole("list", { name: "Combats" }).locator("li")).toHaveCount(1);
  await happened.getByRole("button", { name: "Show it again" }).click();
  await expect(reel.locator(".die")).toBeVisible();
  await reel.getByLabel("Pace").selectOption("fast");
  // It ends by itself, and the decision is there all the time.
  await expect(reel).toHaveCount(0);
  await expect(prompt(page)).toContainText(/retreat|stand/i);
  // Whoever acts is up to date at once.
  await happened.getByRole("button", { name: "Show it again" }).click();
  await expect(reel).toBeVisible();
  await clickHex(page, "0401");
  await expect(reel).toHaveCount(0);
});

test("analysis: from one's own view, with dice chosen or rolled, and with an opponent's opinion", async ({ page, server }) => {
  const game = await create(server, {
    scenario: "dagc/vitebsk",
    seed: "1",
    players: { axis: { name: "", level: "random" }, soviet: { name: "" } },
  });
  await sit(page, secretOf(game, "soviet"));
  const before = await actions(page);
  await page.keyboard.press("r");
  await page.getByRole("button", { name: "Try it from here" }).click();
  await expect(page.locator("h1")).toContainText("tried from action 0");
  await ready(page);
  const card = page.getByRole("region", { name: "Analysis" });
  const cover = page.getByRole("button", { name: /show everything/ });
  await expect(card.or(cover).first()).toBeVisible();
  if (await cover.isVisible()) await cover.click();
  await card.getByRole("button", { name: "Ask" }).click();
  await expect(card.getByRole("button", { name: "Do it" })).toBeVisible();
  await card.getByLabel("Next dice").fill("6");
  await card.getByLabel("Next dice").press("Enter");
  await expect(card).toContainText("will show 6");
  await type(page, "attack sov-5,sov-11G 3700");
  for (const name of [/no support/i, /roll the die/i]) {
    const button = choice(page, name);
    await expect(button.or(card.getByText("fall as they fall")).first()).toBeVisible();
    if (await button.isVisible()) await button.click();
  }
  await panel(page, "Log");
  await expect(page.locator(".log .die").first()).toHaveAttribute("aria-label", "6 on a d6");
  await panel(page, "Hex");
  await expect(card.getByLabel("Next dice")).toHaveValue("");
  // All of it can be taken back, the die too, and the game that it came from has not changed.
  await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "false");
  await sit(page, secretOf(game, "soviet"));
  expect(await actions(page)).toBe(before);
});

test("mini: dice that were chosen fall, and only where one plays alone and casually", async ({ page, server }) => {
  const game = await openText(server, "fight.record", FIGHT.replace('[Seed "3"]', '[Seed "3"]\n[Casual "yes"]'));
  await sit(page, secretOf(game, "axis+soviet"));
  await page.keyboard.press("o");
  await page.getByRole("region", { name: "Overlays" }).getByRole("combobox").selectOption("all");
  await page.keyboard.press("o");
  const card = page.getByRole("region", { name: "Analysis" });
  for (const face of ["6", "1"]) {
    await card.getByLabel("Next dice").fill(face);
    await card.getByLabel("Next dice").press("Enter");
    await type(page, "attack panzers 0401");
    await page.locator(".typed input").press("Escape");
    await panel(page, "Log");
    await expect(page.locator(".log .die").first()).toHaveAttribute("aria-label", `${face} on a d6`);
    await panel(page, "Hex");
    await page.keyboard.press("z");
    while ((await actions(page)) > 0) {
      const at = await actions(page);
      await page.keyboard.press("z");
      await expect.poll(() => actions(page)).toBeLessThan(at);
    }
  }
  const earnest = await openText(server, "fight.record", FIGHT);
  await sit(page, secretOf(earnest, "axis+soviet"));
  await expect(card).toHaveCount(0);
});

test("whoever holds both seats finds the flag at once", async ({ page, server }) => {
  for (const scenario of ["mini/ford", "dagc/vitebsk", "bug/ustyluh", "bite/wolomin"]) {
    const game = await create(server, { scenario, seed: "1" }).catch(() => null);
    if (!game) continue;
    await sit(page, secretOf(game, "axis+soviet"));
    await page.getByRole("button", { name: "Concede or offer a draw" }).click();
    await expect(page.getByRole("dialog", { name: "Without being asked" }).getByRole("button", { name: /concede/i }).first()).toBeVisible();
    await page.keyboard.press("Escape");
  }
});
