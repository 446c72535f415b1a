import { addMs, DAY_MS, describeError, Outage } from "@sesame/kernel";
import type { FetchedPayout, PayoutProvider } from "@sesame/providers";
import type { App, Log } from "../../app.ts";
import { deskChanged, publish } from "../../realtime/events.store.ts";
import {
  bestOf,
  type Compared,
  comparePayouts,
  matchPayouts,
  type OurPayout,
  type Pair,
} from "./compare-payouts.ts";
import { applyFetched } from "./look-up-payout.ts";
import { hasArrived } from "./payout.store.ts";
import { reconcilePayments, skipOutages } from "./reconcile-payments.ts";
import {
  beginRun,
  finishRun,
  noteDifferences,
  type Run,
  readOurPayouts,
  stopRun,
} from "./reconcile.store.ts";

/** A payout made a week ago may still end, or be found to have. */
const BACK_MS = 7 * DAY_MS;
/** As long as a bank may take a payment back. */
const PAYMENTS_BACK_MS = 120 * DAY_MS;
/** Their list begins earlier: what they made for one of ours comes before we told them to send. */
const LIST_MARGIN_MS = DAY_MS;

/** Compares what every provider says with what we say, both ways, as far as each can tell. */
export async function reconcilePayouts(app: App, now: Date): Promise<void> {
  for (const provider of app.payoutProviders) {
    const since = addMs(now, -BACK_MS);
    const byList = provider.list !== null;
    const run = { provider: provider.id, what: "payouts", since, byList } as const;
    await runOne(app, run, () => comparePayoutsOf(app, provider, since));
  }
  for (const provider of app.providers) {
    const since = addMs(now, -PAYMENTS_BACK_MS);
    const run = { provider: provider.id, what: "payments", since, byList: false } as const;
    await runOne(app, run, () => reconcilePayments(app, provider, since));
  }
  await publish(app.db, [deskChanged("reconciliation", "all")]);
}

/** A run that its provider cuts short keeps the differences of the one before. */
async function runOne(
  app: App,
  begun: Omit<Run, "id">,
  compare: () => Promise<Compared>,
): Promise<void> {
  const { db, clock, log } = app;
  const run: Run = { ...begun, id: await beginRun(db, begun, clock.now()) };
  try {
    const found = await compare();
    const now = clock.now();
    await db.transaction().execute(async (tx) => {
      await noteDifferences(tx, run, { ...found, now });
      await finishRun(tx, run.id, { ...found, now });
    });
    if (found.differences.length > 0) {
      const { provider, what } = run;
      log.warn({ provider, what, count: found.differences.length }, "a provider says otherwise");
    }
  } catch (error) {
    const why = describeError(error);
    const { provider, what } = run;
    // One provider that cannot be compared must not cost the others their turn.
    if (error instanceof Outage)
      log.warn({ provider, what, why }, "a reconciliation was cut short");
    else log.error({ err: error, provider, what }, "a reconciliation met a bug");
    await stopRun(db, run.id, { now: clock.now(), why });
  }
}

async function comparePayoutsOf(
  app: App,
  provider: PayoutProvider,
  since: Date,
): Promise<Compared> {
  const lane = provider.id;
  const askedAt = app.clock.now();
  const listed = provider.list ? await provider.list(addMs(since, -LIST_MARGIN_MS)) : [];
  const named = await readOurPayouts(app.db, { lane, since, named: listed });
  const lone = matchPayouts(named, listed)
    .pairs.filter(({ ours, theirs }) => theirs.length === 0 && (!provider.list || ours.is_old))
    .map(({ ours }) => ours);
  const { found, skipped } = await lookUpEach(provider, lone, app.log);
  const theirs = [...listed, ...found];
  await catchUp(app, matchPayouts(named, theirs).pairs, askedAt);
  const scope = { lane, since, named: theirs };
  const ours = (await readOurPayouts(app.db, scope)).filter(({ id }) => !skipped.has(id));
  const matched = matchPayouts(ours, theirs);
  return comparePayouts(lane, matched);
}

/** One by one: for a provider without a list, and what is older than its list. */
async function lookUpEach(provider: PayoutProvider, ours: readonly OurPayout[], log: Log) {
  const ask = skipOutages(log);
  const found: FetchedPayout[] = [];
  const skipped = new Set<bigint>();
  for (const { id, reference, handle, provider_payout_id: providerPayoutId } of ours) {
    const one = await ask(() => provider.lookup({ reference, handle, providerPayoutId }));
    if (one === "outage") skipped.add(id);
    // Found by our own name: it is ours, whether it says so or not.
    else if (one) found.push({ ...one, providerPayoutId, reference: one.reference ?? reference });
  }
  return { found, skipped };
}

/** What only lags is no difference: the ends they tell are taken as from any look-up. */
async function catchUp(app: App, pairs: readonly Pair[], askedAt: Date): Promise<void> {
  for (const pair of pairs) {
    if (hasArrived(pair.ours) && bestOf(pair.theirs)?.verdict !== "failed") continue;
    for (const fetched of pair.theirs) {
      if (fetched.verdict !== "succeeded" && fetched.verdict !== "failed") continue;
      await applyFetched(app, pair.ours.id, { fetched, askedAt, now: app.clock.now() });
    }
  }
}
