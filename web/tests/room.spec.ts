/** Room on small screens, what a game is about, how it ends, taking back, moving pieces, groups, searching the rules. */

import { actions, clickHex, create, expect, openText, pointAt, pointOf, ready, secretOf, sit, test, type } from "./game";

test("the panel folds at any size, and a screen at 200 % still has a map", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "1" });
  await sit(page, secretOf(game, "soviet"));
  const width = async (): Promise<number> => (await page.locator("#board").boundingBox())!.width;
  const before = await width();
  await page.getByRole("button", { name: "Fold the panel" }).click();
  await expect(page.locator("#panel")).toBeHidden();
  expect(await width()).toBeGreaterThan(before + 150);
  await page.getByRole("tab", { name: "Log" }).click();
  await expect(page.locator(".log")).toBeVisible();
  // What 200 % makes of 1440 x 900.
  await page.setViewportSize({ width: 720, height: 450 });
  await page.reload();
  await ready(page);
  const board = (await page.locator("#board").boundingBox())!;
  expect(board.height).toBeGreaterThan(190);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(720);
});

test("the card of a stack never lies over what the hand could reach, and goes with Esc", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "1" });
  await sit(page, secretOf(game, "soviet"));
  await pointAt(page, "3300");
  await expect(page.locator(".fan")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.locator(".fan")).toHaveCount(0);
  await clickHex(page, "3600");
  await pointAt(page, "3800");
  await page.waitForTimeout(500);
  await expect(page.locator(".fan")).toHaveCount(0);
});

test("what a game is about: in the lobby, behind the title, and the score against what is needed", async ({ page, server }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /Destruction of Army Group Center/ }).click();
  const card = page.locator(".scenario[data-picked=true]");
  await expect(card).toContainText("Have five points at the end of turn 2");
  await expect(card).toContainText("Vitebsk fell on the fifth day");
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "1" });
  await sit(page, secretOf(game, "soviet"));
  const score = page.locator(".score");
  await expect(score).toContainText("Soviet points 0 of 5");
  await page.getByRole("button", { name: "Vitebsk (learning scenario)" }).click();
  const about = page.getByRole("dialog", { name: /Vitebsk/ });
  await expect(about).toContainText("Keep the Soviet side to four points");
  await expect(about.locator(".ladder [aria-current]")).toContainText("German victory");
});

test("the end: result, why, the course of the score, losses, luck, and again with sides changed", async ({ page, server }) => {
  const game = await create(server, {
    scenario: "mini/ford",
    seed: "1",
    players: { axis: { name: "" }, soviet: { name: "", level: "random" } },
  });
  await sit(page, secretOf(game, "axis"));
  await page.getByRole("button", { name: "Concede or offer a draw" }).click();
  await page.getByRole("button", { name: "Concede the game", exact: true }).click();
  await page.getByRole("button", { name: "Yes, concede the game" }).click();
  const result = page.getByRole("dialog", { name: "Soviet victory" });
  await expect(result).toContainText("Axis concedes");
  await expect(result).toContainText("0 units eliminated");
  await result.getByRole("button", { name: "Again, sides changed" }).click();
  await ready(page);
  await expect.poll(() => page.url()).toContain("soviet");
  await expect(page.locator(".prompt[data-yours=true]")).toContainText("Soviet");
});

const FIGHT = `[Grognard "record 1"]
[Rulebook "mini"]
[Seed "3"]
[Casual "yes"]

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

test("a casual game: a die is taken back, and the game says what it is", async ({ page, server }) => {
  const game = await openText(server, "casual.record", FIGHT);
  await sit(page, secretOf(game, "axis"));
  await type(page, "attack panzers 0401");
  await expect.poll(() => actions(page)).toBe(2);
  const undo = page.getByRole("button", { name: "Undo" });
  await expect(undo).toHaveAttribute("aria-disabled", "false");
  await undo.click();
  await expect.poll(() => actions(page)).toBe(1);
  await page.locator("h1 button").click();
  await expect(page.getByRole("dialog")).toContainText("casual game");
});

test("between people a die stays where it fell", async ({ page, server }) => {
  const game = await openText(server, "earnest.record", FIGHT.replace('[Casual "yes"]\n', ""));
  await sit(page, secretOf(game, "axis"));
  await type(page, "attack panzers 0401");
  await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "true");
});

test("rules are found by what people call them", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "1" });
  await sit(page, secretOf(game, "soviet"));
  await page.keyboard.press("c");
  const search = page.getByRole("searchbox");
  const found = async (what: string): Promise<number> => {
    await search.fill(what);
    return page.locator(".rule").count();
  };
  const abbreviated = await found("OOS");
  expect(abbreviated).toBeGreaterThan(10);
  await expect.poll(() => found("out of supply")).toBeGreaterThanOrEqual(abbreviated);
  await expect.poll(() => found("reinforcments")).toBeGreaterThan(5);
});

const STACKS = `rulebook = "mini"
turn = 1
turns = 2
luck = ""
stack = ["movement axis"]

[map]
grid = """
. . . . . . .
 . . . . . . .
. . . . . . .
"""

