/** What every rulebook has from the general parts: attacks put together, what others did, standing orders, the guide, boxes. */

import { actions, another, BOOKS, choice, clickHex, create, expect, pointOf, secretOf, sit, test, Told, walk } from "./game";

for (const { scenario, first, level } of BOOKS) {
  const second = first === "axis" ? "soviet" : "axis";

  test(`${scenario}: an attack is put together, weighed for each who could join, and called off`, async ({ page, server }) => {
    const names = ({ step }: { step: string | null }): boolean => step === "name";
    const found = await walk(server, scenario, ({ question, forms }) => {
      const targets = question.answers.filter(({ form }) => names(forms[form]!)).flatMap(({ args }) => args.map(([, hex]) => hex));
      return targets.some((hex, i) => targets.indexOf(hex) !== i);
    });
    const heard = new Told(page);
    await sit(page, secretOf(found!.game, found!.side));
    const naming = heard.answers(names);
    const target = naming.find(([, hex], i) => naming.findIndex(([, other]) => other === hex) !== i)![1]!;
    await clickHex(page, target);
    const card = page.getByRole("region", { name: `Attack on ${target}` });
    await expect(card).toBeVisible();
    // In Battles in the East the enemy declares his shifts before the die: nobody can say beforehand what comes of it.
    const told = !scenario.startsWith("bite");
    if (told) await expect(card.locator(".with").first()).toHaveText(/alone (perhaps )?\d+(–\d+)? %/);
    const at = await actions(page);
    await page.keyboard.press("j");
    await expect.poll(() => card.getByRole("checkbox", { checked: true }).count()).toBeGreaterThan(1);
    if (told) await expect(choice(page, /takes the hex/).first()).toBeVisible();
    await card.getByRole("checkbox", { checked: true }).last().click();
    if (told) await expect(card.locator(".with").first()).toHaveText(/with it (perhaps )?\d+(–\d+)? %/);
    await choice(page, /call (the attack|it) off/i).click();
    await expect(card).toHaveCount(0);
    await expect.poll(() => actions(page)).toBeGreaterThan(at);
    await expect(page.locator(".refusal")).toHaveCount(0);
  });

  test(`${scenario}: what the enemy did is shown moving, told, and shown again`, async ({ page, server }) => {
    const players = { axis: { name: "" }, soviet: { name: "" }, [first]: { name: "", level } };
    await page.addInitScript(() => {
      window.addEventListener("DOMContentLoaded", () => {
        const note = (): void => {
          const travelling = document.getElementById("board")?.dataset["travelling"];
          if (Number(travelling) > 0) document.documentElement.dataset["travelled"] = "yes";
          if (document.querySelector(".reel")) document.documentElement.dataset["reel"] = "yes";
        };
        new MutationObserver(note).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-travelling"] });
      });
    });
    const root = page.locator("html");
    // An opponent has luck of its own in every game: now and then it moves nobody.
    let travelled = false;
    for (let tries = 0; tries < 5 && !travelled; tries++) {
      const game = await create(server, { scenario, seed: `reel ${tries}`, players });
      await sit(page, secretOf(game, second));
      const seen = expect(root).toHaveAttribute("data-travelled", "yes", { timeout: 12_000 });
      travelled = await seen.then(() => true, () => false);
    }
    expect(travelled).toBe(true);
    await expect(root).toHaveAttribute("data-reel", "yes");
    await expect(page.locator(".prompt[data-yours=true]")).toBeVisible({ timeout: 60_000 });
    await page.keyboard.press("Escape");
    await expect(page.locator(".reel")).toHaveCount(0);
    const happened = page.getByRole("region", { name: "What happened" });
    await expect(happened).not.toBeEmpty();
    await happened.getByRole("button", { name: "Show it again" }).click();
    await expect(page.locator(".reel")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.locator(".reel")).toHaveCount(0);
  });

  test(`${scenario}: a standing order answers for whoever is interrupted, and is revoked`, async ({ page, server }) => {
    const found = await walk(server, scenario, ({ question, forms, log, phase }) => {
      const plain = question.answers.map(({ form }) => forms[form]!).filter(({ finishes, fields }) => finishes && !fields.length);
      return plain.length === 1 && plain[0]!.role === "finish" && log.at(-1)?.side !== question.side && phase?.side !== question.side;
    });
    test.skip(!found, "nobody is interrupted in it by what can be answered by doing no more");
    await sit(page, secretOf(found!.game, found!.side));
    const at = await actions(page);
    await page.getByRole("group", { name: "Standing orders" }).getByRole("button").nth(1).click();
    const orders = page.getByRole("region", { name: "Your standing orders" });
    await expect(orders).toContainText("always");
    await expect.poll(() => actions(page)).toBeGreaterThan(at);
    await page.reload();
    await orders.getByRole("button", { name: "Revoke" }).click();
    await expect(orders).toHaveCount(0);
  });

  test(`${scenario}: a newcomer is led by what is asked, through the turn, and can leave`, async ({ page, server }) => {
    const game = await create(server, { scenario, seed: "1" });
    await sit(page, secretOf(game, first));
    const guide = page.getByRole("region", { name: "Guide" });
    await expect(guide.getByRole("heading")).not.toHaveText("Your decision");
    await expect(guide.locator("li").first()).toContainText(/click|button/);
    const told = await guide.textContent();
    expect(told).not.toMatch(/\(R\d+\)|[a-z]-[a-z]+-[a-z]/);
    await guide.getByRole("button", { name: "I know my way" }).click();
    await expect(guide).toHaveCount(0);
    await page.keyboard.press("?");
    await page.getByRole("button", { name: /Guide me/ }).click();
    await expect(guide).toBeVisible();
  });

  test(`${scenario}: the turn track and the boxes beside the map open and close`, async ({ page, server }) => {
    const game = await create(server, { scenario, seed: "1" });
    await sit(page, secretOf(game, first));
    const tray = page.getByRole("region", { name: "Boxes beside the map" });
    await page.locator("button.turn").click();
    await expect(tray.locator(".track-box[aria-current=step]")).toBeVisible();
    expect(await tray.locator(".track-box").count()).toBeGreaterThanOrEqual(Number((await page.locator(".turn").textContent())!.split("/")[1]));
    await page.keyboard.press("b");
    await expect(tray.locator(".track-box")).toHaveCount(0);
    for (const chip of await tray.locator(".chip:not([data-box=track])").all()) {
      await chip.click();
      await expect(tray.locator(".tray-box .boxed").first()).toBeVisible();
      await expect(chip).not.toHaveText(/-/);
    }
  });
}

