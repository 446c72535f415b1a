import { PROVIDERS } from "@sesame/contract/checkout";
import { isAggregatorKey } from "@sesame/contract/payment-accounts";
import {
  type Capability,
  endOfGrace,
  FREE_GROUPS_MAX,
  feeOf,
  GRACE_DAYS,
  mayUse,
  type Plan,
  type PlansRefusal,
  planFromWire,
  planOnWire,
  planToWire,
} from "@sesame/contract/plans";
import { addMs, DAY_MS, type Fcfa, MINUTE_MS, ok, type Result, refuse } from "@sesame/kernel";
import { sql } from "kysely";
import type { App } from "../../app.ts";
import { type Actor, auditSeller, SYSTEM } from "../../audit/audit.store.ts";
import { type Html, notify } from "../../bot/message.ts";
import { createLoop, type Loop } from "../../jobs/loop.ts";
import { DONE, type JobHandler } from "../../jobs/outbox.ts";
import { takeJob } from "../../jobs/outbox.store.ts";
import { changeSeller } from "../../people/people.ts";
import { type Db, finds, many, maybe, one, PREPARED } from "../../postgres/database.ts";
import { publish, type RealtimeEvent } from "../../realtime/events.store.ts";
import { announceChange, rankGroups } from "../groups/index.ts";
import { BUTTONS, bought, ended, endsSoon, inGrace } from "./messages.fr.ts";

/**
 * Whether a seller's plan includes a capability: null, or the refusal. The only list is
 * `CAPABILITIES` of the contract; days of grace are premium.
 */
export async function refuseCapability(
  db: Db,
  sellerId: bigint,
  capability: Capability,
): Promise<PlansRefusal | null> {
  const seller = await maybe<{ plan: Plan | null }>(db)`
    SELECT plan FROM sellers WHERE id = ${sellerId}
  `;
  const open = mayUse(seller?.plan ?? "free", capability);
  return open ? null : { kind: "plans.premium-required", capability };
}

/** The seller's plan, locked until the transaction ends; null before the first choice. */
async function lockPlan(tx: Db, sellerId: bigint): Promise<Plan | null> {
  const seller = await maybe<{ plan: Plan | null }>(tx)`
    SELECT plan FROM sellers WHERE id = ${sellerId} FOR NO KEY UPDATE
  `;
  return seller?.plan ?? null;
}

/**
 * The plan a seller names (decisions 4 and 5): free is chosen, premium only bought. Naming the
 * current plan changes nothing, so that a client may send the whole user back.
 */
export async function choosePlan(tx: Db, choice: { sellerId: bigint; named: unknown; now: Date }) {
  const named = planOnWire.safeParse(choice.named);
  if (!named.success) return refuse({ kind: "plans.unknown-plan" });
  const wanted = planFromWire(named.data);
  const current = await lockPlan(tx, choice.sellerId);
  if (wanted === current) return ok({ changed: false });
  if (wanted === "premium") return refuse({ kind: "plans.premium-not-bought" });
  // Leaving premium early would move balances and lose paid time: it only expires.
  if (current === "premium") return refuse({ kind: "plans.premium-running" });
  await changeSeller(tx, choice.sellerId, { plan: "free" }, choice.now);
  return ok({ changed: true });
}

/**
 * The seller chooses the groups that sell under the free plan (decision 88), on any plan: it
 * applies when premium ends. Exactly as many as the plan allows, or all.
 */
export async function chooseQuota(
  app: App,
  { sellerId, groups, actor }: { sellerId: bigint; groups: readonly bigint[]; actor: Actor },
): Promise<Result<null, PlansRefusal>> {
  const now = app.clock.now();
  return app.db.transaction().execute(async (tx) => {
    await lockPlan(tx, sellerId);
    const own = await many<{ id: bigint; bot_present: boolean; quota_rank: number | null }>(tx)`
      SELECT id, bot_present, quota_rank FROM groups WHERE seller_id = ${sellerId}
      ORDER BY quota_rank NULLS LAST, linked_at, id
    `;
    // A chat that the bot has left does not count, and cannot be chosen.
    const linked = own.filter((group) => group.bot_present).map(({ id }) => id);
    const isUnknown = groups.some((id) => !own.some((group) => group.id === id));
    if (isUnknown) return refuse({ kind: "plans.quota-group-unknown" });
    const count = Math.min(FREE_GROUPS_MAX, linked.length);
    const isSound = groups.every((id) => linked.includes(id)) && groups.length === count;
    if (!isSound || new Set(groups).size !== count) {
      return refuse({ kind: "plans.quota-count", count });
    }
    const before = own.filter((group) => group.quota_rank !== null).map(({ id }) => id);
    if (before.join() === groups.join()) return ok(null);
    await rankGroups(tx, sellerId, groups);
    await announceChange(tx, { sellerId, now });
    const change = {
      before: { groups: before.map(String) },
      after: { groups: groups.map(String) },
    };
    await auditSeller(tx, sellerId, { actor, action: "groups.quota", ...change }, now);
    return ok(null);
  });
}

