import { createAppButton } from "./bot/app-button.ts";
import { createSayInstant } from "./bot/messages.fr.ts";
import { DATES_AHEAD } from "./compose-dates-ahead.ts";
import type { Features, Ground } from "./compose-features.ts";
import { AGGREGATORS_CHANGED } from "./features/aggregators/index.ts";
import type { CheckoutDeps } from "./features/checkout/index.ts";
import {
  CHECKS_CHANNEL,
  createAskingLoop,
  createPruningLoop,
  donationJobs,
} from "./features/checkout/jobs.ts";
import { WEBHOOKS_CHANNEL } from "./features/developers/index.ts";
import { createSessionSweep } from "./features/identity/index.ts";
import { PAYOUTS_CHANNEL } from "./features/payouts/index.ts";
import type { HttpServer } from "./http/server.ts";
import type { Loop } from "./jobs/loop.ts";
import { createOutbox } from "./jobs/outbox.ts";
import { OUTBOX_CHANNEL } from "./jobs/outbox.store.ts";
import type { Listener } from "./postgres/listener.ts";
import { REALTIME_CHANNEL } from "./realtime/events.store.ts";
import { createDatesAheadLoop } from "./upkeep/dates-ahead.ts";
import { createUpkeep } from "./upkeep/upkeep.ts";

type Around = {
  readonly http: HttpServer;
  readonly listener: Listener;
  readonly checkout: CheckoutDeps;
};

/** Everything that works by itself: jobs, sweeps, questions to providers, upkeep of the books. */
export function composeLoops(
  { config, db, clock }: Ground,
  features: Features,
  { http, listener, checkout }: Around,
): Loop[] {
  const { log } = http;
  const { telegram, groups, accesses, catalogue, payouts, withdrawals, plans } = features;
  const { desk, refunds, claims, developers, reports, support } = features;
  const selling = [groups, accesses, desk, withdrawals, plans, refunds];
  const working = [...selling, support, developers];
  const jobs = working.flatMap((feature) => feature.jobs);
  const sold = { ...checkout, ...wordsOf(config) };
  const handlers = [telegram.tellJob, ...jobs, ...donationJobs(sold)];
  const outbox = createOutbox({ db, clock, log, handlers });
  const asking = createAskingLoop(checkout);
  const paying = payouts.loops(log);
  const automatic = withdrawals.automatic(log);
  const webhooks = developers.loops(log);
  // What decides whether a product can be bought, and by what: its page must not lag.
  const decisive = ["chatadd", AGGREGATORS_CHANGED, "settings"].map((name) => `"${name}"`);
  listener.on(REALTIME_CHANNEL, (payload) => {
    if (decisive.some((name) => payload.includes(name))) catalogue.forgetPublicProducts();
  });
  // Only a worker works: a process of another role hears the same and leaves it.
  if (config.roles.has("worker")) {
    listener.on(CHECKS_CHANNEL, asking.wake);
    listener.on(REALTIME_CHANNEL, automatic.hear);
    listener.on(PAYOUTS_CHANNEL, () => wakeAll(paying));
    listener.on(WEBHOOKS_CHANNEL, () => wakeAll(webhooks));
    listener.on(OUTBOX_CHANNEL, outbox.hear);
  }
  const loops = [
    createDatesAheadLoop({ db, clock, log }, DATES_AHEAD),
    outbox,
    asking,
    ...paying,
    automatic.loop,
    plans.loop(log),
    ...refunds.loops(log),
    claims.sweep(log),
    createPruningLoop(sold),
    ...webhooks,
    reports.loop(log),
    createSessionSweep({ db, clock, log }),
    accesses.sweep(log),
    groups.recheckLoop(log),
    groups.permissionsLoop(log),
    ...createUpkeep({
      db,
      clock,
      log,
      reconcile: (now) => payouts.reconcile(log, now),
      sweepImages: catalogue.sweepImages,
    }),
  ];
  listener.onResume(() => {
    // What changed while nobody listened was not said twice.
    catalogue.forgetPublicProducts();
    if (config.roles.has("worker")) wakeAll(loops);
  });
  return loops;
}

function wakeAll(loops: readonly Loop[]): void {
  for (const loop of loops) loop.wake();
}

/** What the bots' messages about a purchase are made with. */
function wordsOf(config: Ground["config"]) {
  return { appButton: createAppButton(config), sayInstant: createSayInstant(config.timeZone) };
}
