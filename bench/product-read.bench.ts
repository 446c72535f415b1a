import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { assert } from "@sesame/kernel";
import { startTestApp } from "../apps/server/test/harness.ts";
import { publishProduct } from "../apps/server/test/stage.ts";
import { keepRounds, percent, perSecond, type Place } from "./figures.ts";

/** Many and short: a neighbour on the machine then weighs on both sides alike. */
const ROUNDS = 15;
const CONNECTIONS = "64";
const SECONDS = "0.5";
const LOAD = fileURLToPath(new URL("./http-load.ts", import.meta.url));
const execute = promisify(execFile);

/**
 * Reads of a product's page over HTTP against a bare server that answers the same bytes (QUALITY
 * P4), in rounds that alternate.
 */
export async function run({ say }: Place): Promise<void> {
  const app = await startTestApp();
  const seller = await app.signInSeller();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group });
  const address = `${app.url}/api/public/products/${product.reference}`;
  const bare = await serveBare(Buffer.from(await (await fetch(address)).arrayBuffer()));
  const { note, of, ratio } = keepRounds(say);
  for (let round = 0; round < ROUNDS; round++) {
    note("bare", await load(bare.address));
    note("ours", await load(address));
  }
  bare.server.close();
  bare.server.closeAllConnections();
  await app.close();
  say(
    perSecond("bare HTTP answer", of("bare")),
    perSecond("product read", of("ours")),
    percent("P4 product read / bare HTTP answer", 100 * ratio("ours", "bare"), { atLeast: 50 }),
  );
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

async function load(address: string): Promise<number> {
  const { stdout } = await execute(process.execPath, [LOAD, address, CONNECTIONS, SECONDS]);
  return Number(stdout);
}
