/** What axe finds wrong with a page. */

import axe from "axe-core";
import { expect, type Page } from "@playwright/test";

interface Violation {
  id: string;
  nodes: { html: string }[];
}

export async function audit(page: Page, what: string): Promise<void> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const wrong = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } }).axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  });
  expect(wrong, what).toEqual([]);
}
