import { Dialog } from "./dialog";
import { setGuide } from "./guide";

const KEYS: readonly (readonly [string, string])[] = [
  ["Arrow keys", "move the cursor from hex to hex (the board must have the focus: B)"],
  ["Enter", "do what a click does: select, go there, attack, choose"],
  ["Shift + Enter", "what a right click does: everything about the hex"],
  ["Esc", "back out: let go of the selection, close what is open"],
  ["Space or N", "next unit or hex that can do something; Shift goes back"],
  ["G", "next hex that the picked unit can go to or attack; Shift goes back"],
  ["1 … 9", "the choices beside the prompt, in their order"],
  ["J", "everybody who can joins the attack"],
  ["X", "set the picked unit aside for this phase: done"],
  ["E", "the finishing choice: end the phase, stop …; what ends a phase too early, or cannot be taken back, is asked for again"],
  ["Z, Y", "undo, redo"],
  ["/", "type an action in notation"],
  ["F", "find a hex, a place or a unit"],
  ["H (hold)", "hide the counters"],
  ["+ − 0", "zoom in, out, whole map"],
  ["W A S D", "pan"],
  ["B", "the turn track"],
  ["O", "overlays"],
  ["R", "replay: then ← and → step, PageUp and PageDown leap, Home and End jump, Esc leaves"],
  ["P, L, U, T, C, K", "panels: hex, log, units, tables, rules, talk"],
  ["M", "the small map"],
  ["B", "focus the board"],
  ["?", "this card"],
];

const HANDS: readonly (readonly [string, string])[] = [
  ["Click or tap", "select a unit; then click where it should go or whom it should attack"],
  ["Shift + click", "take a whole stack into the hand, and more of them; then click where all shall go"],
  ["Drag a counter", "the same in one go; so a unit joins a stack of its own side, where a click would select that stack"],
  ["Drag the map, wheel, pinch", "pan and zoom"],
  ["Right click, long press", "everything about a hex"],
  ["Case numbers", "open the rule in our words"],
];

function Table({ rows }: { rows: readonly (readonly [string, string])[] }) {
  return (
    <table class="keys">
      <tbody>
        {rows.map(([key, what]) => (
          <tr key={key}>
            <th scope="row">{key}</th>
            <td>{what}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function HelpDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Help" onClose={onClose} wide>
      <p>
        The line at the top says who must do what now. Yellow rims mark what can act. Nothing you click is lost: undo
        works until a die has fallen or something hidden was shown.
      </p>
      <p>
        <button type="button" onClick={() => (setGuide(true), onClose())}>
          Guide me in the learning scenarios
        </button>
      </p>
      <h3>Mouse and fingers</h3>
      <Table rows={HANDS} />
      <h3>Keys</h3>
      <Table rows={KEYS} />
    </Dialog>
  );
}