/** A realtime event for the seller, whose screens reload the user; product pages are read again too. */
export function planChanged(change: {
  sellerId: bigint;
  plan: Plan;
  until: Date | null;
}): RealtimeEvent {
  const { sellerId, plan, until } = change;
  const body = { type_plan: planToWire(plan), premium_until: until?.toISOString() ?? null };
  return { room: `person:${sellerId}`, name: "plan:changed", body };
}

type Bought = {
  readonly buyer_id: bigint;
  readonly price: Fcfa;
  readonly access_until: Date;
  readonly is_renewal: boolean;
};

/** Premium begins or continues: screens and product pages reload, groups open, the bot notifies. */
export function plansJobs(app: App): JobHandler[] {
  return [
    {
      // Written by the settlement of a plan (settle_payments).
      topic: "plans.notify-bought",
      batch: 20,
      concurrency: 1,
      maxAttempts: 10,
      async run(job) {
        const order = await maybe<Bought>(app.db)`
          SELECT buyer_id, price, access_until, is_renewal FROM orders
          WHERE id = ${job.ref} AND kind = 'plan' AND status = 'paid'
        `;
        // Refunded meanwhile.
        if (!order) return DONE;
        const { buyer_id: sellerId, access_until: until, price, is_renewal: renewal } = order;
        const now = app.clock.now();
        const text = bought({ until: app.sayInstant(until), price, renewal });
        await app.db.transaction().execute(async (tx) => {
          if (!(await takeJob(tx, job.id))) return;
          await publish(tx, [planChanged({ sellerId, plan: "premium", until })]);
          await announceChange(tx, { sellerId, now });
          await notify(tx, [{ bot: "seller", personId: sellerId, message: { text } }], now);
        });
        return DONE;
      },
    },
  ];
}

/** The effects of the return to the free plan. */
type Fallen = {
  /** The available balance that was moved. */
  readonly moved: Fcfa;
  readonly paused: readonly string[];
  readonly keys: readonly string[];
};

/**
 * Back to the free plan when the days of grace are over (decision 6): balance, groups and keys
 * follow, and the seller is notified of each. A seller who renewed meanwhile is left alone; one
 * short transaction for each seller, because posting waits for it.
 */
export async function endPremium(app: App, sellerId: bigint): Promise<void> {
  const now = app.clock.now();
  const settings = await app.settings.current();
  await app.db.transaction().execute(async (tx) => {
    const lapsed = await maybe<{ premium_until: Date }>(tx)`
      SELECT premium_until FROM sellers
      WHERE id = ${sellerId} AND plan = 'premium' AND premium_until <= ${endOfGraceBefore(now)}
      FOR NO KEY UPDATE
    `;
    if (!lapsed) return;
    const { premium_until: until } = lapsed;
    // The balance follows (plan_change), before anything else posts in this transaction.
    await sql`SELECT plan_change(${sellerId}, 'free', NULL, ${now})`.execute(tx);
    await sql`
      INSERT INTO plan_reminders (seller_id, premium_until, kind, notified_at)
      VALUES (${sellerId}, ${until}, 'ended', ${now})
      ON CONFLICT DO NOTHING
    `.execute(tx);
    const { moved, paused, keys } = await one<Fallen>(tx)`
      SELECT coalesce((
          -- "13:-4000,12:4000"
          SELECT split_part(split_part(t.legs, ',', 2), ':', 2)::bigint FROM ledger_transfers t
          WHERE t.id = 'plan-move:' || s.id || ':' || s.plan_changes
        ), 0) AS moved,
        ARRAY(
          SELECT g.title FROM groups g WHERE g.seller_id = s.id AND g.bot_present
            AND NOT group_in_quota(g) ORDER BY g.linked_at, g.id
        ) AS paused,
        ARRAY(
          SELECT k.provider FROM seller_keys k WHERE k.seller_id = s.id AND k.ended_at IS NULL
          ORDER BY k.provider
        ) AS keys
      FROM sellers s WHERE s.id = ${sellerId}
    `;
    const ownKeys = keys.filter(isAggregatorKey).map((key) => PROVIDERS[key].seller.name);
    const text = ended({ moved, paused, ownKeys, feeRate: feeOf({ plan: "free" }, settings) });
    const buttons = [
      app.appButton(BUTTONS.renew, "/Plans"),
      ...(paused.length > 0 ? [app.appButton(BUTTONS.groups, "/GroupeListe")] : []),
    ];
    await notify(tx, [{ bot: "seller", personId: sellerId, message: { text, buttons } }], now);
    await publish(tx, [planChanged({ sellerId, plan: "free", until: null })]);
    await announceChange(tx, { sellerId, now });
    const change = { before: { plan: "premium", until }, after: { plan: "free", until: null } };
    await auditSeller(tx, sellerId, { actor: SYSTEM, action: "plan.change", ...change }, now);
  });
}

