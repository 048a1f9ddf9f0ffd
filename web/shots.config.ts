import { defineConfig } from "@playwright/test";
import suite from "./playwright.config";

/** Pictures for the documentation, to be looked at. */
export default defineConfig({ ...suite, testMatch: "shots.ts", workers: 1 });
