/** What the tests share: a server for each, pages that must not complain, and hands on the board. */

import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import type { Created, Form, GameInfo, Geometry, NewGame, OpenFile, ServerMessage, Side, Update } from "../src/wire";
import { Server } from "./server";

/** The learning scenario of every rulebook on the shelf, who decides first in it, and who plays it quickly. */
export const BOOKS: readonly { readonly scenario: string; readonly first: Side; readonly level: string }[] = [
  { scenario: "mini/ford", first: "axis", level: "recruit" },
  { scenario: "dagc/vitebsk", first: "soviet", level: "recruit" },
  { scenario: "bug/ustyluh", first: "axis", level: "recruit" },
  { scenario: "bite/wolomin", first: "axis", level: "random" },
  { scenario: "barbarossa/smolensk", first: "axis", level: "random" },
];

/** A large screen, a tablet, a phone. */
export const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
] as const;

interface Fixtures {
  server: Server;
  /** Complaints of pages; a test that expects some takes them out. */
  complaints: string[];
}

export const test = base.extend<Fixtures>({
  server: async ({}, use) => {
    const server = await Server.start();
    await use(server);
    await server.stop();
  },
  complaints: [
    async ({ browser }, use) => {
      const complaints: string[] = [];
      const watch = (context: BrowserContext): void => void context.on("page", (page) => listen(page, complaints));
      const { newContext } = browser;
      browser.newContext = async (...args) => {
        const context = await newContext.apply(browser, args);
        watch(context);
        return context;
      };
      await use(complaints);
      browser.newContext = newContext;
      expect(complaints, "console errors, page errors, failed requests").toEqual([]);
    },
    { auto: true },
  ],
  baseURL: async ({ server }, use) => use(server.url),
});

export { expect };

function listen(page: Page, complaints: string[]): void {
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`page: ${error.stack ?? error.message}`));
  page.on("requestfailed", (request) => complaints.push(`request: ${request.url()} ${request.failure()?.errorText}`));
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^(http|ws)/.test(protocol) && hostname !== "127.0.0.1") complaints.push(`outside: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
}

/** A browser of another person, who must not complain either. */
export async function another(page: Page, options: { viewport?: { width: number; height: number } } = {}): Promise<Page> {
  const context = await page.context().browser()!.newContext({ baseURL: new URL(page.url()).origin, ...options });
  return context.newPage();
}

export async function create(server: Server, game: Partial<NewGame> & { scenario: string }): Promise<Created> {
  return post(server, "/api/games", { options: [], players: { axis: { name: "" }, soviet: { name: "" } }, ...game });
}

export async function openText(server: Server, name: string, text: string): Promise<Created> {
  const file: OpenFile = { name, text, players: { axis: { name: "" }, soviet: { name: "" } } };
  return post(server, "/api/games/open", file);
}

async function post(server: Server, path: string, body: unknown): Promise<Created> {
  const response = await fetch(server.url + path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Created;
}

/** How a game stands, as a script is told that needs no page. */
export interface Standing {
  readonly question: Update["question"];
  readonly forms: readonly Form[];
  readonly log: Update["log"];
  readonly phase: Update["sequence"]["phases"][number] | undefined;
}

/** Plays games of a scenario by lot, as both sides, until something holds; gives the game, and the side that decides then. */
export async function walk(server: Server, scenario: string, holds: (standing: Standing) => boolean): Promise<{ game: Created; side: Side } | null> {
  let lot = 7;
  const draw = (n: number): number => {
    lot = (lot * 48_271) % 2_147_483_647;
    return lot % n;
  };
  for (let games = 0; games < 4; games++) {
    const game = await create(server, { scenario, seed: `walk ${games}` });
    const headers = { "Content-Type": "application/json", Authorization: `Bearer ${secretOf(game, "axis+soviet")}` };
    const ask = async <T>(path: string, body?: unknown): Promise<T> => {
      const response = await fetch(server.url + path, { headers, ...(body ? { method: "POST", body: JSON.stringify(body) } : {}) });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as T;
    };
    const { forms } = await ask<GameInfo>("/api/game");
    for (let i = 0; i < 300; i++) {
      const { question, log, decision, sequence } = await ask<Update>("/api/game/view?eyes=all");
      const phase = sequence.phases[sequence.phase ?? -1];
      if (question.side && holds({ question, forms, log, phase })) return { game, side: question.side };
      const lines = question.answers.flatMap(({ form, args }) => args.map((words) => [forms[form]!.name, ...words].join(" ")));
      if (!lines.length) break;
      await ask("/api/game/act?eyes=all", { decision, lines: [lines[draw(lines.length)]] });
    }
  }
  return null;
}

export function secretOf(created: Created, sides: string): string {
  const seat = created.seats.find((one) => [...one.sides].sort().join("+") === sides);
  if (!seat) throw new Error(`no seat for ${sides}`);
  return seat.secret;
}

/** Takes a seat and waits until the board is drawn and the prompt is there. */
export async function sit(page: Page, secret: string): Promise<void> {
  await page.goto(`/#/seat/${secret}`);
  await ready(page);
}

