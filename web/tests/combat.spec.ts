/** Move, be refused, attack with ledger and odds, retreat, advance; undo, redo and reload in the middle of it. */

import { actions, another, choice, clickHex, create, expect, finish, openText, panel, pointAt, pointOf, prompt, ready, refusal, secretOf, sit, test, type } from "./game";

/** With this seed the first combat die is a 3: the defender retreats. */
const FIGHT = `[Grognard "record 1"]
[Rulebook "mini"]
[Seed "3"]

| rulebook = "mini"
| turn = 1
| turns = 2
| luck = ""
| stack = ["movement axis"]
| map.grid = """
| . . . . . .
|  . . . . . .
| . . w . . .
| """
| units.panzers = "0201"
| units.jaeger = "0202"
| units.flak = "0102"
| units.rifles-1 = "0401"
| units.tanks = "0603"
`;

test("mini: a move, a refusal, an attack, a retreat and an advance, by mouse in two browsers", async ({ page, server }) => {
  const game = await openText(server, "fight.record", FIGHT);
  await sit(page, secretOf(game, "axis"));
  const soviet = await another(page);
  await sit(soviet, secretOf(game, "soviet"));
  await expect(prompt(page)).toContainText("Move a unit");
  await expect(soviet.locator(".prompt")).toHaveAttribute("data-yours", "false");

  await test.step("a unit's reach, the cost of a way, a move by two clicks", async () => {
    await clickHex(page, "0201");
    await pointAt(page, "0301");
    await expect(page.getByRole("region", { name: "Way" })).toContainText("1 MP");
    await clickHex(page, "0301");
    await expect.poll(() => actions(page)).toBe(1);
    await expect.poll(() => actions(soviet)).toBe(1);
  });

  await test.step("an unlawful move says why, with its case", async () => {
    await clickHex(page, "0202");
    await clickHex(page, "0603");
    await expect(refusal(page)).toContainText(/0603/);
    await expect(refusal(page).locator(".case")).toHaveText(/^\d+\.\d+/);
    expect(await actions(page)).toBe(1);
  });

  await test.step("undo and redo", async () => {
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => actions(page)).toBe(0);
    await page.getByRole("button", { name: "Redo" }).click();
    await expect.poll(() => actions(page)).toBe(1);
  });

  await test.step("a counter can be dragged", async () => {
    await clickHex(page, "0503");
    const from = await pointOf(page, "0202");
    const to = await pointOf(page, "0302");
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
    await page.mouse.move(to.x, to.y, { steps: 4 });
    await page.mouse.up();
    await expect.poll(() => actions(page)).toBe(2);
  });

  await test.step("attack: ledger and exact odds before the die", async () => {
    await finish(page);
    await expect(prompt(page)).toContainText("Attack");
    await clickHex(page, "0301");
    await pointAt(page, "0401");
    await expect(page.locator(".prospect .ledger").first()).toContainText("differential");
    await clickHex(page, "0401");
    await expect.poll(() => actions(page)).toBe(4);
    await type(page, "join jaeger");
    await expect(page.locator(".prospect .ledger").first()).toContainText("7 against 3");
    const chances = page.locator(".prospect .way-p");
    await expect(chances.first()).toHaveText(/%/);
    const sum = (await chances.allTextContents()).reduce((total, text) => total + parseFloat(text), 0);
    expect(Math.abs(sum - 100)).toBeLessThan(0.5);
  });

  await test.step("reload in the middle of the combat", async () => {
    await page.reload();
    await ready(page);
    await expect(page.locator(".prospect .ledger").first()).toContainText("7 against 3");
  });

  await test.step("the die, shown in the log; then no undo, and the button says why", async () => {
    await choice(page, /declare/i).click();
    await expect(page.locator(".falling .die")).toBeVisible();
    await panel(page, "Log");
    await expect(page.locator(".log")).toContainText("result DR");
    await expect(page.locator(".log .die")).toHaveAttribute("aria-label", "3 on a d6");
    await expect(prompt(soviet)).toContainText(/retreat|stand/i);
    await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "true");
  });

  await test.step("the defender retreats by a click, the attacker advances", async () => {
    await clickHex(soviet, "0401");
    await clickHex(soviet, "0501");
    await expect(prompt(page)).toContainText(/advance/i);
    await clickHex(page, "0301");
    // A click selects; the button acts.
    await expect(choice(page, /advances/i)).toBeVisible();
    await choice(page, /advances/i).first().click();
    await expect(page.locator(".log")).toContainText("advances to 0401");
  });
  await soviet.context().close();
});

