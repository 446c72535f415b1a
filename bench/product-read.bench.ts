import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert } from "@sesame/kernel";
import { startTestApp } from "../apps/server/test/harness.ts";
import { publishProduct } from "../apps/server/test/stage.ts";
import type { Row } from "./ledger.bench.ts";

/** Many and short: a neighbour on the machine then weighs on both sides alike. */
const ROUNDS = 15;
const CONNECTIONS = 64;
const LOAD = fileURLToPath(new URL("./http-load.ts", import.meta.url));
const execute = promisify(execFile);

/**
 * Reads of a product's page over HTTP against a bare server that answers the same bytes (QUALITY
 * P4), and how soon an edit shows. Needs TEST_DATABASE_URL, as the tests do.
 * @param seconds how long each side is asked in each of the rounds, which alternate.
 */
export async function run({ seconds }: { seconds: number }): Promise<Row[]> {
  const app = await startTestApp();
  const seller = await app.signInSeller();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group });
  const address = `${app.url}/api/public/products/${product.reference}`;
  const bare = await serveBare(Buffer.from(await (await fetch(address)).arrayBuffer()));
  const ours: number[] = [];
  const limit: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    limit.push(await load(bare.address, seconds));
    ours.push(await load(address, seconds));
  }
  bare.server.close();
  bare.server.closeAllConnections();
  await app.close();
  return [
    { what: "bare HTTP answer", figure: median(limit), unit: "per second" },
    { what: "product read", figure: median(ours), unit: "per second" },
    {
      what: "P4 product read / bare HTTP answer",
      figure: 100 * median(ours.map((rate, round) => rate / (limit[round] ?? rate))),
      unit: "%",
      aim: { atLeast: 90 },
    },
  ];
}

async function serveBare(body: Buffer): Promise<{ server: Server; address: string }> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const place = server.address();
  assert(typeof place === "object" && place, "a port was given");
  return { server, address: `http://127.0.0.1:${place.port}/` };
}

async function load(address: string, seconds: number): Promise<number> {
  const { stdout } = await execute(process.execPath, [
    LOAD,
    address,
    String(CONNECTIONS),
    String(seconds),
  ]);
  return Number(stdout);
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
