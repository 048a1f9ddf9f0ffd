import { useContext } from "preact/hooks";
import type { Eyes } from "../wire";
import { Game } from "./context";

/** Through whose eyes the game is seen, where the seat has a choice. */
export function EyesChoice({ onChange }: { onChange: (eyes: Eyes) => Promise<void> }) {
  const { table } = useContext(Game);
  const eyes = table.seat.value?.eyes ?? [];
  if (eyes.length < 2) return null;
  const name = (one: Eyes): string => {
    if (one === "all") return "everything";
    return one === "observer" ? "what both see" : `what the ${table.sideName(one)} side sees`;
  };
  return (
    <label>
      Show{" "}
      <select value={table.update.value?.eyes} onChange={(e) => void onChange(e.currentTarget.value as Eyes)}>
        {eyes.map((one) => (
          <option key={one} value={one}>
            {name(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
