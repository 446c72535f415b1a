import { systemClock } from "@sesame/kernel";
import { createHttpServer } from "../apps/server/src/http/server.ts";
import { openTestApp } from "../apps/server/test/harness.ts";
import { publishProduct } from "../apps/server/test/sales.ts";
import { answerRate, keepRounds, percent, perSecond, say } from "./figures.ts";

/** Many short rounds: other load on the machine then slows both sides alike. */
const ROUNDS = 15;
const CONNECTIONS = 64;

/**
 * Reads of a product, and the same bytes from a bare route of the same server, in alternating
 * rounds (QUALITY P4).
 */
export async function run(): Promise<void> {
  const app = await openTestApp();
  const seller = await app.signInSeller();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group });
  const address = `${app.url}/api/public/products/${product.reference}`;
  const body = await (await fetch(address)).text();
  const bare = await createHttpServer({
    clock: systemClock,
    publicUrl: app.url,
    telegramWebOrigins: [],
    trustedProxies: 0,
    logLevel: "silent",
    metricsToken: null,
    authenticate: async () => null,
  });
  bare.get("/bare", { config: { access: "public", rateLimit: false } }, (_request, reply) =>
    reply.type("application/json; charset=utf-8").send(body),
  );
  const bareAddress = await bare.listen({ host: "127.0.0.1", port: 0 });
  const { note, of, ratio } = keepRounds();
  for (let round = 0; round < ROUNDS; round++) {
    note("bare", await answerRate(`${bareAddress}/bare`, CONNECTIONS));
    note("ours", await answerRate(address, CONNECTIONS));
  }
  await bare.close();
  await app.close();
  say(
    perSecond("bare answer of the same server", of("bare")),
    perSecond("product read", of("ours")),
    percent("P4 product read / bare answer", 100 * ratio("ours", "bare"), { atLeast: 50 }),
  );
}
