/** The seats that this browser holds. Their secrets stay here; a link carries one behind the `#`. */

import type { Seat } from "./wire";

export interface KeptSeat extends Seat {
  game: string;
  /** When it was last sat on, in milliseconds. */
  used?: number;
}

const KEY = "grognard.seats";

export function keptSeats(): KeptSeat[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as KeptSeat[];
  } catch {
    return [];
  }
}

export function keepSeats(game: string, seats: readonly Seat[]): void {
  const known = new Map(keptSeats().map((seat) => [seat.secret, seat]));
  for (const seat of seats) known.set(seat.secret, { ...known.get(seat.secret), ...seat, game });
  localStorage.setItem(KEY, JSON.stringify([...known.values()]));
}

/** A seat was taken, perhaps by a link from somewhere else: it is kept, and found first next time. */
export function sitDown(game: string, secret: string, sides: KeptSeat["sides"]): void {
  keepSeats(game, [{ secret, sides }]);
  const seats = keptSeats().map((seat) => (seat.secret === secret ? { ...seat, used: Date.now() } : seat));
  localStorage.setItem(KEY, JSON.stringify(seats));
}

const HOST = "grognard.host";

/** Who started the server has a key to all its games. */
export function hostKey(): string | null {
  return localStorage.getItem(HOST);
}

export function keepHostKey(key: string): void {
  localStorage.setItem(HOST, key);
}

export function forgetGame(game: string): void {
  localStorage.setItem(KEY, JSON.stringify(keptSeats().filter((seat) => seat.game !== game)));
}

export function seatLink(secret: string, at?: number): string {
  const moment = at === undefined ? "" : `/at/${at}`;
  return `${location.origin}/#/seat/${secret}${moment}`;
}
