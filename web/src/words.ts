import type { Eyes } from "./wire";

export const EYES: Readonly<Record<Eyes, string>> = {
  axis: "the Axis side's",
  soviet: "the Soviet side's",
  observer: "an observer's",
  all: "everything",
};
