/** What a person has chosen for this browser. Kept in local storage; nothing of it is sent. */

import { effect, signal, type Signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

interface Settings {
  theme: Theme;
  /** Text size in percent. */
  text: number;
  dice: boolean;
  costs: boolean;
  front: boolean;
  minimap: boolean;
}

const DEFAULTS: Settings = { theme: "system", text: 100, dice: true, costs: true, front: true, minimap: true };
const KEY = "grognard.settings";

function read(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return DEFAULTS;
  }
}

const stored = read();

export const theme: Signal<Theme> = signal(stored.theme);
export const textSize = signal(stored.text);
export const showDice = signal(stored.dice);
export const showCosts = signal(stored.costs);
export const showFront = signal(stored.front);
export const showMinimap = signal(stored.minimap);

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(darkSystem.matches);
darkSystem.addEventListener("change", (change) => (systemDark.value = change.matches));

export const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** A phone, or a window as narrow as one: as in style.css. */
export const narrow = matchMedia("(max-width: 760px)");

export const dark = signal(false);

effect(() => {
  dark.value = theme.value === "dark" || (theme.value === "system" && systemDark.value);
  document.documentElement.dataset["theme"] = dark.value ? "dark" : "light";
});

effect(() => {
  document.documentElement.style.fontSize = `${textSize.value}%`;
});

effect(() => {
  const settings: Settings = {
    theme: theme.value,
    text: textSize.value,
    dice: showDice.value,
    costs: showCosts.value,
    front: showFront.value,
    minimap: showMinimap.value,
  };
  localStorage.setItem(KEY, JSON.stringify(settings));
});
