import type { FastifyBaseLogger } from "fastify";
import { tell } from "../../bot/tell.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { publish } from "../../realtime/events.store.ts";
import { advanceRecovered } from "./messages.fr.ts";
import type { RefundsDeps } from "./needs.ts";
import { findRecoverable, recover } from "./refund-money.store.ts";
import { toSeller } from "./tell.ts";

type RecoveringDeps = Pick<RefundsDeps, "db" | "clock" | "appButton">;

const LOOK_EVERY_MS = 10_000;
const BATCH = 50;

/**
 * Takes back what was advanced for sellers from what they have sold since (decision 83). Between a
 * sale and this look a withdrawal is judged on what is left beyond the debt (request_withdrawals).
 */
export function createRecovering(
  deps: RecoveringDeps,
  log: Pick<FastifyBaseLogger, "error" | "warn">,
): Loop {
  return createLoop({
    name: "refunds recover advances",
    clock: deps.clock,
    log,
    everyMs: LOOK_EVERY_MS,
    async run() {
      const sellers = await findRecoverable(deps.db, BATCH);
      for (const sellerId of sellers) {
        await recoverFrom(deps, sellerId);
      }
      return sellers.length === BATCH;
    },
  });
}

/** His screens look again; he is told once, when nothing is owed any more. */
async function recoverFrom(deps: RecoveringDeps, sellerId: bigint): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    const { amount, rest } = await recover(tx, sellerId, now);
    if (amount === 0n) return;
    if (rest === 0n) await tell(tx, [toSeller(deps, sellerId, advanceRecovered())], now);
    const body = { id: String(sellerId) };
    await publish(tx, [{ room: `person:${sellerId}`, name: "seller:standing", body }]);
  });
}
