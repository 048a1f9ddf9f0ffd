/** What surrounds a game: lobby, files, hand-over, replay, coming back, small screens, keyboard, themes. */

import { actions, another, choice, clickHex, create, expect, finish, goTo, openText, pointOf, prompt, ready, refusal, secretOf, sit, test, type } from "./game";

const RECORD = `[Grognard "record 1"]
[Rulebook "mini"]
[Scenario "bridge"]
[Seed "1944"]

axis   move panzers A04.03
axis   end
axis   name panzers A04.02
axis   declare ; 1
axis   keep
`;

test("the lobby: pick a scenario, start, leave, resume", async ({ page }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Grognard" })).toBeVisible();
  await page.getByRole("button", { name: /The Ford/ }).click();
  await page.getByRole("radio", { name: /The Bridge/ }).check();
  await expect(page.locator(".scenario[data-picked=true]")).toContainText("ten minutes");
  await page.getByRole("radio", { name: /I play both sides/ }).check();
  await page.getByText("Optional rules").click();
  await expect(page.getByLabel(/rivers cost no movement points/)).toBeVisible();
  await page.getByRole("button", { name: "Start The Bridge" }).click();
  await ready(page);
  await expect(prompt(page)).toContainText("Move a unit");
  await finish(page);
  expect(await actions(page)).toBe(1);
  await page.getByRole("link", { name: /lobby/ }).click();
  await page.getByRole("region", { name: "Your games" }).getByRole("link", { name: "Continue" }).click();
  await ready(page);
  expect(await actions(page)).toBe(1);
});

test("a dropped record becomes a game; a faulty one is shown line by line", async ({ page, complaints }) => {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "New game" })).toBeVisible();
  const drop = async (name: string, text: string): Promise<void> => {
    const data = await page.evaluateHandle(
      ([file, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content!], file!));
        return transfer;
      },
      [name, text],
    );
    await page.dispatchEvent(".lobby", "drop", { dataTransfer: data });
  };
  const refused = page.waitForResponse((response) => response.url().endsWith("/api/games/open"));
  await drop("bad.record", RECORD.replace("axis   keep", "axis   keep ; six"));
  expect((await refused).status()).toBeGreaterThanOrEqual(400);
  await expect(page.locator(".trouble li").first()).toContainText("six");
  await expect(page.locator(".trouble li").first()).toContainText("bad.record:10");
  // The browser tells of the refused request, as it must; nothing else may have gone wrong.
  expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
  complaints.length = 0;
  await drop("game.record", RECORD);
  await ready(page);
  expect(await actions(page)).toBe(5);
  await page.keyboard.press("l");
  await expect(page.locator(".log")).toContainText("result AL");
});

test("two players at one screen hand it over and see only their own", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, "axis+soviet"));
  const cover = page.getByRole("dialog", { name: "Hand over" });
  if (await cover.isVisible()) await cover.getByRole("button", { name: /I am the/ }).click();
  await expect(cover).toBeHidden();
  await type(page, "end");
  await type(page, "end");
  await expect(cover).toContainText("Soviet");
  await expect(page.locator(".panel")).toBeEmpty();
  await cover.getByRole("button", { name: /what happened/ }).click();
  await expect(page.getByRole("region", { name: "Replay" })).toBeVisible();
  await page.getByRole("button", { name: "Back to now" }).click();
  await expect(cover).toBeHidden();
  await expect(prompt(page)).toContainText("Soviet");
  await expect(page.locator(".prompt")).toHaveAttribute("data-yours", "true");
});

test("replay: scrub both ways, step, jump, a link to a moment", async ({ page, server }) => {
  const game = await openText(server, "game.record", RECORD);
  const secret = secretOf(game, "axis+soviet");
  await page.goto(`/#/seat/${secret}/at/2`);
  const replay = page.getByRole("region", { name: "Replay" });
  await expect(replay.locator("output")).toHaveText("2 / 5");
  const slider = replay.getByRole("slider");
  await slider.fill("4");
  await expect(replay.locator("output")).toHaveText("4 / 5");
  await expect(replay.locator(".replay-told")).toContainText("column");
  await replay.getByTitle(/Step back/).click();
  await expect(replay.locator("output")).toHaveText("3 / 5");
  await page.keyboard.press("Home");
  await expect(replay.locator("output")).toHaveText("0 / 5");
  await expect(replay.locator(".ticks .combat")).toHaveCount(1);
  await replay.getByTitle("Next combat").click();
  await expect(replay.locator("output")).not.toHaveText("0 / 5");
  await page.keyboard.press("End");
  await expect(replay.locator("output")).toHaveText("5 / 5");
  await page.keyboard.press("Escape");
  await expect(replay).toBeHidden();
});

