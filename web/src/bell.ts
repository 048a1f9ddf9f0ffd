/** Tells a player who looks elsewhere that it is his move: by a notification of the browser, and by a sound. Both are off at first. */

import { notify, sound } from "./settings";

export function ring(title: string): void {
  if (!document.hidden) return;
  if (notify.value && "Notification" in window && Notification.permission === "granted")
    new Notification(title, { body: "It is your move.", icon: "/icon.svg", tag: title });
  if (sound.value) beep();
}

/** Asks the browser for leave; the setting stays off without it. */
export async function askLeave(wanted: boolean): Promise<void> {
  if (wanted && "Notification" in window && Notification.permission === "default") await Notification.requestPermission();
  notify.value = wanted && "Notification" in window && Notification.permission === "granted";
}

/** Two short tones. */
function beep(): void {
  const audio = new AudioContext();
  [660, 880].forEach((pitch, i) => {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    volume.gain.value = 0.08;
    tone.frequency.value = pitch;
    tone.connect(volume).connect(audio.destination);
    tone.start(audio.currentTime + i * 0.16);
    tone.stop(audio.currentTime + i * 0.16 + 0.13);
  });
}
