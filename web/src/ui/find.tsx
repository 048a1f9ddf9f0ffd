import { useSignal } from "@preact/signals";
import { useContext } from "preact/hooks";
import { Game } from "./context";
import { Dialog } from "./dialog";

/** Finds a hex by number or place, a unit by name. */
export function FindDialog() {
  const { table, open, goTo } = useContext(Game);
  const wanted = useSignal("");
  const close = (): void => {
    open.value = null;
  };
  const word = wanted.value.trim().toLowerCase();
  const plain = word.replace(/[^a-z0-9]/g, "");
  const found: { key: string; hex: string; text: string }[] = [];
  if (word) {
    for (const [unit, hex] of table.places.value) {
      const title = table.looks.value.title(unit);
      if (title.toLowerCase().includes(word) || unit.toLowerCase().includes(word))
        found.push({ key: unit, hex, text: `${title} in ${hex}` });
    }
    for (const cell of table.geometry.value?.cells ?? []) {
      const names = cell.names.filter((name) => name.toLowerCase().includes(word));
      const label = cell.label.toLowerCase().replace(/[^a-z0-9]/g, "");
      if (names.length) found.push({ key: cell.label, hex: cell.label, text: `${names.join(", ")} in ${cell.label}` });
      else if (plain && label.startsWith(plain))
        found.push({ key: cell.label, hex: cell.label, text: `hex ${cell.label}, ${cell.terrain}` });
    }
  }
  const go = (hex: string): void => {
    close();
    goTo(hex);
  };
  return (
    <Dialog title="Find" onClose={close}>
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (found[0]) go(found[0].hex);
        }}
      >
        <label class="search">
          Hex, place or unit{" "}
          <input type="search" autofocus value={wanted.value} onInput={(e) => (wanted.value = e.currentTarget.value)} />
        </label>
      </form>
      <ul class="found" role="list">
        {found.slice(0, 30).map((one) => (
          <li key={one.key}>
            <button type="button" onClick={() => go(one.hex)}>
              {one.text}
            </button>
          </li>
        ))}
        {word && !found.length && <li class="quiet">Nothing of that name is in sight.</li>}
      </ul>
    </Dialog>
  );
}