test("comes back after the server was killed, with everything that was acknowledged", async ({ page, server, complaints }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, "axis"));
  await type(page, "move panzers 1204");
  await expect.poll(() => actions(page)).toBe(1);
  await server.kill();
  await expect(page.getByText("The connection is lost")).toBeVisible();
  await clickHex(page, "1003");
  await server.start();
  await expect(page.getByText("The connection is lost")).toBeHidden();
  expect(await actions(page)).toBe(1);
  await type(page, "end");
  await expect.poll(() => actions(page)).toBe(2);
  // The browser tells of each try while nobody listened; nothing else may have gone wrong.
  const others = complaints.filter((complaint) => !/WebSocket connection to .* failed/.test(complaint));
  expect(others).toEqual([]);
  complaints.length = 0;
});

test("a phone: tap, pan by touch, fold the panel, finish a phase", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  const context = await page.context().browser()!.newContext({
    baseURL: server.url,
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  });
  const phone = await context.newPage();
  await sit(phone, secretOf(game, "axis"));
  const wide = await phone.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
  const unit = await pointOf(phone, "1005");
  await phone.touchscreen.tap(unit.x, unit.y);
  await expect(phone.getByRole("region", { name: "Hex 1005" })).toBeVisible();
  const to = await pointOf(phone, "1105");
  await phone.touchscreen.tap(to.x, to.y);
  // Another unit lies beneath, which the enemy would see then: that is said first.
  await phone.getByRole("button", { name: /Move Panzers to 1105/ }).tap();
  await expect.poll(() => actions(phone)).toBe(1);
  await phone.getByRole("tab", { name: "Log" }).tap();
  await expect(phone.locator(".log")).toContainText("moves from");
  await phone.getByRole("tab", { name: "Log" }).tap();
  await expect(phone.locator(".log")).toBeHidden();
  await phone.locator(".choices button.main").tap();
  await expect(phone.locator(".choices")).toContainText("could still act");
  await phone.getByRole("button", { name: /all the same/ }).tap();
  await expect.poll(() => actions(phone)).toBe(2);
  await context.close();
});

test("everything by keyboard: next unit, cursor, choices, help, typed actions, find", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, "axis"));
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Help" })).toContainText("Space or N");
  await page.keyboard.press("Escape");
  await expect(page.locator("dialog")).toHaveCount(0);
  await page.keyboard.press(" ");
  await expect(page.locator(".piece.picked")).toHaveCount(1);
  await expect(page.locator("#told")).toContainText(/\d{4}/);
  const start = await page.locator("#told").textContent();
  await page.keyboard.press("ArrowRight");
  await expect(page.locator("#told")).not.toHaveText(start ?? "");
  await expect(page.locator("#told")).toContainText("movement points");
  await page.keyboard.press("Enter");
  await expect(page.locator(".choices .final")).toBeVisible();
  await page.keyboard.press("1");
  await expect.poll(() => actions(page)).toBe(1);
  await page.keyboard.press("/");
  await page.keyboard.type("move jaeger 1600");
  await page.keyboard.press("Enter");
  await expect(refusal(page)).toContainText("1600");
  await page.keyboard.press("Escape");
  await finish(page);
  expect(await actions(page)).toBe(2);
  await page.keyboard.press("c");
  await expect(page.getByText("Search the rules")).toBeVisible();
  await page.keyboard.press("f");
  await expect(page.getByRole("searchbox", { name: /Hex, place or unit/ })).toBeFocused();
  await page.keyboard.type("guards");
  await page.keyboard.press("Enter");
  await expect(page.locator("#told")).toContainText(/guards/i);
});

