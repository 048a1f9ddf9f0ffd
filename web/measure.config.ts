import { defineConfig } from "@playwright/test";
import suite from "./playwright.config";

/** Figures for docs/performance.md: one after the other, nothing asserted about time. */
export default defineConfig({ ...suite, testMatch: "measure.ts", workers: 1, fullyParallel: false, timeout: 600_000 });
