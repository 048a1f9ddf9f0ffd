import { signal } from "@preact/signals";
import { render } from "preact";
import "./style.css";
import "./settings";
import { keepHostKey, secretFor } from "./seats";
import { GameView } from "./ui/game";
import { Join } from "./ui/join";
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
  const join = /^#\/join\/([\w-]+)$/.exec(route.value);
  if (join?.[1]) return <Join key={join[1]} secret={join[1]} />;
  const seat = /^#\/seat\/([\w-]+)(?:\/at\/(\d+))?$/.exec(route.value);
  if (seat?.[1]) return <GameView key={seat[1]} secret={seat[1]} at={moment(seat[2])} />;
  const game = /^#\/game\/([\w-]+)\/(\w+)(?:\/at\/(\d+))?$/.exec(route.value);
  const secret = game?.[1] && secretFor(game[1], game[2] ?? "");
  if (!game || !secret) return <Lobby />;
  return <GameView key={secret} secret={secret} at={moment(game[3])} />;
}

const moment = (at: string | undefined): number | null => (at === undefined ? null : Number(at));

const root = document.getElementById("app");
if (root) render(<App />, root);