test("rules, tables, order of battle, overlays, supply and threat", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "1" });
  await sit(page, secretOf(game, "soviet"));
  await page.locator("#prompt .case").click();
  await expect(page.locator(".rule[data-open=true]")).toBeVisible();
  await page.getByRole("searchbox").fill("zone of control");
  await expect(page.locator(".rule").first()).toContainText(/zone/i);
  await page.getByRole("tab", { name: "Tables" }).click();
  await expect(page.locator(".sheet")).not.toHaveCount(0);
  await page.getByRole("tab", { name: "Units" }).click();
  await expect(page.getByText("6th Guards Army").first()).toBeVisible();
  await page.keyboard.press("o");
  const overlays = page.getByRole("region", { name: "Overlays" });
  await overlays.getByRole("checkbox").first().check();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Hex" }).click();
  await goTo(page, "3300");
  await page.getByRole("button", { name: "Supply" }).first().click();
  await expect(page.getByRole("region", { name: "Proof" })).toContainText(/supply/i);
  await goTo(page, "3500");
  await page.getByRole("button", { name: "Threat" }).click();
  await expect(page.locator(".prospect, .refusal").first()).toBeVisible();
});

test("hidden pieces stay hidden: the waiting side is told nothing of the answers", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/vitebsk", seed: "1" });
  const frames: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => frames.push(String(payload))));
  await sit(page, secretOf(game, "axis"));
  await goTo(page, "3300");
  await expect(page.getByRole("region", { name: "Hex 3300" })).toContainText("not seen");
  const update = frames.find((frame) => frame.includes('"welcome"')) ?? "";
  const { question, view } = (JSON.parse(update) as { update: { question: { answers: unknown[] }; view: unknown } }).update;
  expect(question.answers).toEqual([]);
  expect(JSON.stringify(view)).not.toContain("sov-43");
});

test("an observer looks on", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  const watcher = await another(await openAxis());
  await sit(watcher, secretOf(game, ""));
  await expect(watcher.locator(".prompt")).toHaveAttribute("data-yours", "false");
  await type(page, "end");
  await expect.poll(() => actions(watcher)).toBe(1);
  await watcher.context().close();

  async function openAxis() {
    await sit(page, secretOf(game, "axis"));
    return page;
  }
});

test("who looks on is told that one person holds all seats and chose the dice", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, ""));
  await expect(page.locator(".panel")).toContainText("holds the seats of both sides");
  await expect(page.locator(".panel")).toContainText("chose the seed of the dice");
});

test("light and dark, text from 50 to 200 percent", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await sit(page, secretOf(game, "axis"));
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-theme", "dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect(html).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: "Settings" }).click();
  await page.getByLabel("Colours").selectOption("dark");
  await expect(html).toHaveAttribute("data-theme", "dark");
  for (const size of ["50", "200"]) {
    await page.getByLabel("Text size").selectOption(size);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1440);
  }
  await page.keyboard.press("Escape");
  await expect(choice(page, /end the phase/i)).toBeInViewport();
  await expect(page.locator("#board")).toBeInViewport();
});

