import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { accept, invitation } from "../api";
import { gameHash, keepSeats } from "../seats";
import type { Invitation } from "../wire";
import { capital } from "./text";

/** An invitation: what it is for, and a button, since it works once. */
export function Join({ secret }: { secret: string }) {
  const invited = useSignal<Invitation | null>(null);
  const trouble = useSignal("");
  const failed = (error: Error): void => void (trouble.value = error.message);
  useEffect(() => {
    document.title = "Grognard";
    invitation(secret).then((found) => (invited.value = found), failed);
  }, []);
  const take = async (): Promise<void> => {
    try {
      const { id, seat } = await accept(secret);
      keepSeats(id, [seat], invited.value?.commitment ?? null);
      // The invitation is used up: nobody needs it in the history.
      location.replace(gameHash(id, seat.sides));
    } catch (error) {
      if (error instanceof Error) failed(error);
    }
  };
  const found = invited.value;
  const side = found?.sides[0];
  return (
    <main class="lobby">
      <section class="card">
        {!found && !trouble.value && <p class="quiet">Looking at the invitation …</p>}
        {trouble.value && (
          <>
            <h1>This seat cannot be taken</h1>
            <p role="alert">{capital(trouble.value)}.</p>
            <a class="button main" href="#/">
              To the lobby
            </a>
          </>
        )}
        {found && side && !trouble.value && (
          <>
            <h1>You are invited</h1>
            <p>
              {found.game.title}: you play the {capital(side)} side, and whoever sent you this link plays the other one.
            </p>
            {found.commitment && (
              <p class="source">
                The server has committed itself to its part of the dice: <code class="hash">{found.commitment}</code>. Your browser
                adds a number of yours when you sit down, so that neither the server nor your opponent can choose them.
              </p>
            )}
            <button type="button" class="main big" onClick={() => void take()}>
              Take the seat
            </button>
          </>
        )}
      </section>
    </main>
  );
}
