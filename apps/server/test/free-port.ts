import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Below what systems give to outgoing connections (from 32 768 on), and below the demo's of the tests
 * (from 20 000 on): a port found free here is still free when its server listens.
 */
const FIRST_PORT = 12_000;
const SLICES = 8;
const PORTS_A_SLICE = 1_000;

/** A slice for each worker: two test files at once never find the same one. */
const slice = Number(process.env["VITEST_POOL_ID"] ?? "0") % SLICES;
const given = new Set<number>();

/** The server must know its address before it listens, and the world the server's. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + slice * PORTS_A_SLICE + randomInt(PORTS_A_SLICE);
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
