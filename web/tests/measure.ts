/** How fast it is in a real browser, on the largest map with all counters. Prints a table; asserts nothing about time. */

import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import type { ClientMessage, Form, Question, ServerMessage } from "../src/wire";
import { actions, clickHex, create, expect, openText, pointOf, ready, secretOf, sit, test } from "./game";

const SCENARIO = "dagc/historical";
const LONG_GAME = 5_000;

function report(what: string, times: number[], unit = "ms"): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  console.log(`| ${what} | ${sorted.length} | ${at(0.5)} ${unit} | ${at(0.95)} ${unit} | ${at(1)} ${unit} |`);
}

test("first view of a game, from the click", async ({ page }) => {
  const times: number[] = [];
  for (let i = 0; i < 5; i++) {
    await page.goto("/");
    await page.getByRole("radio", { name: /Historical/ }).check();
    await page.getByRole("radio", { name: /I play both sides/ }).check();
    await page.getByRole("button", { name: /Start/ }).click();
    await page.waitForFunction(() => performance.getEntriesByName("board-shown").length > 0);
    times.push(await page.evaluate(() => performance.measure("first", "game-clicked", "board-shown").duration));
    await page.evaluate(() => localStorage.clear());
  }
  report("first view of a game after the click", times);
});

/** From the release of the button to the frame that shows the answer. */
async function answerTime(page: Page, act: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const game = document.querySelector<HTMLElement>(".game")!;
    const times = { up: 0, done: 0 };
    Object.assign(window, { answerTimes: times });
    window.addEventListener("pointerup", (event) => (times.up = event.timeStamp), { capture: true, once: true });
    const before = game.dataset["at"];
    new MutationObserver((_, observer) => {
      if (game.dataset["at"] === before) return;
      observer.disconnect();
      requestAnimationFrame(() => setTimeout(() => (times.done = performance.now())));
    }).observe(game, { attributes: true });
  });
  await act();
  const handle = await page.waitForFunction(() => {
    const { up, done } = (window as unknown as { answerTimes: { up: number; done: number } }).answerTimes;
    return done ? done - up : null;
  });
  return (await handle.jsonValue()) as number;
}

test("a click answered", async ({ page, server }) => {
  const game = await create(server, { scenario: SCENARIO, seed: "1" });
  await sit(page, secretOf(game, "soviet"));
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    // Declare an attack and take it back.
    await clickHex(page, "3600");
    times.push(await answerTime(page, () => clickHex(page, "3700")));
    const made = await actions(page);
    await page.keyboard.press("z");
    await expect.poll(() => actions(page)).toBe(made - 1);
  }
  report("click to the frame with the answer, on disk", times);
});

test("frames", async ({ page, server }) => {
  const game = await create(server, { scenario: SCENARIO, seed: "1" });
  await sit(page, secretOf(game, "axis+soviet"));
  const open = page.getByRole("button", { name: /show everything/ });
  if (await open.isVisible()) await open.click();
  await ready(page);
  const { x, y } = await pointOf(page, "3300");
  const frames = async (what: "pan" | "zoom"): Promise<number[]> =>
    page.evaluate(
      async ([kind, px, py]) => {
        const canvas = document.querySelector<HTMLCanvasElement>("#board")!;
        const box = canvas.getBoundingClientRect();
        const at = { clientX: px as number, clientY: py as number, bubbles: true, cancelable: true, pointerId: 1, isPrimary: true };
        canvas.setPointerCapture = () => undefined;
        const times: number[] = [];
        if (kind === "pan") canvas.dispatchEvent(new PointerEvent("pointerdown", { ...at, button: 1, buttons: 4 }));
        let last = await new Promise<number>(requestAnimationFrame);
        for (let i = 1; i <= 180; i++) {
          const wave = Math.sin(i / 20);
          if (kind === "pan")
            canvas.dispatchEvent(
              new PointerEvent("pointermove", { ...at, clientX: box.x + box.width / 2 + wave * 400, clientY: box.y + box.height / 2 + Math.cos(i / 13) * 300, buttons: 4 }),
            );
          else canvas.dispatchEvent(new WheelEvent("wheel", { ...at, deltaY: wave * 40 }));
          const now = await new Promise<number>(requestAnimationFrame);
          times.push(now - last);
          last = now;
        }
        if (kind === "pan") canvas.dispatchEvent(new PointerEvent("pointerup", { ...at, button: 1 }));
        return times;
      },
      [what, x, y] as const,
    );
  const camera = (): Promise<string | null> => page.locator("#board").getAttribute("data-camera");
  const before = await camera();
  await frames("zoom"); // every size of the picture has been drawn once
  expect(await camera()).not.toBe(before);
  report("frame to frame while panning, 1440x900", await frames("pan"));
  report("frame to frame while zooming, 1440x900", await frames("zoom"));
});