/** A premium that ended before this has no day of grace left. */
const endOfGraceBefore = (now: Date): Date => addMs(now, -GRACE_DAYS * DAY_MS);

type Reminded = {
  readonly seller_id: bigint;
  readonly premium_until: Date;
  readonly kind: keyof typeof DAYS_LEFT | "grace";
};

/** Sent by the transaction that records it: each once, whatever worker dies. → how many. */
async function remind(app: App): Promise<number> {
  const now = app.clock.now();
  const due = dueReminders(now);
  if (!(await finds(app.db)`${PREPARED} SELECT WHERE EXISTS (${due})`)) return 0;
  const { premium } = await app.settings.current();
  return app.db.transaction().execute(async (tx) => {
    const reminded = await many<Reminded>(tx)`
      INSERT INTO plan_reminders (seller_id, premium_until, kind, notified_at)
      SELECT seller_id, premium_until, kind, ${now} FROM (${due}) AS due
      ON CONFLICT DO NOTHING
      RETURNING seller_id, premium_until, kind
    `;
    const buttons = [app.appButton(BUTTONS.renew, "/Plans")];
    const notifications = reminded.map((one) => ({
      bot: "seller" as const,
      personId: one.seller_id,
      message: { text: say(app, one, premium.price), buttons },
      priority: 2 as const,
    }));
    await notify(tx, notifications, now);
    // On the screens too: the days of grace have begun.
    const inGraceNow = reminded.filter(({ kind }) => kind === "grace");
    await publish(
      tx,
      inGraceNow.map(({ seller_id: sellerId, premium_until: until }) =>
        planChanged({ sellerId, plan: "premium", until }),
      ),
    );
    return reminded.length;
  });
}

/**
 * Reminders due and not sent. After an outage of ours several may be due: only the last is sent.
 * None is sent whose time was before the end was set, or after the days of grace.
 */
const dueReminders = (now: Date) => sql`
    SELECT s.id AS seller_id, s.premium_until, due.kind
    FROM sellers s
    CROSS JOIN LATERAL (
      SELECT k.kind FROM (VALUES ('grace', 0), ('1-day', 86400), ('3-days', 259200),
        ('7-days', 604800)) AS k(kind, seconds)
      WHERE s.premium_until - make_interval(secs => k.seconds) <= ${now}
        AND (s.premium_set_at IS NULL
          OR s.premium_until - make_interval(secs => k.seconds) > s.premium_set_at)
      ORDER BY k.seconds LIMIT 1
    ) AS due
    WHERE s.plan = 'premium' AND s.closed_at IS NULL
      AND s.premium_until <= ${now}::timestamptz + interval '604800 seconds'
      AND s.premium_until > ${endOfGraceBefore(now)}
      AND NOT EXISTS (
        SELECT FROM plan_reminders r
        WHERE r.seller_id = s.id AND r.premium_until = s.premium_until AND r.kind = due.kind
      )
    ORDER BY s.premium_until
    LIMIT ${REMINDED_AT_ONCE}
  `;

const DAYS_LEFT = { "7-days": 7, "3-days": 3, "1-day": 1 } as const;

const say = ({ sayInstant }: App, { kind, premium_until: until }: Reminded, price: Fcfa): Html =>
  kind === "grace"
    ? inGrace({ price, graceUntil: sayInstant(endOfGrace(until)) })
    : endsSoon({ at: sayInstant(until), price, days: DAYS_LEFT[kind] });

const REMINDED_AT_ONCE = 200;
const ENDED_AT_ONCE = 50;

/** Loops of plans: reminders, days of grace, the end (decision 6). */
export function plansLoops(app: App): Loop[] {
  const { clock, log } = app;
  const run = async () => {
    // Ends first, the longest over: no reminder of a grace that is over.
    const ended = await many<{ id: bigint }>(app.db)`${PREPARED}
      SELECT id FROM sellers
      WHERE plan = 'premium' AND premium_until <= ${endOfGraceBefore(clock.now())}
      ORDER BY premium_until LIMIT ${ENDED_AT_ONCE}
    `;
    let failed = 0;
    for (const { id } of ended) {
      // A failed one does not stop the others.
      await endPremium(app, id).catch((error: unknown) => {
        failed += 1;
        log.error({ err: error, seller: String(id) }, "premium could not be ended");
      });
    }
    const reminded = await remind(app);
    return reminded === REMINDED_AT_ONCE || (ended.length === ENDED_AT_ONCE && failed === 0);
  };
  return [createLoop({ name: "plans", clock, log, everyMs: MINUTE_MS, run })];
}
