import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fastify from "fastify";
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
 * Reads of a product's page over HTTP against a bare route of the same framework that answers the
 * same bytes (QUALITY P4), in rounds that alternate.
 */
export async function run({ say }: Place): Promise<void> {
  const app = await startTestApp();
  const seller = await app.signInSeller();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group });
  const address = `${app.url}/api/public/products/${product.reference}`;
  const body = await (await fetch(address)).text();
  const bare = fastify();
  bare.get("/", (_request, reply) => reply.type("application/json; charset=utf-8").send(body));
  const bareAddress = await bare.listen({ host: "127.0.0.1", port: 0 });
  const { note, of, ratio } = keepRounds(say);
  for (let round = 0; round < ROUNDS; round++) {
    note("bare", await load(bareAddress));
    note("ours", await load(address));
  }
  await bare.close();
  await app.close();
  say(
    perSecond("bare HTTP answer", of("bare")),
    perSecond("product read", of("ours")),
    percent("P4 product read / bare HTTP answer", 100 * ratio("ours", "bare"), { atLeast: 50 }),
  );
}

async function load(address: string): Promise<number> {
  const { stdout } = await execute(process.execPath, [LOAD, address, CONNECTIONS, SECONDS]);
  return Number(stdout);
}
