import { systemClock } from "@sesame/kernel";
import { createMoneroo } from "@sesame/providers/moneroo";
import { registerCheckoutHttp } from "../../src/features/checkout/http.ts";
import { createCheckout } from "../../src/features/checkout/index.ts";
import { createNoticeBatcher } from "../../src/features/checkout/jobs.ts";
import { readConfig } from "../../src/config.ts";
import { createHttpServer } from "../../src/http/server.ts";
import { openDatabase } from "../../src/postgres/database.ts";

/**
 * The mutant the kill test must catch: the real route and batcher, but the notice is answered 200
 * first and written later. Run as a program, in place of `main.ts`.
 */
const config = readConfig(process.env);
const { db } = openDatabase({ url: config.databaseUrl });
const http = await createHttpServer({
  publicUrl: config.publicUrl,
  frameAncestors: [],
  trustProxy: false,
  logLevel: "silent",
  metricsToken: null,
  authenticate: async () => null,
});
const batcher = createNoticeBatcher(db);
const provider = createMoneroo(config.moneroo ?? { secretKey: "", webhookSecret: "", apiRoot: "" });
const checkout = createCheckout({
  db,
  clock: systemClock,
  chance: { bytes: (count) => new Uint8Array(count) },
  log: http.log,
  publicUrl: config.publicUrl,
  production: false,
  providers: [provider],
  shelf: { productForSale: async () => null },
  groups: { groupForSale: async () => null, isAdminOf: async () => false },
  access: { accessOfOrder: async () => null },
  botUrl: () => config.publicUrl,
});
const answerFirst = {
  submit(notice: Parameters<typeof batcher.submit>[0]): Promise<void> {
    batcher.submit(notice).catch(() => {});
    return Promise.resolve();
  },
};
registerCheckoutHttp(http, {
  checkout,
  notices: [{ clock: systemClock, provider, batcher: answerFirst }],
});
const address = await http.listen({ port: config.port, host: "127.0.0.1" });
process.stdout.write(`le mutant écoute sur ${address}\n`);
