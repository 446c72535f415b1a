import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A program that is stopping releases its port within this time. */
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

/** Below the ports of outbound connections, which begin at 32 768. */
const FIRST_PORT = 12_000;
const PORTS = 18_000;

/**
 * Finds the first of `count` neighbouring free ports for a program that listens later. No other
 * call, in any process, finds them again until this process ends.
 */
export async function findFreePorts(count: number): Promise<number> {
  for (let tries = 0; tries < 200; tries += 1) {
    const first = FIRST_PORT + Math.floor(Math.random() * PORTS);
    const ports = Array.from({ length: count }, (_, index) => first + index);
    const ours = await Promise.all(ports.map(reserve));
    const free = await Promise.all(ports.map((port) => isFree(port, "127.0.0.1")));
    if ([...ours, ...free].every(Boolean)) return first;
  }
  throw new Error(`No ${count} neighbouring free ports`);
}

/** An abstract socket, which the system removes when this process ends, however it ends. */
function reserve(port: number): Promise<boolean> {
  const server = createServer().unref();
  return new Promise((resolve) => {
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code !== "EADDRINUSE"));
    server.listen(`\0sesame-port-${port}`, () => resolve(true));
  });
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
