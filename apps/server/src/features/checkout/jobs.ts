import { createBatcher, type Batcher } from "../../jobs/batcher.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import type { Db } from "../../postgres/database.ts";
import { createAsking } from "./ask-providers.ts";
import type { CheckoutDeps } from "./needs.ts";
import { type NewNotice, storeNotices } from "./notice.store.ts";

export { CHECKS_CHANNEL } from "./notice.store.ts";
export { createLinesLoop } from "./serve-lines.ts";
export { donationJobs } from "./thank-donor.ts";

const LOOK_EVERY_MS = 1_000;
const NOTICES_IN_A_WRITE = 500;

/** Asks providers about payments: by time, and at once when a notice came (CHECKS_CHANNEL). */
export function createAskingLoop(deps: CheckoutDeps): Loop {
  const asking = createAsking(deps, () => loop.wake());
  const loop = createLoop({
    name: "checkout ask providers",
    clock: deps.clock,
    log: deps.log,
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

export function createNoticeBatcher(db: Db): Batcher<NewNotice> {
  return createBatcher({
    write: (notices) => storeNotices(db, notices),
    maxBatch: NOTICES_IN_A_WRITE,
  });
}
