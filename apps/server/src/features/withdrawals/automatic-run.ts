import { sayRefusal } from "@sesame/contract";
import { sayInstant, weeklyReopening, withdrawalsRefusals } from "@sesame/contract/withdrawals";
import { assert, type Result } from "@sesame/kernel";
import { tell } from "../../bot/tell.ts";
import { type LocalDate, localDateOf, nextRunAfterDate } from "./automatic-dates.ts";
import { postponeRun, recordRun } from "./automatic.store.ts";
import { AUTOMATIC_BUTTONS, automaticRefused } from "./messages.fr.ts";
import { type DueProfile, viewServedSince } from "./automatic.view.ts";
import { restsUntil } from "./configure-payouts.ts";
import type { WithdrawalsDeps } from "./deps.ts";
import type { AutomaticRefusal, AutomaticRequest } from "./request-automatic.ts";
import type { AcceptedRequest } from "./request-withdrawal.ts";
import { nextRunAfter } from "./schedule.ts";
import { viewSellerFacts } from "./withdrawals.view.ts";

export type AutomaticDeps = WithdrawalsDeps & {
  requestAutomatic(run: AutomaticRequest): Promise<Result<AcceptedRequest, AutomaticRefusal>>;
};

/**
 * Runs one automatic payout whose time has come, for the present date: however many dates went by,
 * it is one request. Each step may be the last of this process: what was asked for is written and
 * said with the request and found again by its date; the rest is written against the run seen.
 */
export async function runAutomatic(deps: AutomaticDeps, due: DueProfile): Promise<void> {
  const now = deps.clock.now();
  const { timeZone: zone } = deps;
  const { seller_id: sellerId, frequency, next_run_at: seenAt } = due;
  // What can be spent is read before what was asked for: what another process asked for meanwhile
  // is then seen to be the reason why less is left.
  const facts = await viewSellerFacts(deps.db, sellerId);
  assert(facts, `no seller ${sellerId}`);
  const run = { sellerId, seenAt };
  if (await planAfterServed(deps, due, localDateOf(seenAt, zone))) return;
  const rests = restsUntil(due.number_changed_at, now);
  if (rests !== null) {
    await postponeRun(deps.db, run, nextRunAfter(rests, frequency, zone));
    return;
  }
  if (frequency === "threshold" && facts.available < (due.threshold ?? 0n)) {
    await postponeRun(deps.db, run, nextRunAfter(now, frequency, zone));
    return;
  }
  const reopensAt = facts.plan === "premium" ? null : weeklyReopening(facts.last_at, now);
  if (reopensAt !== null) {
    // Asked for by hand this week: no failure, it waits for its turn.
    await postponeRun(deps.db, run, reopensAt);
    return;
  }
  await ask(deps, due, now);
}

async function ask(deps: AutomaticDeps, due: DueProfile, now: Date): Promise<void> {
  const date = localDateOf(now, deps.timeZone);
  const asked = await deps.requestAutomatic({ sellerId: due.seller_id, on: date });
  if (await planAfterServed(deps, due, date)) return;
  assert(!asked.ok, "what was accepted is there");
  const { refusal } = asked;
  switch (refusal.kind) {
    case "withdrawals.weekly":
      await postponeRun(
        deps.db,
        { sellerId: due.seller_id, seenAt: due.next_run_at },
        refusal.reopensAt,
      );
      return;
    case "withdrawals.payouts-frozen":
    case "withdrawals.seller-suspended":
    case "withdrawals.seller-closed":
      // Just now: it rests until that ends.
      return;
    case "withdrawals.too-little-available":
    case "withdrawals.balance-too-low":
      return record(deps, due, { on: date, now, refused: null });
    default: {
      const refused = sayRefusal(refusal, withdrawalsRefusals).body.message;
      return record(deps, due, { on: date, now, refused });
    }
  }
}

/** The date was served, by us or by whoever died before he planned the next. */
async function planAfterServed(
  deps: AutomaticDeps,
  due: DueProfile,
  date: LocalDate,
): Promise<boolean> {
  const served = await viewServedSince(deps.db, due.seller_id, date);
  if (served === null) return false;
  const run = { sellerId: due.seller_id, seenAt: due.next_run_at };
  await postponeRun(deps.db, run, nextRunAfterDate(served, due.frequency, deps.timeZone));
  return true;
}

type Ran = {
  readonly on: LocalDate;
  readonly now: Date;
  /** Why it was refused; null: there was nothing to ask for. */
  readonly refused: string | null;
};

/** Run without a request; a refusal is said with its reason. */
async function record(deps: AutomaticDeps, due: DueProfile, ran: Ran): Promise<void> {
  const { seller_id: sellerId, frequency, next_run_at: seenAt } = due;
  const { on, now, refused } = ran;
  const nextRunAt = nextRunAfterDate(on, frequency, deps.timeZone);
  const outcome = refused === null ? "nothing" : "refused";
  await deps.db.transaction().execute(async (tx) => {
    const first = await recordRun(tx, { sellerId, seenAt }, { outcome, at: now, nextRunAt });
    if (!first || refused === null) return;
    const text = automaticRefused(refused, sayInstant(nextRunAt, deps.timeZone));
    const buttons = [deps.appButton(AUTOMATIC_BUTTONS.configure, "/ConfigurationRetrait")];
    await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
  });
}
