import { sayRefusal } from "@sesame/contract";
import { sayInstant, weeklyReopening, withdrawalsRefusals } from "@sesame/contract/withdrawals";
import { assert } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { tell } from "../../bot/tell.ts";
import { type LocalDate, localDateOf, nextRunAfterDate } from "./automatic-dates.ts";
import { postponeRun, recordRun } from "./automatic.store.ts";
import { AUTOMATIC_BUTTONS, automaticRefused } from "./messages.fr.ts";
import { type DueProfile, viewServedSince } from "./automatic.view.ts";
import { restsUntil } from "./configure-payouts.ts";
import { requestAutomatic } from "./request-automatic.ts";
import { nextRunAfter } from "./schedule.ts";
import { viewSellerFacts } from "./withdrawals.view.ts";

/**
 * Runs one automatic payout whose time has come, for the present date: however many dates went by,
 * it is one request. Each step may be the last of this process: what was asked for is written and
 * said with the request and found again by its date; the rest is written against the run seen.
 */
export async function runAutomatic(app: App, due: DueProfile): Promise<void> {
  const now = app.clock.now();
  const { timeZone: zone } = app.config;
  const { seller_id: sellerId, frequency, next_run_at: seenAt } = due;
  // What can be spent is read before what was asked for: what another process asked for meanwhile
  // is then seen to be the reason why less is left.
  const facts = await viewSellerFacts(app.db, sellerId);
  assert(facts, `no seller ${sellerId}`);
  const run = { sellerId, seenAt };
  if (await planAfterServed(app, due, localDateOf(seenAt, zone))) return;
  const rests = restsUntil(due.number_changed_at, now);
  if (rests !== null) {
    await postponeRun(app.db, run, nextRunAfter(rests, frequency, zone));
    return;
  }
  if (frequency === "threshold" && facts.available < (due.threshold ?? 0n)) {
    await postponeRun(app.db, run, nextRunAfter(now, frequency, zone));
    return;
  }
  const reopensAt = facts.plan === "premium" ? null : weeklyReopening(facts.last_at, now);
  if (reopensAt !== null) {
    // Asked for by hand this week: no failure, it waits for its turn.
    await postponeRun(app.db, run, reopensAt);
    return;
  }
  await ask(app, due, now);
}

async function ask(app: App, due: DueProfile, now: Date): Promise<void> {
  const date = localDateOf(now, app.config.timeZone);
  const asked = await requestAutomatic(app, { sellerId: due.seller_id, on: date });
  if (await planAfterServed(app, due, date)) return;
  assert(!asked.ok, "what was accepted is there");
  const { refusal } = asked;
  switch (refusal.kind) {
    case "withdrawals.weekly":
      await postponeRun(
        app.db,
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
      return record(app, due, { on: date, now, refused: null });
    default: {
      const refused = sayRefusal(refusal, withdrawalsRefusals).body.message;
      return record(app, due, { on: date, now, refused });
    }
  }
}

/** The date was served, by us or by whoever died before he planned the next. */
async function planAfterServed(app: App, due: DueProfile, date: LocalDate): Promise<boolean> {
  const served = await viewServedSince(app.db, due.seller_id, date);
  if (served === null) return false;
  const run = { sellerId: due.seller_id, seenAt: due.next_run_at };
  await postponeRun(app.db, run, nextRunAfterDate(served, due.frequency, app.config.timeZone));
  return true;
}

type Ran = {
  readonly on: LocalDate;
  readonly now: Date;
  /** Why it was refused; null: there was nothing to ask for. */
  readonly refused: string | null;
};

/** Run without a request; a refusal is said with its reason. */
async function record(app: App, due: DueProfile, ran: Ran): Promise<void> {
  const { seller_id: sellerId, frequency, next_run_at: seenAt } = due;
  const { on, now, refused } = ran;
  const nextRunAt = nextRunAfterDate(on, frequency, app.config.timeZone);
  const outcome = refused === null ? "nothing" : "refused";
  await app.db.transaction().execute(async (tx) => {
    const first = await recordRun(tx, { sellerId, seenAt }, { outcome, at: now, nextRunAt });
    if (!first || refused === null) return;
    const text = automaticRefused(refused, sayInstant(nextRunAt, app.config.timeZone));
    const buttons = [app.appButton(AUTOMATIC_BUTTONS.configure, "/ConfigurationRetrait")];
    await tell(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
  });
}
