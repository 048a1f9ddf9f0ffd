/** The real program with a database file and a port of its own. */

import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

export function binary(): string {
  const given = process.env["GROGNARD_BIN"];
  if (given) return resolve(given);
  const built = ["release", "debug"].map((kind) => resolve(import.meta.dirname, `../../target/${kind}/grognard`));
  const found = built.find(existsSync);
  if (!found) throw new Error(`no grognard at ${built.join(" or ")}: build it, or set GROGNARD_BIN`);
  return found;
}

async function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.on("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? done(address.port) : fail(new Error("no port"))));
    });
  });
}

export class Server {
  private process: ChildProcess | null = null;
  private readonly folder = mkdtempSync(join(tmpdir(), "grognard-"));
  private said = "";

  private constructor(private readonly port: number) {}

  static async start(): Promise<Server> {
    const server = new Server(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The key in the link that the program prints. */
  get hostKey(): string {
    const key = /#\/host\/(\w+)/.exec(this.said)?.[1];
    if (!key) throw new Error(`no link was printed: ${this.said}`);
    return key;
  }

  async start(): Promise<void> {
    const args = ["serve", "--no-open", "--port", String(this.port), "--db", join(this.folder, "games.sqlite")];
    // The client is in the program; while it is being worked on, it is served from a folder.
    const web = process.env["GROGNARD_WEB"];
    if (web) args.push("--web", resolve(web));
    const child = spawn(binary(), args, { stdio: ["ignore", "pipe", "pipe"] });
    this.process = child;
    child.stdout?.on("data", (text: Buffer) => (this.said += text.toString()));
    child.stderr?.on("data", (text: Buffer) => (this.said += text.toString()));
    for (let tries = 0; tries < 300; tries++) {
      if (child.exitCode !== null) throw new Error(`the server ended: ${this.said}`);
      const answered = await fetch(`${this.url}/api/library`).then(
        (response) => response.ok,
        () => false,
      );
      if (answered) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error(`the server did not answer: ${this.said}`);
  }

  /** As the power failing: no time to write anything. */
  async kill(): Promise<void> {
    const child = this.process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once("exit", done));
    child.kill("SIGKILL");
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
