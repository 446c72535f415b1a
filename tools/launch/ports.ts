import { createServer, type ListenOptions } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A program that is stopping releases its port within this time. */
const PATIENCE_MS = 4_000;

export async function requireFreePort(port: number, host: string, why: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await canListen({ port, host }, false))) {
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
    // Abstract sockets, which the system removes when this process ends, however it ends.
    const ours = ports.map((port) => canListen({ path: `\0sesame-port-${port}` }, true));
    const free = ports.map((port) => canListen({ port, host: "127.0.0.1" }, false));
    if ((await Promise.all([...ours, ...free])).every(Boolean)) return first;
  }
  throw new Error(`No ${count} neighbouring free ports`);
}

/** → whether no other program listens there. `stays`: this process keeps it until it ends */
function canListen(place: ListenOptions, stays: boolean): Promise<boolean> {
  const server = createServer().unref();
  return new Promise((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(place, () => (stays ? resolve(true) : server.close(() => resolve(true))));
  });
}
