import { signal } from "@preact/signals";
import { render } from "preact";
import "./style.css";
import "./settings";
import { keepHostKey } from "./seats";
import { GameView } from "./ui/game";
import { Lobby } from "./ui/lobby";

/** Everything is behind the `#`: the secret of a seat never goes to a server in an address. */
const route = signal(location.hash);
window.addEventListener("hashchange", () => (route.value = location.hash));

function App() {
  const host = /^#\/host\/([\w-]+)$/.exec(route.value);
  if (host?.[1]) {
    keepHostKey(host[1]);
    history.replaceState(null, "", "#/");
  }
  const seat = /^#\/seat\/([\w-]+)(?:\/at\/(\d+))?$/.exec(route.value);
  if (!seat?.[1]) return <Lobby />;
  return <GameView key={seat[1]} secret={seat[1]} at={seat[2] === undefined ? null : Number(seat[2])} />;
}

const root = document.getElementById("app");
if (root) render(<App />, root);