[units]
panzers = "0201"
jaeger = "0203"
flak = "0102"
rifles-1 = "0701"
`;

test("several units go together, one is set aside, and next goes through those that are left", async ({ page, server }) => {
  const game = await openText(server, "stacks.toml", STACKS);
  await sit(page, secretOf(game, "axis"));
  const shift = async (hex: string): Promise<void> => {
    const { x, y } = await pointOf(page, hex);
    await page.keyboard.down("Shift");
    await page.mouse.click(x, y);
    await page.keyboard.up("Shift");
  };
  await shift("0201");
  await shift("0203");
  await expect(page.locator(".choices")).toContainText("2 units in the hand");
  await clickHex(page, "0302");
  await expect.poll(() => actions(page)).toBe(2);
  await expect(page.getByRole("region", { name: "What happened" })).toContainText("0302");
  await page.keyboard.press(" ");
  await expect(page.locator(".piece.picked")).toContainText(/flak/i);
  await page.keyboard.press("x");
  await page.keyboard.press("Escape");
  await page.keyboard.press("e");
  // Nobody is left who could act: the phase ends without a question.
  await expect.poll(() => actions(page)).toBe(3);
});

test("what the enemy did is shown moving, from where it began", async ({ page, server }) => {
  const game = await openText(server, "stacks.toml", STACKS.replace('"movement axis"', '"movement soviet"').replace('"0701"', '"0501"'));
  await sit(page, secretOf(game, "axis"));
  const enemy = await page.context().newPage();
  await sit(enemy, secretOf(game, "soviet"));
  const seen = page.evaluate(
    () =>
      new Promise<string[]>((tell) => {
        const board = document.getElementById("board")!;
        const told: string[] = [];
        const watch = (): void => void told.push(board.dataset["travelling"] ?? "");
        new MutationObserver(watch).observe(board, { attributes: true, attributeFilter: ["data-travelling"] });
        setTimeout(() => tell(told), 5_000);
      }),
  );
  await type(enemy, "move rifles-1 0702");
  expect(await seen).toContain("1");
  await expect(page.locator("#board")).toHaveAttribute("data-travelling", "0");
  await expect(page.getByRole("region", { name: "What happened" })).toContainText("0702");
});

test("at night the small map is dark, too", async ({ page, server }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "1" });
  await sit(page, secretOf(game, "soviet"));
  const light = await page.locator(".minimap").evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    let sum = 0;
    for (let i = 0; i < data.length; i += 4) sum += (data[i]! + data[i + 1]! + data[i + 2]!) / 3;
    return sum / (data.length / 4);
  });
  expect(light).toBeLessThan(110);
});

const GUNS = `rulebook = "mini"
turn = 1
turns = 2
luck = ""
stack = ["movement axis"]

[map]
grid = """
. . . . . .
 . . . . . .
"""

[units]
panzers = "0101"
jaeger = "0202"
zis-3 = "0501"
`;

test("an interrupt names who came and where, and a standing order answers it from then on", async ({ page, server }) => {
  const game = await openText(server, "guns.toml", GUNS);
  await sit(page, secretOf(game, "axis"));
  const gunner = await page.context().newPage();
  await sit(gunner, secretOf(game, "soviet"));
  await type(page, "move panzers 0401");
  await expect(gunner.locator("#prompt")).toContainText("Panzers has come near your guns");
  await gunner.getByRole("button", { name: "Always hold fire", exact: true }).click();
  await expect.poll(() => actions(page)).toBe(2);
  await type(page, "move jaeger 0402");
  // The gun was asked again, and the order answered for it.
  await expect.poll(() => actions(page)).toBe(4);
  const orders = gunner.getByRole("region", { name: "Your standing orders" });
  await expect(orders).toContainText("Hold fire");
  await gunner.reload();
  await orders.getByRole("button", { name: "Revoke" }).click();
  await expect(orders).toHaveCount(0);
});

test("an order for one unit answers for it, and others are asked about still", async ({ page, server }) => {
  const game = await openText(server, "guns.toml", GUNS);
  await sit(page, secretOf(game, "axis"));
  const gunner = await page.context().newPage();
  await sit(gunner, secretOf(game, "soviet"));
  await type(page, "move panzers 0401");
  await gunner.getByRole("button", { name: /Always hold fire for Panzers/ }).click();
  await expect.poll(() => actions(page)).toBe(2);
  await expect(gunner.getByRole("region", { name: "Your standing orders" })).toContainText("for Panzers");
  await type(page, "move jaeger 0402");
  await expect(gunner.locator("#prompt")).toContainText("Jaeger has come near your guns");
  expect(await actions(page)).toBe(3);
});

test("from any moment of a game that is open one branches off and tries another line", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, "axis+soviet"));
  await type(page, "move panzers 1204");
  await type(page, "end");
  await page.locator(".typed input").press("Escape");
  await page.keyboard.press("r");
  const replay = page.getByRole("region", { name: "Replay" });
  await expect(replay.locator("output")).toHaveText("2 / 2");
  await replay.getByTitle(/Step back/).click();
  await expect(replay.locator("output")).toHaveText("1 / 2");
  await replay.getByRole("button", { name: "Try it from here" }).click();
  await expect(page.locator("h1")).toContainText("tried from action 1");
  await ready(page);
  await expect.poll(() => actions(page)).toBe(1);
  await type(page, "move jaeger 1103");
  await expect.poll(() => actions(page)).toBe(2);
});

for (const [scenario, side, rule] of [
  ["mini/ford", "axis", "Sequence of play"],
  ["dagc/vitebsk", "soviet", "attack"],
  ["bug/ustyluh", "axis", "urprise"],
] as const)
  test(`${scenario}: a newcomer is led by what is asked, and can leave`, async ({ page, server }) => {
    const game = await create(server, { scenario, seed: "1" });
    await sit(page, secretOf(game, side));
    const guide = page.getByRole("region", { name: "Guide" });
    await expect(guide).toContainText(rule);
    await expect(guide.locator("li").first()).toContainText(/click|button/);
    await guide.getByRole("button", { name: "I know my way" }).click();
    await expect(guide).toHaveCount(0);
    await page.keyboard.press("?");
    await page.getByRole("button", { name: /Guide me/ }).click();
    await expect(guide).toBeVisible();
  });