test("a friend is invited by link and plays in another browser", async ({ page, complaints }) => {
  await page.goto("/");
  await page.getByRole("button", { name: /The Ford/ }).click();
  await page.getByRole("radio", { name: /The Ford/ }).check();
  await page.getByRole("radio", { name: "A friend, by link" }).check();
  await page.getByRole("radio", { name: "Axis", exact: true }).check();
  await page.getByRole("button", { name: "Start The Ford" }).click();
  const share = page.getByRole("dialog", { name: "Links and files" });
  const link = await share.getByLabel("Soviet").inputValue();
  await expect(share).toContainText("work on this machine only");
  await page.keyboard.press("Escape");
  await ready(page);
  await expect(page.locator("#prompt")).toContainText("Move a unit");
  await expect(page.getByRole("status").filter({ hasText: "begins when the Soviet player" })).toBeVisible();
  const friend = await another(page);
  await friend.goto(link);
  await expect(friend.getByText("you play the Soviet side")).toBeVisible();
  await friend.getByRole("button", { name: "Take the seat" }).click();
  await ready(friend);
  // No secret stays in the address, and the link is used up.
  await expect(friend).toHaveURL(/#\/game\/[0-9a-f]+\/soviet$/);
  await expect(page).toHaveURL(/#\/game\/[0-9a-f]+\/axis$/);
  const late = await another(page);
  const refused = late.waitForResponse((response) => response.url().endsWith("/api/invitations/view"));
  await late.goto(link);
  expect((await refused).status()).toBe(404);
  await expect(late.getByText(/used already/)).toBeVisible();
  complaints.length = 0;
  await late.context().close();
  await expect(page.getByText("begins when the Soviet player")).toBeHidden();
  await friend.reload();
  await ready(friend);
  await expect(friend.locator(".prompt")).toHaveAttribute("data-yours", "false");
  await type(page, "end");
  await type(page, "end");
  await expect(friend.locator(".prompt")).toHaveAttribute("data-yours", "true");
  await expect(friend).toHaveTitle(/^●/);
  // A seat is renewed: it goes on here, and by its old link nowhere.
  await friend.getByRole("button", { name: "Share" }).click();
  await friend.getByText("Your own seat").click();
  await friend.getByRole("button", { name: /for another device/ }).click();
  const old = await friend.getByLabel("For another device of yours").inputValue();
  await friend.getByRole("button", { name: /Renew it/ }).click();
  await ready(friend);
  await expect(friend.locator(".prompt")).toHaveAttribute("data-yours", "true");
  const thief = await another(page);
  await thief.goto(old);
  await expect(thief.getByRole("heading", { name: "This seat cannot be taken" })).toBeVisible();
  await thief.context().close();
  await friend.context().close();
});

test("a link to a seat that does not exist says so", async ({ page }) => {
  await page.goto("/#/seat/0123456789abcdef0123456789abcdef");
  await expect(page.getByRole("heading", { name: "This seat cannot be taken" })).toBeVisible();
  await page.getByRole("link", { name: "To the lobby" }).click();
  await expect(page.getByRole("heading", { name: "New game" })).toBeVisible();
});

test("who started the program finds every game of this machine", async ({ page, server }) => {
  await create(server, { scenario: "mini/bridge", seed: "1" });
  await page.goto(`/#/host/${server.hostKey}`);
  const games = page.getByRole("region", { name: "Your games" });
  await expect(games).toContainText("The Bridge");
  await games.getByRole("button", { name: "Continue" }).click();
  await ready(page);
  await expect(page).toHaveURL(/#\/game\/[0-9a-f]+\/both$/);
});

test("who plays both sides can concede for either", async ({ page, server }) => {
  const game = await create(server, { scenario: "mini/ford", seed: "1" });
  await sit(page, secretOf(game, "axis+soviet"));
  await page.keyboard.press("o");
  await page.getByRole("region", { name: "Overlays" }).getByRole("combobox").selectOption("all");
  await page.keyboard.press("o");
  await page.getByRole("button", { name: "Concede or offer a draw" }).click();
  const dialog = page.getByRole("dialog", { name: "Without being asked" });
  await expect(dialog.getByRole("button", { name: "Axis: offer a draw" })).toBeVisible();
  await dialog.getByRole("button", { name: "Soviet: concede" }).click();
  await dialog.getByRole("button", { name: "Yes, Soviet: concede" }).click();
  await expect(prompt(page)).toContainText("Soviet concedes");
});

test("texts come as spans: a hex is a link because the server says so, and stocks are drawn and told", async ({ page, server }) => {
  const game = await openText(server, "game.record", RECORD);
  // What three rulebooks to come will send: dumps on the map, loads of units, pools.
  await page.routeWebSocket(/\/api\/socket/, (socket) => {
    const upstream = socket.connectToServer();
    upstream.onMessage((message) => {
      const said = JSON.parse(String(message)) as { type: string; update?: { view: { stocks: unknown[] } } };
      said.update?.view.stocks.push(
        { hex: "A04.02", unit: null, side: "soviet", what: "supply", amount: null },
        { hex: null, unit: "panzers", side: "axis", what: "supply", amount: 3 },
        { hex: null, unit: null, side: "axis", what: "replacements", amount: 2 },
      );
      socket.send(JSON.stringify(said));
    });
  });
  await sit(page, secretOf(game, "axis"));
  await expect(page.getByRole("region", { name: "Tracks" })).toContainText("2 replacements");
  await clickHex(page, "A04.02");
  await expect(page.getByRole("list", { name: "Stocks" }).first()).toContainText("Soviet supply, how much is not known");
  await clickHex(page, "A04.03");
  await expect(page.getByRole("region", { name: "Hex A04.03" })).toContainText("carries 3 supply");
  await page.keyboard.press("l");
  await page.locator(".log .hex-link", { hasText: "A04.03" }).first().click();
  await page.keyboard.press("p");
  await expect(page.getByRole("region", { name: "Hex A04.03" })).toBeVisible();
  // The numbers of rules in a rule are links, too.
  await page.keyboard.press("c");
  await expect(page.locator(".rule dd .case").first()).toBeVisible();
});
