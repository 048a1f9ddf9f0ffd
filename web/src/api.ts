/** What is asked over plain HTTP: before a game, and the rulebook's reference. */

import type { Accepted, CaseInfo, Created, Faults, GameSummary, Geometry, Invitation, Library, NewGame, OpenFile, Reach, Seat, Sheet, Side, Term } from "./wire";

/** A request that the server refuses, with all that is wrong. */
export class Faulty extends Error {
  constructor(readonly faults: Faults) {
    super(faults.why);
  }
}

async function get<T>(url: string, headers: Record<string, string> = {}): Promise<T> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return (await response.json()) as T;
}

async function post<T>(url: string, body: unknown, secret?: string): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(secret ? { Authorization: `Bearer ${secret}` } : {}) },
    body: JSON.stringify(body),
  });
  if (response.status === 204) return undefined as T;
  if (response.ok) return (await response.json()) as T;
  const faults = (await response.json().catch(() => null)) as Faults | null;
  if (faults?.why) throw new Faulty({ ...faults, faults: faults.faults ?? [] });
  throw new Error(`${response.status} ${response.statusText}`);
}

const kept = new Map<string, Promise<unknown>>();

/** What never changes while the page is open is asked once. */
function once<T>(url: string): Promise<T> {
  let promise = kept.get(url) as Promise<T> | undefined;
  if (!promise) {
    promise = get<T>(url);
    kept.set(url, promise);
    promise.catch(() => kept.delete(url));
  }
  return promise;
}

export const library = (): Promise<Library> => once("/api/library");
export const cases = (rulebook: string): Promise<CaseInfo[]> => once(`/api/rulebooks/${rulebook}/cases`);
export const glossary = (rulebook: string): Promise<Term[]> => once(`/api/rulebooks/${rulebook}/glossary`);
export const tables = (rulebook: string): Promise<Sheet[]> => once(`/api/rulebooks/${rulebook}/tables`);
export const geometry = (url: string): Promise<Geometry> => once(url);
export const create = (game: NewGame): Promise<Created> => post("/api/games", game);
export const open = (file: OpenFile): Promise<Created> => post("/api/games/open", file);
/** The games of this machine, for who started the server; some 200 at a time. */
export const everyGame = (key: string, skip: number): Promise<GameSummary[]> =>
  get(`/api/games?skip=${skip}`, { Authorization: `Bearer ${key}` });
/** A seat of one of them. */
export const hostSeat = (key: string, game: string): Promise<Accepted> => post(`/api/games/${game}/seat`, {}, key);
/** Where the server can be reached by others. */
export const reach = (): Promise<Reach> => once("/api/reach");
export const invitation = (secret: string): Promise<Invitation> => post("/api/invitations/view", { invitation: secret });
export const accept = (secret: string): Promise<Accepted> => post("/api/invitations/accept", { invitation: secret });
export const renew = (secret: string): Promise<Seat> => post("/api/seat/renew", {}, secret);
export const giveUp = (secret: string): Promise<void> => post("/api/seat/leave", {}, secret);
export const invite = (secret: string, side: Side): Promise<Seat> => post("/api/game/invite", { side }, secret);
export const find = (secrets: string[]): Promise<GameSummary[]> => post("/api/games/find", { secrets });
