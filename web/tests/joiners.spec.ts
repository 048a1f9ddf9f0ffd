/** Who can act and who cannot: joiners of an attack with what they would bring, others with the reason, units that can go nowhere. */

import { clickHex, create, expect, finish, openText, pointAt, secretOf, sit, test, Told } from "./game";

const COMBAT = `rulebook = "mini"
turn = 1
turns = 2
luck = ""
stack = ["combat axis"]

[map]
grid = """
. . . . . .
 . . . . . .
. . w . . .
"""

[units]
panzers = "0301"
jaeger = "0302"
flak = "0102"
rifles-1 = "0401"
tanks = "0603"
`;

test("mini: what an attack would be with each who could join stands beside him", async ({ page, server }) => {
  const game = await openText(server, "combat.toml", COMBAT);
  await sit(page, secretOf(game, "axis"));
  await clickHex(page, "0401");
  const card = page.getByRole("region", { name: "Attack on 0401" });
  await expect(card.locator(".with")).toHaveCount(2);
  await expect(card.locator(".with").first()).toHaveText(/alone \d+(–\d+)? %/);
  await card.getByRole("checkbox").first().check();
  await expect(card.locator(".with")).toHaveText([/with it \d+(–\d+)? %/]);
  // The one under the pointer is the one that is meant.
  await pointAt(page, "0301");
  const pointed = card.locator("li[data-pointed=true]");
  await expect(pointed).toHaveCount(1);
});

test("mini: who beside the target cannot join is told with the rule", async ({ page, server }) => {
  const game = await openText(server, "combat.toml", COMBAT.replace('jaeger = "0302"', 'jaeger = "0302 attacked"'));
  await sit(page, secretOf(game, "axis"));
  await clickHex(page, "0401");
  const unable = page.getByRole("region", { name: "Attack on 0401" }).locator(".unable");
  await unable.locator("summary").click();
  await expect(unable).toContainText("Jaeger has attacked in this phase");
  await expect(unable.locator(".case").first()).toHaveText("6.1");
});

test("dagc: units that can go nowhere are not among those that can act", async ({ page, server }) => {
  const game = await create(server, { scenario: "dagc/historical", seed: "c", options: ["no-forced-attacks"] });
  const told = new Told(page);
  const secret = secretOf(game, "soviet");
  await sit(page, secret);
  for (let i = 0; i < 6 && !told.answers((form) => form.name === "move").length; i++) await finish(page);
  const stuck = new Set(told.update.question.stuck);
  for (const [unit] of told.answers((form) => form.name === "move")) {
    const response = await fetch(`${server.url}/api/game/ask`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${secret}` },
      body: JSON.stringify({ what: "look", lines: [`move ${unit}`] }),
    });
    const { question } = (await response.json()) as { question: { answers: { form: number }[] } };
    const goes = question.answers.some(({ form }) => told.forms[form]?.fields.some(({ kind }) => kind === "hex"));
    expect(goes, unit).toBe(!stuck.has(unit!));
  }
});
