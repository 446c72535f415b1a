import { tryAgainAfterMs } from "@sesame/contract/payouts";
import { addMs, HOUR_MS } from "@sesame/kernel";
import type { FetchedPayout } from "@sesame/providers";
import type { App } from "../../app.ts";
import { raiseAlert } from "./alert.store.ts";
import { applyFetched } from "./look-up-payout.ts";
import { claimRumours, endRumour, findNamed, type Rumour } from "./notice.store.ts";
import { waitAfter, warn } from "./send-payout.ts";

const CLAIMED = 16;
const LEASE_MS = 120_000;
/** A name the provider itself does not know is forgotten after this long. */
const UNKNOWN_FOR_MS = HOUR_MS;

/**
 * A notice spoke of a payout none of ours is known by: the provider is asked about it, and its answer
 * carries our reference when it is ours. Whoever forges a notice learns nothing by it.
 */
export async function followRumours(app: App): Promise<boolean> {
  const now = app.clock.now();
  const lease = addMs(now, LEASE_MS);
  const rumours = await claimRumours(app.db, { now, leaseEnd: lease, limit: CLAIMED });
  for (const rumour of rumours) await follow(app, rumour, lease);
  return rumours.length === CLAIMED;
}

async function follow(app: App, rumour: Rumour, lease: Date): Promise<void> {
  const { db, clock } = app;
  const later = (error: unknown, outcome: string) => {
    const waitMs = waitAfter(error, tryAgainAfterMs(rumour.checks));
    const over = addMs(rumour.heard_at, UNKNOWN_FOR_MS) <= clock.now() && outcome === "unknown";
    const checkAt = over ? null : addMs(clock.now(), waitMs);
    return endRumour(db, rumour, { lease, checkAt, outcome });
  };
  const provider = app.payoutProviders.find(({ id }) => id === rumour.provider);
  if (!provider) return later(null, "closed");
  try {
    const askedAt = clock.now();
    const { name, is_handle: isHandle } = rumour;
    const found = await provider.lookup({
      reference: "",
      handle: isHandle ? name : null,
      providerPayoutId: isHandle ? null : name,
    });
    if (found === null) return await later(null, "unknown");
    const outcome = await attribute(app, rumour, { fetched: found, askedAt });
    await endRumour(db, rumour, { lease, checkAt: null, outcome });
  } catch (error) {
    warn(app, rumour.name, error);
    await later(error, "silent");
  }
}

/** Ours by our reference; else the desk hears of it: somebody may have sent it by the same keys. */
async function attribute(
  app: App,
  rumour: Rumour,
  { fetched, askedAt }: { fetched: FetchedPayout; askedAt: Date },
): Promise<string> {
  const now = app.clock.now();
  const { provider: lane, name } = rumour;
  const { reference, providerPayoutId, amount, word } = fetched;
  const handle = rumour.is_handle ? name : null;
  const payoutId = await findNamed(app.db, { lane, reference, providerPayoutId, handle });
  if (payoutId !== null) {
    await applyFetched(app, payoutId, { fetched, askedAt, now });
    return `payout:${payoutId}`;
  }
  await raiseAlert(app.db, {
    kind: "payout.unknown",
    subject: `${lane}:${name}`,
    details: { lane, reference, amount: amount === null ? null : String(amount), word },
    now,
  });
  return "nobody's";
}
