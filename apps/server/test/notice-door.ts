import { SPECIFIED_FEE_RATES } from "@sesame/contract/plans";
import { DEFAULT_SETTINGS } from "@sesame/contract/settings";
import { systemChance, systemClock } from "@sesame/kernel";
import { createMoneroo } from "@sesame/providers/moneroo";
import { readConfig } from "../src/config.ts";
import { registerCheckoutHttp } from "../src/features/checkout/http.ts";
import {
  type CheckoutDeps,
  createCheckout,
  createProviderHealth,
} from "../src/features/checkout/index.ts";
import { createAskingLoop, createNoticeBatcher } from "../src/features/checkout/jobs.ts";
import { createHttpServer } from "../src/http/server.ts";
import type { Batcher } from "../src/jobs/batcher.ts";
import { openDatabase } from "../src/postgres/database.ts";

type Notices = ReturnType<typeof createNoticeBatcher>;
type Submit = Pick<Batcher<Parameters<Notices["submit"]>[0]>, "submit">;

export type NoticeDoorOptions = {
  /** What takes the notices, given the real one. */
  batcher(real: Notices): Submit;
  /** Whether payments are asked about and settled too. */
  readonly asking: boolean;
};

/**
 * The notices' door alone, with the real frame, route and batcher: for mutants and benchmarks, run
 * as a program of its own with the environment of the server.
 */
export async function openNoticeDoor(options: NoticeDoorOptions): Promise<void> {
  const config = readConfig(process.env);
  const { db } = openDatabase({ url: config.databaseUrl });
  const clock = systemClock;
  const http = await createHttpServer({
    publicUrl: config.publicUrl,
    clock,
    frameAncestors: [],
    trustedProxies: 0,
    logLevel: "silent",
    metricsToken: null,
    authenticate: async () => null,
  });
  const providers = config.moneroo ? [createMoneroo(config.moneroo)] : [];
  const deps: CheckoutDeps = {
    db,
    clock,
    chance: systemChance,
    log: http.log,
    publicUrl: config.publicUrl,
    production: false,
    providers: providers.map(({ id }) => id),
    aggregators: {
      offersOf: async () => providers.map(({ id }) => ({ provider: id, keyId: null })),
      providerFor: async (name) => providers.find(({ id }) => id === name) ?? null,
      noteRefused: async () => undefined,
    },
    settings: {
      feeRateOf: async (plan) => SPECIFIED_FEE_RATES[plan],
      premiumPrice: async () => DEFAULT_SETTINGS.premium,
      // Nobody's rate holds it back: what is measured here is our own.
      providerRates: async () => ({ ...DEFAULT_SETTINGS.providerRates, moneroo: 1_000_000_000 }),
    },
    quoteOf: async () => null,
    shelf: { productForSale: async () => null },
    groups: { groupForSale: async () => null, isAdminOf: async () => false },
    access: { accessOfOrder: async () => null },
    refunds: { ofOrder: async () => ({ refund: null, claim: null, mayClaim: [] }) },
    health: createProviderHealth({ db, clock, log: http.log }),
    botUrl: () => config.publicUrl,
    sellerBotUrl: () => config.publicUrl,
  };
  const batcher = options.batcher(createNoticeBatcher(db));
  registerCheckoutHttp(http, {
    checkout: createCheckout(deps),
    notices: { clock, batcher, providers: deps.providers, accounts: deps.aggregators },
  });
  if (options.asking) createAskingLoop(deps).start();
  const address = await http.listen({ port: config.port, host: "127.0.0.1" });
  process.stdout.write(`La porte des avis écoute sur ${address}\n`);
}
