/** What is asked over plain HTTP: before a game, and the rulebook's reference. */

import type { CaseInfo, Created, Faults, GameSummary, Geometry, Library, NewGame, OpenFile, Sheet } from "./wire";

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

async function post<T>(url: string, body: unknown): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
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
export const tables = (rulebook: string): Promise<Sheet[]> => once(`/api/rulebooks/${rulebook}/tables`);
export const geometry = (url: string): Promise<Geometry> => once(url);
export const create = (game: NewGame): Promise<Created> => post("/api/games", game);
export const open = (file: OpenFile): Promise<Created> => post("/api/games/open", file);
/** All games of this machine, for who started the server. */
export const everyGame = (key: string): Promise<GameSummary[]> => get("/api/games", { Authorization: `Bearer ${key}` });
export const find = (secrets: string[]): Promise<GameSummary[]> => post("/api/games/find", { secrets });
