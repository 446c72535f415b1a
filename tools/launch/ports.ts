import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A program that is just stopping gives its port back within this time. */
const PATIENCE_MS = 4_000;

export async function requireFreePort(port: number, host: string, why: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await isFree(port, host))) {
    if (Date.now() > deadline) {
      throw new Error(`Port ${port} (${why}) is taken by another program. Set another PORT.`);
    }
    await sleep(200);
  }
}

/** The first of `count` neighbouring free ports, picked at random so that runs do not meet. */
export async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const first = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const free = await Promise.all(ports.map((port) => isFree(port, "127.0.0.1")));
    if (free.every(Boolean)) return first;
  }
  throw new Error(`No ${count} neighbouring free ports`);
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
