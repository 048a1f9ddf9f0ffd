/**
 * The seats that this browser holds. Their secrets stay here: a link from elsewhere carries one behind the `#`, and it is taken out
 * of the address as soon as the seat was taken.
 */

import type { Created, Seat, Side } from "./wire";

export interface KeptSeat extends Seat {
  game: string;
  /** When it was last sat on, in milliseconds. */
  used?: number;
  /** What the server had committed itself to when the seat was taken. */
  commitment?: string | null;
}

const KEY = "grognard.seats";

export function keptSeats(): KeptSeat[] {
  return read<KeptSeat[]>(KEY, []);
}

function read<T>(key: string, none: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as T | null) ?? none;
  } catch {
    return none;
  }
}

function write(seats: readonly KeptSeat[]): void {
  localStorage.setItem(KEY, JSON.stringify(seats));
}

export function keepSeats(game: string, seats: readonly Seat[], commitment?: string | null): void {
  const known = new Map(keptSeats().map((seat) => [seat.secret, seat]));
  for (const seat of seats) {
    const before = known.get(seat.secret);
    known.set(seat.secret, { ...before, ...seat, game, ...(commitment === undefined ? {} : { commitment }) });
  }
  write([...known.values()]);
}

/** A game was made here: its seats, and the invitation that is to be sent. */
export function keepCreated({ id, seats, invitation, commitment }: Created): void {
  keepSeats(id, seats, commitment);
  if (invitation) keepInvitation(id, invitation.secret);
}

/** A seat was taken, perhaps by a link from somewhere else: it is kept, and found first next time. */
export function sitDown(game: string, secret: string, sides: KeptSeat["sides"], commitment: string | null): void {
  const known = keptSeats().find((seat) => seat.secret === secret);
  keepSeats(game, [{ secret, sides }], known?.commitment === undefined ? commitment : known.commitment);
  write(keptSeats().map((seat) => (seat.secret === secret ? { ...seat, used: Date.now() } : seat)));
}

export function keptSeat(secret: string): KeptSeat | undefined {
  return keptSeats().find((seat) => seat.secret === secret);
}

/** This player's part of the dice: drawn once for a seat. The first one that the server hears counts. */
export function nonceOf(secret: string): string {
  const before = read<Record<string, string>>(NONCES, {});
  const kept = before[secret];
  if (kept) return kept;
  const nonce = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  localStorage.setItem(NONCES, JSON.stringify({ ...before, [secret]: nonce }));
  return nonce;
}

const NONCES = "grognard.nonces";

/** Whether a seat of this browser gave this part of a game's dice. */
export function gaveNonce(game: string, nonce: string): boolean {
  const given = read<Record<string, string>>(NONCES, {});
  return keptSeats().some((seat) => seat.game === game && given[seat.secret] === nonce);
}

/** The seat was renewed: what is known of it goes with its new secret. */
export function renewSeat(old: string, secret: string): void {
  const nonce = nonceOf(old);
  const { [old]: _, ...others } = read<Record<string, string>>(NONCES, {});
  localStorage.setItem(NONCES, JSON.stringify({ ...others, [secret]: nonce }));
  write(keptSeats().map((seat) => (seat.secret === old ? { ...seat, secret } : seat)));
}

export function dropSeat(secret: string): void {
  write(keptSeats().filter((seat) => seat.secret !== secret));
}

const INVITATIONS = "grognard.invitations";

export function keepInvitation(game: string, secret: string): void {
  localStorage.setItem(INVITATIONS, JSON.stringify({ ...read<Record<string, string>>(INVITATIONS, {}), [game]: secret }));
}

/** The invitation that was made here for a game and is to be sent. */
export function invitationTo(game: string): string | undefined {
  return read<Record<string, string>>(INVITATIONS, {})[game];
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
  write(keptSeats().filter((seat) => seat.game !== game));
}

/** Whoever opens this link sits there. */
export function seatLink(secret: string, origin = location.origin): string {
  return `${origin}/#/seat/${secret}`;
}

export function invitationLink(secret: string, origin = location.origin): string {
  return `${origin}/#/join/${secret}`;
}

/** True when the page was opened by an address that leads nowhere on another machine. */
export function isOnlyHere(): boolean {
  return /^(localhost|127\..*|\[::1\])$/.test(location.hostname);
}

/** The address of a game in this browser: it names the seat without its secret. */
export function gameHash(game: string, sides: readonly Side[], at?: number | null): string {
  const moment = at === undefined || at === null ? "" : `/at/${at}`;
  return `#/game/${game}/${place(sides)}${moment}`;
}

const place = (sides: readonly Side[]): string => (sides.length === 2 ? "both" : (sides[0] ?? "observer"));

/** The secret of the seat that an address names; of another seat of the game when this browser does not hold that one. */
export function secretFor(game: string, where: string): string | undefined {
  const seats = keptSeats()
    .filter((seat) => seat.game === game)
    .sort((a, b) => (b.used ?? 0) - (a.used ?? 0));
  return (seats.find((seat) => place(seat.sides) === where) ?? seats[0])?.secret;
}
