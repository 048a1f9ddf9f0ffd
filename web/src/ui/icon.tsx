/** Small pictures for buttons, drawn here: fonts do not agree on signs. */

const PATHS = {
  undo: "M9 5 4 10l5 5M4 10h9a5 5 0 0 1 0 10h-2",
  redo: "m15 5 5 5-5 5M20 10h-9a5 5 0 0 0 0 10h2",
  overlays: "m12 3 9 5-9 5-9-5zM3 13l9 5 9-5",
  replay: "M4 12a8 8 0 1 0 3-6.2M4 4v5h5M12 8v4l3 2",
  find: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5",
  share: "M8 12h8M12 8l4 4-4 4M14 4h6v16h-6M10 4H4v16h6",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4M4 12h16",
  help: "M9 9a3 3 0 1 1 4 2.8c-.7.4-1 1-1 2.2M12 18v.5",
  flag: "M6 21V4M6 5h11l-2 4 2 4H6",
  first: "M6 5v14M19 5 9 12l10 7z",
  last: "M18 5v14M5 5l10 7-10 7z",
  back: "M17 5 7 12l10 7z",
  on: "M7 5l10 7-10 7z",
  close: "M6 6l12 12M18 6 6 18",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  whole: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
} as const;

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="glyph" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
