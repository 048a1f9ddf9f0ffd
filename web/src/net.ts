/** The connection to the server: one socket for a seat, requests with one reply each, and coming back after a drop. */

import type { Answer, Ask, ClientMessage, Eyes, GameInfo, Order, Presence, Refusal, Said, SeatInfo, ServerMessage, Thinking, Update } from "./wire";
import { nonceOf } from "./seats";
import { VERSION } from "./wire";
import { plain } from "./words";

export interface Listener {
  welcome(game: GameInfo, seat: SeatInfo, update: Update): void;
  update(update: Update): void;
  presence(presence: Presence): void;
  said(said: readonly Said[]): void;
  thinking(thinking: Thinking | null): void;
  /** `closed` is for ever, with the reason. */
  state(state: "connecting" | "open" | "lost" | "closed", why: string): void;
}

/** A request was refused; the reason is for the player. */
export class Refused extends Error {
  constructor(readonly refusal: Refusal) {
    super(plain(refusal.why));
  }
}

/** The connection went away before the reply came: whether it was done will be seen in the next update. */
export class Lost extends Error {
  constructor() {
    super("the connection was lost");
  }
}

export interface Done {
  done: number;
  stopped: Refusal | null;
}

type Request = ClientMessage extends infer M ? (M extends { id: number } ? Omit<M, "id"> : never) : never;
type Reply = Done | Answer;

interface Pending {
  resolve(reply: Reply): void;
  reject(error: Error): void;
}

const LONGEST_WAIT = 5_000;

export class Connection {
  private socket: WebSocket | null = null;
  private readonly pending = new Map<number, Pending>();
  private nextId = 1;
  private tries = 0;
  private timer = 0;
  private over = false;

  constructor(
    private readonly secret: string,
    private readonly eyes: () => Eyes | undefined,
    private readonly listener: Listener,
  ) {
    this.connect();
    window.addEventListener("online", this.comeBack);
  }

  close(): void {
    this.over = true;
    clearTimeout(this.timer);
    window.removeEventListener("online", this.comeBack);
    this.socket?.close();
    this.drop();
  }

  act(decision: number, lines: string[], dice: number[]): Promise<Done> {
    return this.request({ type: "act", decision, lines, ...(dice.length ? { dice } : {}) }) as Promise<Done>;
  }

  undo(decision: number): Promise<Done> {
    return this.request({ type: "undo", decision }) as Promise<Done>;
  }

  redo(decision: number): Promise<Done> {
    return this.request({ type: "redo", decision }) as Promise<Done>;
  }

  look(eyes: Eyes): Promise<Done> {
    return this.request({ type: "look", eyes }) as Promise<Done>;
  }

  say(text: string, name: string): Promise<Done> {
    return this.request({ type: "say", text, ...(name ? { name } : {}) }) as Promise<Done>;
  }

  hurry(): Promise<Done> {
    return this.request({ type: "hurry" }) as Promise<Done>;
  }

  order(orders: Order[]): Promise<Done> {
    return this.request({ type: "order", orders }) as Promise<Done>;
  }

  async ask<W extends Ask["what"]>(ask: Extract<Ask, { what: W }>): Promise<AnswerTo<W>> {
    return (await this.request({ type: "ask", ask })) as AnswerTo<W>;
  }

  private request(request: Request): Promise<Reply> {
    return new Promise((resolve, reject) => {
      if (this.socket?.readyState !== WebSocket.OPEN) return reject(new Lost());
      const id = this.nextId++;
      this.pending.set(id, { resolve, reject });
      this.send({ ...request, id } as ClientMessage);
    });
  }

  private send(message: ClientMessage): void {
    this.socket?.send(JSON.stringify(message));
  }

  private readonly comeBack = (): void => {
    if (this.over || this.socket) return;
    clearTimeout(this.timer);
    this.connect();
  };

  private connect(): void {
    this.listener.state("connecting", "");
    const url = new URL("/api/socket", location.href);
    url.protocol = url.protocol.replace("http", "ws");
    const socket = new WebSocket(url);
    this.socket = socket;
    socket.addEventListener("open", () => {
      const eyes = this.eyes();
      this.send({ type: "hello", version: VERSION, seat: this.secret, nonce: nonceOf(this.secret), ...(eyes ? { eyes } : {}) });
    });
    socket.addEventListener("message", (event) => this.hear(JSON.parse(String(event.data)) as ServerMessage));
    socket.addEventListener("close", () => this.lost());
  }

  private lost(): void {
    this.socket = null;
    this.drop();
    if (this.over) return;
    this.listener.state("lost", "");
    const wait = Math.min(LONGEST_WAIT, 250 * 2 ** this.tries++);
    this.timer = window.setTimeout(() => this.connect(), wait);
  }

  private drop(): void {
    for (const { reject } of this.pending.values()) reject(new Lost());
    this.pending.clear();
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.tries = 0;
        this.listener.state("open", "");
        return this.listener.welcome(message.game, message.seat, message.update);
      case "update":
        return this.listener.update(message);
      case "presence":
        return this.listener.presence(message);
      case "said":
        return this.listener.said(message.said);
      case "thinking":
        return this.listener.thinking(message.thinking);
      case "done":
        return this.settle(message.id)?.resolve({ done: message.done, stopped: message.stopped });
      case "refused":
        return this.settle(message.id)?.reject(new Refused(message.refusal));
      case "answer":
        return this.settle(message.id)?.resolve(message.answer);
      case "goodbye":
        if (message.again) return;
        this.over = true;
        return this.listener.state("closed", message.why);
    }
  }

  private settle(id: number): Pending | undefined {
    const pending = this.pending.get(id);
    this.pending.delete(id);
    return pending;
  }
}

/** The answer that an `ask` of this sort gets. */
export type AnswerTo<W extends Ask["what"]> = W extends "situation" | "record" | "branch"
  ? Extract<Answer, { what: "text" }>
  : Extract<Answer, { what: W }>;
