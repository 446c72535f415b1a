import { DEFAULT_SETTINGS } from "@sesame/contract/back-office";
import { systemRandom, systemClock } from "@sesame/kernel";
import { createMoneroo } from "@sesame/providers/moneroo";
import { type App, createApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { createAskingLoop, registerCheckoutHttp } from "../src/features/checkout/index.ts";
import { createWebhookBatcher, type WebhooksGiven } from "../src/features/checkout/webhooks.ts";
import { createHttpServer } from "../src/http/server.ts";
import { createPictures } from "../src/pictures/picture-queue.ts";
import { openDatabase } from "../src/postgres/database.ts";

type Webhooks = ReturnType<typeof createWebhookBatcher>;

type WebhookServerOptions = {
  /** Returns the batcher for the webhooks, from the real one. */
  batcher(real: Webhooks): NonNullable<WebhooksGiven["batcher"]>;
  /** Whether payments are looked up and settled too. */
  readonly asking: boolean;
};

/**
 * Only the webhook routes, with the real server and batcher: for mutants and benchmarks, run as a
 * program of its own with the environment of the server.
 */
export async function openWebhookServer(options: WebhookServerOptions): Promise<void> {
  const config = { ...readConfig(process.env), production: false };
  const { db } = openDatabase({ url: config.databaseUrl });
  const clock = systemClock;
  const http = await createHttpServer({
    publicUrl: config.publicUrl,
    clock,
    telegramWebOrigins: [],
    trustedProxies: 0,
    logLevel: "silent",
    metricsToken: null,
    authenticate: async () => null,
  });
  const parts = { config, db, clock, random: systemRandom, log: http.log };
  // Without the provider's rate: only our own speed is measured.
  const rates = { ...DEFAULT_SETTINGS.provider_rates, moneroo: 1_000_000_000 };
  const settings = { ...DEFAULT_SETTINGS, provider_rates: rates };
  const app: App = {
    ...createApp({ ...parts, pictures: createPictures() }),
    settings: { current: async () => settings, forget: () => undefined },
    providers: config.moneroo ? [createMoneroo(config.moneroo)] : [],
    payoutProviders: [],
  };
  registerCheckoutHttp(app, http, {
    careOf: async () => ({ refund: null, complaint: null, mayComplain: [] }),
    takeAside: async () => false,
    batcher: options.batcher(createWebhookBatcher(db)),
  });
  if (options.asking) createAskingLoop(app).start();
  const address = await http.listen({ port: config.port, host: "127.0.0.1" });
  process.stdout.write(`La porte des avis écoute sur ${address}\n`);
}
