import type { Signal } from "@preact/signals";
import { askLeave } from "../bell";
import { notify, showCosts, showDice, showFront, showMinimap, sound, textSize, theme, type Theme } from "../settings";
import { Dialog } from "./dialog";
import { PaceChoice } from "./replay";

const SIZES = [50, 75, 90, 100, 110, 125, 150, 175, 200];

function Check({ value, children }: { value: Signal<boolean>; children: string }) {
  return (
    <label class="row">
      <input type="checkbox" checked={value.value} onChange={(e) => (value.value = e.currentTarget.checked)} />
      {children}
    </label>
  );
}

export function SettingsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Settings" onClose={onClose}>
      <label class="row">
        Colours
        <select value={theme.value} onChange={(e) => (theme.value = e.currentTarget.value as Theme)}>
          <option value="system">as the system</option>
          <option value="light">light</option>
          <option value="dark">dark</option>
        </select>
      </label>
      <label class="row">
        Text size
        <select value={textSize.value} onChange={(e) => (textSize.value = Number(e.currentTarget.value))}>
          {SIZES.map((size) => (
            <option key={size} value={size}>
              {size} %
            </option>
          ))}
        </select>
      </label>
      <div class="row">
        <PaceChoice />
      </div>
      <label class="row">
        <input type="checkbox" checked={notify.value} onChange={(e) => void askLeave(e.currentTarget.checked)} />
        Notify me when it is my move and this page is not in sight
      </label>
      <Check value={sound}>Sound a bell then</Check>
      <Check value={showDice}>Show dice falling</Check>
      <Check value={showCosts}>Write the cost into every hex within reach</Check>
      <Check value={showFront}>Draw the front line</Check>
      <Check value={showMinimap}>Show the small map</Check>
    </Dialog>
  );
}