export async function ready(page: Page): Promise<void> {
  await expect(page.locator("#board[data-camera]")).toBeVisible();
  await expect(page.locator("#prompt")).not.toBeEmpty();
}

export async function geometryOf(page: Page): Promise<Geometry> {
  return page.evaluate(async () => {
    const url = performance
      .getEntriesByType("resource")
      .map((entry) => entry.name)
      .findLast((name) => /\/api\/.*map.*json/.test(name));
    if (!url) throw new Error("the map was not fetched");
    return (await (await fetch(url)).json()) as Geometry;
  });
}

/** Where a hex lies in the window; it is brought into sight first. */
export async function pointOf(page: Page, hex: string): Promise<{ x: number; y: number }> {
  const geometry = await geometryOf(page);
  const place = geometry.hexes.find((one) => one.label === hex);
  if (!place) throw new Error(`no hex ${hex}`);
  const at = async (): Promise<{ x: number; y: number; inside: boolean }> => {
    const board = page.locator("#board");
    const box = (await board.boundingBox())!;
    const [x, y, zoom] = ((await board.getAttribute("data-camera")) ?? "").split(" ").map(Number) as [number, number, number];
    const dx = (place.x - x) * zoom;
    const dy = (place.y - y) * zoom;
    const inside = dx > 20 && dy > 20 && dx < box.width - 70 && dy < box.height - 20;
    return { x: box.x + dx, y: box.y + dy, inside };
  };
  let point = await at();
  if (!point.inside) {
    await goTo(page, hex);
    await expect.poll(async () => (await at()).inside).toBe(true);
    point = await at();
  }
  return point;
}

/** Finds a hex with the dialog, as a person would. */
export async function goTo(page: Page, hex: string): Promise<void> {
  await page.getByRole("button", { name: "Find", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Find" });
  await dialog.getByRole("searchbox").fill(hex);
  await dialog.getByRole("button", { name: new RegExp(`(in|hex) ${hex.replace(".", "\\.")}`) }).last().click();
  await expect(page.locator("dialog")).toHaveCount(0);
}

export async function clickHex(page: Page, hex: string): Promise<void> {
  const { x, y } = await pointOf(page, hex);
  await page.mouse.click(x, y);
}

export async function pointAt(page: Page, hex: string): Promise<void> {
  const { x, y } = await pointOf(page, hex);
  await page.mouse.move(x, y);
}

export const prompt = (page: Page) => page.locator("#prompt");
export const refusal = (page: Page) => page.locator(".refusal");
export const choice = (page: Page, name: string | RegExp) => page.locator(".choices").getByRole("button", { name });

/** Opens a panel by its tab. */
export async function panel(page: Page, name: "Hex" | "Log" | "Units" | "Tables" | "Rules" | "Talk"): Promise<void> {
  await page.getByRole("tab", { name }).click();
}

/** The finishing answer, asked for once more where units could still act or it is final. */
export async function finish(page: Page): Promise<void> {
  const before = await actions(page);
  const typed = page.locator(".typed input");
  if (await typed.isVisible()) await typed.press("Escape");
  const asked = page.locator(".choices .hint[role=alert]");
  await expect
    .poll(async () => {
      if ((await actions(page)) > before || (await asked.isVisible())) return true;
      // Pressed in the moment in which the screen was handed over, it is for nobody.
      await page.keyboard.press("e");
      return false;
    })
    .toBe(true);
  if ((await actions(page)) === before) await page.keyboard.press("1");
  await expect.poll(() => actions(page)).toBeGreaterThan(before);
}

/** Types an action in notation. */
export async function type(page: Page, line: string): Promise<void> {
  const field = page.getByLabel("Action", { exact: false }).and(page.locator(".typed input"));
  if (!(await field.isVisible())) await page.keyboard.press("/");
  await field.fill(line);
  await field.press("Enter");
  await expect(field).toHaveValue("");
}

/** How many actions were made so far. */
export async function actions(page: Page): Promise<number> {
  return Number(await page.locator(".game").getAttribute("data-at"));
}

/** What the page was told last: what a player sees, for a script that plays. */
export class Told {
  update!: Update;
  forms: readonly Form[] = [];
  /** The hexes that the picked unit can go to. */
  reach: readonly string[] = [];

  constructor(page: Page) {
    page.on("websocket", (socket) =>
      socket.on("framereceived", ({ payload }) => {
        const said = JSON.parse(String(payload)) as ServerMessage;
        if (said.type === "welcome") {
          this.update = said.update;
          this.forms = said.game.forms;
        } else if (said.type === "update") this.update = said;
        else if (said.type === "answer" && said.answer.what === "routes") this.reach = said.answer.routes.flatMap(({ path }) => path.at(-1) ?? []);
      }),
    );
  }

  /** Answers whose form fits, as the words that follow its name. */
  answers(fits: (form: Form) => boolean): string[][] {
    return this.update.question.answers.flatMap(({ form, args }) => (this.forms[form] && fits(this.forms[form]) ? args : []));
  }

  placeOf(unit: string): string | undefined {
    return this.update.view.stacks.find(({ pieces }) => pieces.some(({ front }) => front?.unit === unit))?.hex;
  }
}