test("two people: what one does in a box the other sees", async ({ page, server }) => {
  const game = await create(server, { scenario: "barbarossa/campaign", seed: "1" });
  const told = new Told(page);
  await sit(page, secretOf(game, "axis"));
  const other = await another(page);
  await sit(other, secretOf(game, "soviet"));
  await page.locator(".chip[data-box=hand]").click();
  const boxed = page.locator(".tray-box .boxed[data-ready=true]").first();
  const unit = (await boxed.getAttribute("data-unit"))!;
  const hex = told.answers((form) => form.name === "deploy").find(([one]) => one === unit)![1]!;
  await test.step("dragged from the box to a hex", async () => {
    const to = await pointOf(page, hex);
    const from = (await boxed.boundingBox())!;
    await page.mouse.move(from.x + from.width / 2, from.y + 15);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: 6 });
    await expect(page.locator(".dragged")).toBeVisible();
    await page.mouse.up();
    await expect.poll(() => actions(page)).toBe(1);
    await expect.poll(() => actions(other)).toBe(1);
    expect(told.placeOf(unit)).toBe(hex);
  });
  await other.context().close();
});

test("a unit is dropped from the map into a box, and stays where no rule lets it go there", async ({ page, server }) => {
  const recalls = ({ name }: { name: string }): boolean => name === "recall";
  const found = await walk(server, "barbarossa/smolensk", ({ question, forms }) => question.answers.some(({ form }) => recalls(forms[form]!)));
  const told = new Told(page);
  await sit(page, secretOf(found!.game, found!.side));
  const unit = told.answers(recalls)[0]![0]!;
  const hex = told.placeOf(unit)!;
  await clickHex(page, hex);
  while ((await page.locator(".piece.picked [data-unit]").getAttribute("data-unit")) !== unit) await clickHex(page, hex);
  const chip = page.locator(".chip[data-box=rvgk]");
  await expect(chip).toHaveAttribute("data-takes", "true");
  const [from, to] = [await pointOf(page, hex), (await chip.boundingBox())!];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move(to.x + 20, to.y + 10, { steps: 6 });
  const at = await actions(page);
  await page.mouse.up();
  await expect.poll(() => actions(page)).toBeGreaterThan(at);
  expect(told.update.view.boxes.find(({ name }) => name === "rvgk")!.pieces.some(({ front }) => front?.unit === unit)).toBe(true);
});