/** A long game, made by somebody who moves every unit hex by hex. */
async function longGame({ secret, length }: { secret: string; length: number }): Promise<void> {
  const socket = new WebSocket(`ws://${location.host}/api/socket`);
  const inbox: ServerMessage[] = [];
  let wake = (): void => undefined;
  socket.onmessage = (event) => {
    inbox.push(JSON.parse(String(event.data)) as ServerMessage);
    wake();
  };
  const next = async (): Promise<ServerMessage> => {
    while (!inbox.length) await new Promise<void>((done) => (wake = done));
    return inbox.shift()!;
  };
  const say = (message: ClientMessage): void => socket.send(JSON.stringify(message));
  await new Promise((done) => (socket.onopen = done));
  say({ type: "hello", version: 2, seat: secret, eyes: "all" });
  let forms: Form[] = [];
  let [at, decision, row, column] = [0, 0, 0, 0];
  let places = new Map<string, string>();
  let question: Question | null = null;
  let random = 12345;
  const draw = (n: number): number => (random = (random * 1103515245 + 12345) & 0x7fffffff) % n;
  for (let id = 1; at < length; id++) {
    for (let waiting = true; waiting; ) {
      const message = await next();
      if (message.type === "welcome") ({ forms } = message.game);
      const update = message.type === "welcome" ? message.update : message.type === "update" ? message : null;
      if (update) {
        ({ at, decision, question } = update);
        places = new Map(update.view.stacks.flatMap((stack) => stack.pieces.map((piece) => [piece.front?.unit ?? "", stack.hex])));
      }
      if (message.type === "refused") throw new Error(JSON.stringify(message.refusal.why));
      waiting = message.type !== "welcome" && message.type !== "done";
    }
    if (!question || question.over) break;
    const answers = question.answers.flatMap(({ form, args }) => args.map((words) => ({ form: forms[form]!, words })));
    const lasting = answers.filter(({ form }) => !form.finishes && form.name !== "name");
    const list = lasting.length ? lasting : answers;
    // One hex at a time: labels that differ least are near.
    const apart = (hex: string): number => Math.abs(Number(hex.slice(0, 2)) - row) + Math.abs(Number(hex.slice(2)) - column);
    const steps = list.filter(({ form }) => form.name === "go").sort((a, b) => apart(a.words[0]!) - apart(b.words[0]!));
    const { form, words } = steps.length ? steps[draw(Math.min(2, steps.length))]! : list[draw(list.length)]!;
    const hex = form.name === "go" ? words[0]! : (places.get(words[0] ?? "") ?? "0000");
    [row, column] = [Number(hex.slice(0, 2)), Number(hex.slice(2))];
    say({ type: "act", id, decision, lines: [[form.name, ...words].join(" ")] });
    await new Promise((done) => setTimeout(done, 18)); // within the limit of messages
  }
  socket.close();
}

test("scrub of a long game", async ({ page, server }) => {
  // A record from elsewhere, such as `cargo run -p server --example scrub` writes, or a game made here.
  const record = process.env["GROGNARD_LONG_RECORD"];
  const game = record
    ? await openText(server, record, readFileSync(record, "utf8"))
    : await create(server, { scenario: SCENARIO, seed: "1" });
  const secret = secretOf(game, "axis+soviet");
  await page.goto("/");
  if (!record) await page.evaluate(longGame, { secret, length: LONG_GAME });
  await page.goto(`/#/seat/${secret}/at/0`);
  await expect(page.locator(".replay output")).toHaveText(/^0 \//);
  const made = await actions(page);
  const times: number[] = [];
  for (let i = 0; i < 60; i++) {
    const to = (i * 7919 + 13) % made;
    times.push(
      await page.evaluate(async (moment) => {
        const slider = document.querySelector<HTMLInputElement>(".replay input[type=range]")!;
        const begun = performance.now();
        slider.value = String(moment);
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        const output = document.querySelector(".replay output")!;
        while (!output.textContent?.trim().startsWith(`${moment} `)) await new Promise(requestAnimationFrame);
        return performance.now() - begun;
      }, to),
    );
  }
  report(`scrub of a game of ${made} actions to any point`, times);
});
