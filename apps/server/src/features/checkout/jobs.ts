import { MINUTE_MS } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { type Telling, tell } from "../../bot/tell.ts";
import { type Batcher, createBatcher } from "../../jobs/batcher.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { DONE, type JobHandler } from "../../jobs/outbox.ts";
import { takeJob } from "../../jobs/outbox.store.ts";
import type { Db } from "../../postgres/database.ts";
import { createAsking } from "./ask-providers.ts";
import { forgetCalls } from "./check.store.ts";
import { BUTTONS, thankDonor } from "./messages.fr.ts";
import { type NewNotice, pruneNotices, storeNotices } from "./notice.store.ts";
import { viewDonation } from "./order.view.ts";

/** Who gave is thanked, with a receipt: nothing else comes of a donation. */
export function donationJobs(app: App): JobHandler[] {
  return [
    {
      topic: "donations.thank",
      batch: 50,
      concurrency: 5,
      maxAttempts: 10,
      async run(job) {
        const donation = await viewDonation(app.db, job.ref);
        if (!donation) return { kind: "failed", reason: "no such donation is paid" };
        const message = {
          text: thankDonor(donation, app.sayInstant),
          buttons: [app.appButton(BUTTONS.order, `/commande/${donation.id}`)],
        };
        const telling: Telling = { bot: "buyer", personId: donation.buyer_id, message };
        await app.db.transaction().execute(async (tx) => {
          if (await takeJob(tx, job.id)) await tell(tx, [telling], app.clock.now());
        });
        return DONE;
      },
    },
  ];
}

const LOOK_EVERY_MS = 1_000;
const NOTICES_IN_A_WRITE = 500;
const SELLERS_NOTICES_IN_A_WRITE = 100;
const BYTES_IN_A_WRITE = 1024 * 1024;
const PRUNE_EVERY_MS = 10 * MINUTE_MS;
const PRUNED_AT_ONCE = 1_000;

/** Asks providers about payments: by time, and at once when a notice came (CHECKS_CHANNEL). */
export function createAskingLoop(app: App): Loop {
  const asking = createAsking(app, () => loop.wake());
  const loop = createLoop({
    name: "checkout ask providers",
    clock: app.clock,
    log: app.log,
    everyMs: LOOK_EVERY_MS,
    run: asking.look,
  });
  return {
    ...loop,
    async drain() {
      await loop.drain();
      if (await asking.settle()) await loop.drain();
    },
    async stop() {
      await loop.stop();
      await asking.settle();
    },
  };
}

/**
 * The instance's webhooks are written by themselves, and never wait for those of sellers' own
 * accounts, which take turns among each other.
 */
export function createNoticeBatcher(db: Db): Batcher<NewNotice> {
  const write = (notices: readonly NewNotice[]) => storeNotices(db, notices);
  const sizeOf = ({ body }: NewNotice) => body.length;
  const bounds = { write, sizeOf, maxBytes: BYTES_IN_A_WRITE };
  const instance = createBatcher({ ...bounds, maxBatch: NOTICES_IN_A_WRITE });
  const sellers = createBatcher({
    ...bounds,
    maxBatch: SELLERS_NOTICES_IN_A_WRITE,
    ownerOf: ({ keyId }) => String(keyId),
  });
  return {
    submit: (notice) => (notice.keyId === null ? instance : sellers).submit(notice),
    async close() {
      await Promise.all([instance.close(), sellers.close()]);
    },
  };
}

/** Deletes stored webhooks of payments that are too old, some at a time, and counts that have worn off. */
export function createPruningLoop({ db, clock, log }: App): Loop {
  return createLoop({
    name: "checkout prune webhooks",
    clock,
    log,
    everyMs: PRUNE_EVERY_MS,
    run: async () => {
      await forgetCalls(db, clock.now());
      return (
        (await pruneNotices(db, { now: clock.now(), limit: PRUNED_AT_ONCE })) >= PRUNED_AT_ONCE
      );
    },
  });
}
