import { adjustableClock, assert, ok } from "@sesame/kernel";
import type { FetchedPayout, PayoutProvider } from "@sesame/providers";
import { createMonerooPayouts } from "@sesame/providers/moneroo";
import { followClock } from "../../src/clock.ts";
import { readConfig } from "../../src/config.ts";
import { payoutLoops } from "../../src/features/treasury/index.ts";
import { openDatabase } from "../../src/postgres/database.ts";
import { createTestApp } from "../harness.ts";

/**
 * The mutant that the kill test must detect: the real engine, but a payout that Moneroo cannot find
 * counts as never sent, and is sent again. Run as a program, instead of `main.ts`.
 */
const config = readConfig(process.env);
assert(config.moneroo && config.clockUrl, "Moneroo's keys and a clock are given");
const clock = adjustableClock();
await followClock(config.clockUrl, clock);
const { db } = openDatabase({ url: config.databaseUrl });
const payoutProviders = [sendingAgain(createMonerooPayouts(config.moneroo))];
const engine = createTestApp({ db, clock, providers: [], payoutProviders });
for (const loop of payoutLoops(engine)) loop.start();
process.stdout.write("Le mutant écoute\n");
setInterval(() => {}, 1_000);

function sendingAgain(real: PayoutProvider): PayoutProvider {
  return {
    ...real,
    prepare: async ({ reference }) => ok({ handle: `again-${reference}` }),
    lookup: async (name) => (await real.lookup(name)) ?? NOT_STARTED,
  };
}

const NOT_STARTED: FetchedPayout = {
  status: "not-started",
  providerPayoutId: null,
  word: "unknown",
  operatorReference: null,
  failure: null,
  cost: null,
  environment: "unknown",
  amount: null,
  currency: null,
  reference: null,
};
