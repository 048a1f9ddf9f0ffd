/** What a person has chosen for this browser. Kept in local storage; nothing of it is sent. */

import { computed, effect, signal, type Signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

interface Settings {
  theme: Theme;
  /** Text size in percent. */
  text: number;
  dice: boolean;
  costs: boolean;
  front: boolean;
  minimap: boolean;
  /** How fast others' pieces are shown moving. */
  pace: Pace;
  /** Tell when it is one's move and the page is not in sight. */
  notify: boolean;
  sound: boolean;
}

export type Pace = "off" | "slow" | "normal" | "fast";

const DEFAULTS: Settings = { theme: "system", text: 100, dice: true, costs: true, front: true, minimap: true, pace: "normal", notify: false, sound: false };
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
export const pace: Signal<Pace> = signal(stored.pace);
export const notify = signal(stored.notify);
export const sound = signal(stored.sound);

const darkSystem = matchMedia("(prefers-color-scheme: dark)");
const systemDark = signal(darkSystem.matches);
darkSystem.addEventListener("change", (change) => (systemDark.value = change.matches));

export const calm = matchMedia("(prefers-reduced-motion: reduce)");

const width = signal(window.innerWidth);
window.addEventListener("resize", () => (width.value = window.innerWidth));

/** How much room there is for text of this size: large text makes any screen a small one. style.css goes by it. */
export const room = computed(() => {
  const letters = (width.value * 100) / textSize.value;
  return letters <= 760 ? "narrow" : letters <= 1200 ? "medium" : "wide";
});

/** So little height that a panel would leave no map. */
export const isLow = (): boolean => (window.innerHeight * 100) / textSize.value < 620;

effect(() => {
  document.documentElement.dataset["room"] = room.value;
});

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
    pace: pace.value,
    notify: notify.value,
    sound: sound.value,
  };
  localStorage.setItem(KEY, JSON.stringify(settings));
});