test("dagc: an attack with ledger, odds, retreat and advance", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "b" });
  await sit(page, secretOf(game, "soviet"));
  const german = await another(page);
  await sit(german, secretOf(game, "axis"));
  await clickHex(page, "3600");
  await clickHex(page, "3700");
  await expect(prompt(page)).toContainText(/add units/i);
  await type(page, "join sov-11G");
  const ledger = page.locator(".prospect .ledger").first();
  await expect(ledger).toContainText("9 against 6");
  await expect(ledger).toContainText(/entrenchment adds 3/i);
  await expect(page.locator(".prospect .ways")).toContainText("DR");
  await panel(page, "Tables");
  await expect(page.locator(".sheet th.lit").first()).toHaveText("+4");
  await panel(page, "Hex");
  await page.getByLabel(/Ask me before each step/).check();
  await choice(page, /declare the attack/i).click();
  await choice(page, /no support/i).click();
  await page.reload();
  await ready(page);
  await choice(page, /roll the die/i).click();
  await expect(prompt(german)).toContainText(/retreat|stand/i);
  await type(german, "retreat 3701");
  await expect(prompt(page)).toContainText(/advance/i);
  await type(page, "advance sov-5");
  await panel(page, "Log");
  await expect(page.locator(".log")).toContainText("advances to 3700");
  await german.context().close();
});

test("dagc: a move by two clicks, stopped by picking another unit, and an unlawful one", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "c" });
  await sit(page, secretOf(game, "axis+soviet"));
  const screen = page.getByRole("button", { name: /show everything/ });
  if (await screen.isVisible()) await screen.click();
  // To the Soviet movement phase.
  for (let i = 0; i < 6 && !/move a unit/i.test((await prompt(page).textContent()) ?? ""); i++) {
    await finish(page);
  }
  await clickHex(page, "4000");
  await pointAt(page, "4001");
  const way = page.getByRole("region", { name: "Way" });
  await expect(way).toContainText(/MP of \d+/);
  await expect(way.locator(".part").first()).toBeVisible();
  const before = await actions(page);
  await clickHex(page, "4001");
  await expect.poll(() => actions(page)).toBe(before + 2);
  await clickHex(page, "1028");
  await expect(refusal(page)).toBeVisible();
  await expect(refusal(page).locator(".case")).toHaveText(/^\d+\.\d+/);
});

test("mini: the target first, then who attacks it; all of it can be taken back until it is declared", async ({ page, server }) => {
  const stacked = FIGHT.replace('"movement axis"', '"combat axis"')
    .replace('units.panzers = "0201"', 'units.panzers = "0301"')
    .replace('units.jaeger = "0202"', 'units.jaeger = "0301"');
  const game = await openText(server, "stacked.record", stacked);
  await sit(page, secretOf(game, "axis"));
  await clickHex(page, "0401");
  await expect(page.getByRole("region", { name: "Hex 0401" })).toBeVisible();
  await clickHex(page, "0301");
  await choice(page, /panzers attacks/i).click();
  await expect.poll(() => actions(page)).toBe(1);
  // The unit beneath is not seen by the enemy, and not shown before the attack is declared.
  await clickHex(page, "0301");
  await expect.poll(() => actions(page)).toBe(2);
  await page.keyboard.press("z");
  await expect.poll(() => actions(page)).toBe(1);
  await choice(page, /declare/i).click();
  await expect.poll(() => actions(page)).toBe(2);
  await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "true");
});

test("dagc: a reinforcement is placed from beside the map", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/historical", seed: "c", options: ["no-forced-attacks"] });
  await sit(page, secretOf(game, "axis+soviet"));
  await page.getByRole("button", { name: /show everything/ }).or(page.locator(".prompt[data-yours=true]")).first().waitFor();
  if (await page.getByRole("button", { name: /show everything/ }).isVisible())
    await page.getByRole("button", { name: /show everything/ }).click();
  const turn = page.locator(".turn b");
  for (let i = 0; i < 40 && (await turn.textContent()) === "1"; i++) {
    const cover = page.getByRole("button", { name: /show everything/ });
    if (await cover.isVisible()) await cover.click();
    await finish(page);
  }
  const beside = page.getByRole("region", { name: "Units beside the map" });
  await beside.getByRole("button").first().click();
  await page.keyboard.press("g");
  const before = await actions(page);
  await page.keyboard.press("Enter");
  await expect.poll(() => actions(page)).toBe(before + 1);
  await expect(page.getByRole("region", { name: "What happened" })).toContainText("arrives in");
});
