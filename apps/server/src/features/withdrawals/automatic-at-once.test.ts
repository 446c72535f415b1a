import { DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { fundSeller, sellerBalance, setFirstPayouts } from "../../../test/funds.ts";
import { startTestApp } from "../../../test/harness.ts";
import { askForDate, giveNumberBefore, openProcess } from "../../../test/withdrawals.ts";
import { maybe } from "../../postgres/database.ts";
import { createAutomaticEngine } from "./automatic.ts";
import { configurePayouts } from "./settings.ts";
import fc from "fast-check";
import { noteNews, rejectIn } from "./index.ts";
import { requestWithdrawal } from "./request.ts";
import { cancel } from "./withdrawals.ts";

const logged: unknown[] = [];
const note = (...said: unknown[]) => void logged.push(said);
const log = { error: note, warn: note, info: note };

const app = await startTestApp();
await setFirstPayouts(app, 90_000_000);
const [one, other] = [openProcess(app, { log }), openProcess(app, { log })];
/** Each with a loop of its own. */
const engines = [one, other].map(createAutomaticEngine);
afterEach(async () => {
  expect(logged.splice(0)).toEqual([]);
  expect(await check(app.db)).toEqual([]);
  await app.sql`UPDATE payout_profiles SET automatic = false, next_run_at = NULL`;
});

const runBoth = () => Promise.all(engines.map(({ loop }) => loop.drain()));

async function automatic(frequency: string, funds: number, seuil?: number): Promise<bigint> {
  const seller = await app.seller({ plan: "premium", funds });
  await giveNumberBefore(app, seller, "+2250501020304");
  const id = BigInt(seller.id);
  const saved = await configurePayouts(one, id, {
    retrait_auto: true,
    payment_method: "mtn-ci",
    transfer_number: "0501020304",
    frequence: frequency,
    ...(seuil === undefined ? {} : { seuil }),
  });
  expect(saved.ok).toBe(true);
  return id;
}

type Profile = {
  readonly last_outcome: string | null;
  readonly failures_in_row: number;
  readonly next_run_at: Date | null;
  readonly automatic: boolean;
};

const profileOf = (id: bigint) => maybe<Profile>(app.db)`
  SELECT last_outcome, failures_in_row, next_run_at, automatic FROM payout_profiles
  WHERE seller_id = ${id}`;

const runsOf = (id: bigint) => app.values<[date: string, amount: number]>`
  SELECT json_build_array(automatic_on, amount) FROM withdrawals
  WHERE seller_id = ${id} ORDER BY withdrawals.id`;

/** The bot's messages to the seller, except the confirmation of his own settings. */
async function notifiedTo(id: bigint): Promise<string[]> {
  const texts = await app.values<string>`
    SELECT (payload->>'message')::jsonb->>'text' FROM outbox
    WHERE topic = 'bot.notify' AND ref = ${id} ORDER BY id`;
  return texts.filter((text) => !text.includes("automatique est activé"));
}

/** Moves the clock to 9:00 of a later day. */
function goToMorning(days: number): void {
  const now = app.clock.now().getTime();
  const morning = Math.floor(now / DAY_MS) * DAY_MS + days * DAY_MS + 9 * HOUR_MS;
  app.clock.advance(morning - now);
}
const today = () => app.clock.now().toISOString().slice(0, 10);
const tomorrowMorning = () =>
  new Date((Math.floor(app.clock.now().getTime() / DAY_MS) + 1) * DAY_MS + 9 * HOUR_MS);

describe("two processes at once", () => {
  test("run each date once, write it once and notify once, for many sellers", async () => {
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, index) => automatic("quotidien", 1_000 + index)),
    );
    goToMorning(1);
    await Promise.all([runBoth(), runBoth()]);
    for (const [index, id] of ids.entries()) {
      expect(await runsOf(id)).toEqual([[today(), 1_000 + index]]);
      expect(await profileOf(id)).toEqual({
        automatic: true,
        last_outcome: "asked",
        failures_in_row: 0,
        next_run_at: tomorrowMorning(),
      });
      expect(await notifiedTo(id)).toHaveLength(1);
    }
  });

  test("count a refusal once, and switch off once after two", async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => automatic("quotidien", 1_000)));
    await app.sql`UPDATE payout_profiles SET phone = '+2250701020304' WHERE automatic`;
    goToMorning(1);
    await runBoth();
    for (const id of ids) expect(await profileOf(id)).toMatchObject({ failures_in_row: 1 });
    goToMorning(1);
    await runBoth();
    for (const id of ids) {
      expect(await profileOf(id)).toMatchObject({ automatic: false, failures_in_row: 2 });
      const notified = await notifiedTo(id);
      expect(notified.filter((text) => text.includes("désactivé après deux"))).toHaveLength(1);
      expect(await runsOf(id)).toEqual([]);
    }
    const rows = await app.sql`
      SELECT FROM audit_log WHERE actor_role = 'system' AND action = 'payouts.configure'
        AND subject = ANY(${ids.map((id) => `seller:${id}`)}::text[])`;
    expect(rows).toHaveLength(20);
  });

  test("ignore what the seller switches off in between", async () => {
    const id = await automatic("quotidien", 5_000);
    goToMorning(1);
    const [, off] = await Promise.all([
      runBoth(),
      configurePayouts(other, id, { retrait_auto: 0 }),
    ]);
    expect(off.ok).toBe(true);
    await runBoth();
    expect(await profileOf(id)).toMatchObject({ automatic: false, next_run_at: null });
    expect((await runsOf(id)).length).toBeLessThanOrEqual(1);
  });
});

describe("a process that dies between two steps", () => {
  test("after the request: the next one writes it down and requests nothing more", async () => {
    const id = await automatic("quotidien", 5_000);
    goToMorning(1);
    // The part that the dead process had done.
    const asked = await askForDate(one, { sellerId: id, on: today() });
    expect(asked.ok).toBe(true);
    await fundSeller(app, { id: String(id) }, 9_000);
    await engines[1]?.loop.drain();
    expect(await runsOf(id)).toEqual([[today(), 5_000]]);
    expect(await profileOf(id)).toMatchObject({
      last_outcome: "asked",
      next_run_at: tomorrowMorning(),
    });
    expect(await notifiedTo(id)).toHaveLength(1);
  });

  test("and is started again days later: the date counts as served, the present one runs", async () => {
    const daily = await automatic("quotidien", 5_000);
    const weekly = await automatic("hebdomadaire", 5_000);
    const monday = await profileOf(weekly);
    goToMorning(
      Math.round(((monday?.next_run_at?.getTime() ?? 0) - tomorrowMorning().getTime()) / DAY_MS) +
        1,
    );
    const first = today();
    for (const id of [daily, weekly]) {
      const asked = await askForDate(one, { sellerId: id, on: first });
      expect(asked.ok).toBe(true);
      await fundSeller(app, { id: String(id) }, 9_000);
    }
    goToMorning(2);
    // First the finished run is written, then the present one is found to be due.
    await runBoth();
    await runBoth();
    expect(await runsOf(daily)).toEqual([
      [first, 5_000],
      [today(), 9_000],
    ]);
    // Its Monday was served: it waits for the next.
    expect(await runsOf(weekly)).toEqual([[first, 5_000]]);
    expect((await profileOf(weekly))?.next_run_at?.getTime()).toBe(
      (monday?.next_run_at?.getTime() ?? 0) + 7 * DAY_MS,
    );
  });

  test("before anything was written: nothing is lost", async () => {
    const id = await automatic("quotidien", 5_000);
    goToMorning(1);
    app.clock.advance(5 * HOUR_MS);
    await engines[0]?.loop.drain();
    expect(await runsOf(id)).toEqual([[today(), 5_000]]);
  });
});

test("a clock that passes 9:00, late, past midnight, over the ends of months: each date once", async () => {
  const id = await automatic("quotidien", 90_000_000);
  const expected: string[] = [];
  for (let day = 0; day < 80; day += 1) {
    goToMorning(1);
    app.clock.advance((day % 7) * MINUTE_MS - 1);
    await runBoth();
    app.clock.advance(1 + (day % 5) * HOUR_MS);
    await runBoth();
    expected.push(today());
  }
  expect((await runsOf(id)).map(([on]) => on)).toEqual(expected);
  expect(await profileOf(id)).toMatchObject({ automatic: true, failures_in_row: 0 });
  expect(await notifiedTo(id)).toHaveLength(80);
});

test("a clock set back runs no date twice", async () => {
  const id = await automatic("quotidien", 5_000);
  goToMorning(1);
  await runBoth();
  await fundSeller(app, { id: String(id) }, 9_000);
  const seen = await profileOf(id);
  // As if the run had been planned again for its own date.
  await app.sql`UPDATE payout_profiles SET next_run_at = ${app.clock.now()} WHERE seller_id = ${id}`;
  await runBoth();
  expect(await runsOf(id)).toHaveLength(1);
  expect(await profileOf(id)).toEqual(seen);
});

describe("a sale event", () => {
  const received = (...ids: bigint[]) =>
    JSON.stringify(
      ids.map((id) => ({ room: `person:${id}`, name: "payment_received", body: { net: 1 } })),
    );

  test("makes the seller's threshold be checked now, not at the hour", async () => {
    const id = await automatic("seuil", 9_000, 10_000);
    app.clock.advance(1_000);
    await runBoth();
    expect(await runsOf(id)).toEqual([]);
    await fundSeller(app, { id: String(id) }, 1_000);
    engines[0]?.receive(received(id, 999_999_999n));
    await runBoth();
    expect(await runsOf(id)).toEqual([[today(), 10_000]]);
    // Once on that date, whatever is sold.
    await fundSeller(app, { id: String(id) }, 50_000);
    engines[1]?.receive(received(id));
    await runBoth();
    expect(await runsOf(id)).toHaveLength(1);
    goToMorning(1);
    await runBoth();
    expect(await runsOf(id)).toHaveLength(2);
  });

  test("brings no daily or weekly payout forward, nor one below its threshold", async () => {
    const daily = await automatic("quotidien", 5_000);
    const below = await automatic("seuil", 9_000, 10_000);
    const before = [await profileOf(daily), await profileOf(below)];
    app.clock.advance(1_000);
    engines[0]?.receive(received(daily, below));
    engines[0]?.receive('[{"room":"order:1","name":"payment_received","body":{}}]');
    engines[0]?.receive('[{"room":"person:1","name":"chatadd","body":{}}]');
    await runBoth();
    expect([await profileOf(daily), await profileOf(below)]).toEqual(before);
    expect(await sellerBalance(app, { id: String(below) }, "premium")).toMatchObject({ held: 0 });
  });
});

const LONG = process.env.LONG === "1";

const someTime = fc.oneof(fc.nat(90 * MINUTE_MS), fc.nat(DAY_MS), fc.nat(9 * DAY_MS));
const someSettings = fc.constantFrom<Readonly<Record<string, unknown>>[]>(
  { retrait_auto: 0 },
  { retrait_auto: 1 },
  { frequence: "hebdomadaire" },
  { frequence: "quotidien" },
  { frequence: "seuil", seuil: 20_000 },
  { transfer_number: "0505050505" },
  { transfer_number: "0501020304" },
);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant("wait"), ms: someTime }) },
    { weight: 6, arbitrary: fc.constant({ do: "run" }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("earn"), amount: fc.nat(30_000) }) },
    { weight: 3, arbitrary: fc.constantFrom({ do: "pay" }, { do: "reject" }, { do: "cancel" }) },
    { weight: 1, arbitrary: fc.constant({ do: "die" }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("ask"), amount: fc.nat(5_000) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("plan"), plan: fc.constantFrom("free", "premium") }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("set"), body: someSettings }) },
  ),
  { minLength: 20, maxLength: 60 },
);
type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

/** One seller, and the invariants of his automatic payouts. */
class Story {
  readonly id: bigint;
  readonly seller: { readonly id: string };
  /** Rejected automatic payouts since one was received, or since it was switched on. */
  failures = 0;
  on = true;
  /** When numbers were given, the first included. */
  readonly changes: Date[] = [];
  constructor(id: string) {
    this.id = BigInt(id);
    this.seller = { id };
  }

  async take(step: Step): Promise<void> {
    switch (step.do) {
      case "wait":
        app.clock.advance(step.ms);
        return;
      case "earn":
        return fundSeller(app, this.seller, step.amount);
      case "run":
        return this.run();
      case "die": {
        // A process makes a due request, and dies before it writes the result.
        const due = await this.profile();
        if (!due?.automatic || (due.next_run_at?.getTime() ?? 0) > app.clock.now().getTime())
          return;
        await askForDate(one, { sellerId: this.id, on: today() });
        return;
      }
      case "ask": {
        const form = { method: "mtn-ci", phone: "0501020304", whatsapp: "0501020304" };
        const asked = { ...form, amount: step.amount };
        await requestWithdrawal(other, {
          sellerId: this.id,
          form: asked,
          key: null,
          automaticOn: null,
        });
        return;
      }
      case "plan":
        return void (await app.sql`UPDATE sellers SET plan = ${step.plan} WHERE id = ${this.id}
          AND NOT EXISTS (SELECT FROM withdrawals WHERE seller_id = ${this.id}
            AND status = 'pending')`);
      case "set":
        return this.set(step.body);
      default:
        return this.end(step.do);
    }
  }

  private async run(): Promise<void> {
    await Promise.all(engines.map(({ loop }) => loop.drain()));
    await engines[0]?.loop.drain();
    if (this.failures >= 2) this.on = false;
    const profile = await this.profile();
    expect(profile).toMatchObject({ automatic: this.on, failures_in_row: this.failures });
    // Nothing due is left.
    if (this.on) expect(profile?.next_run_at?.getTime()).toBeGreaterThan(app.clock.now().getTime());
  }

  private async set(body: Readonly<Record<string, unknown>>): Promise<void> {
    const before = (await this.profile())?.phone;
    const saved = await configurePayouts(one, this.id, body);
    if (!saved.ok) return;
    if ((await this.profile())?.phone !== before) this.changes.push(app.clock.now());
    // Saving while it is off is a new beginning.
    if (!this.on) this.failures = 0;
    this.on = saved.value.automatic;
  }

  private async end(how: "pay" | "reject" | "cancel"): Promise<void> {
    const request = await maybe<{ id: bigint; origin: string }>(app.db)`
      SELECT id, origin FROM withdrawals
      WHERE seller_id = ${this.id} AND status = 'pending' ORDER BY id DESC LIMIT 1`;
    if (!request) return;
    const now = app.clock.now();
    if (how === "cancel") {
      await cancel(one, { id: request.id, sellerId: this.id, call: null });
      return;
    }
    await app.db.transaction().execute(async (tx) => {
      if (how === "reject") {
        const why = { id: request.id, code: "other", reason: "Nom différent", by: null };
        await rejectIn(tx, why, now);
        return;
      }
      await sql`UPDATE withdrawals SET status = 'approved', decided_at = ${now}, paid_at = ${now}
        WHERE id = ${request.id}`.execute(tx);
      await noteNews(tx, request.id, { news: "paid", now });
    });
    if (request.origin === "automatic") this.failures = how === "pay" ? 0 : this.failures + 1;
  }

  profile() {
    return maybe<Omit<Profile, "last_outcome"> & { phone: string | null }>(app.db)`
      SELECT automatic, failures_in_row, next_run_at, phone FROM payout_profiles
      WHERE seller_id = ${this.id}`;
  }
}

/** Runs of a date other than their own, within 24 h of a new number, not notified or notified twice. */
const wrongRuns = ({ id: sellerId, changes }: Story) => app.sql`
  SELECT w.id, w.automatic_on, w.created_at FROM withdrawals w
  WHERE w.seller_id = ${sellerId} AND w.origin = 'automatic' AND (
    EXISTS (SELECT FROM unnest(${changes}::timestamptz[]) AS c(at)
      WHERE w.created_at > c.at AND w.created_at < c.at + interval '24 hours')
    OR
    w.automatic_on <> (w.created_at AT TIME ZONE 'UTC')::date
    OR (SELECT count(*) FROM outbox o WHERE o.ref = ${sellerId}
      AND o.payload->>'message' LIKE '%une demande de%' || w.reference || '%') <> 1)
  `;

test("whatever a seller and the clock do, each date runs once, is notified once and counts once", async () => {
  const property = fc.asyncProperty(steps, async (taken) => {
    const { id } = await app.signInSeller();
    const story = new Story(id);
    await fundSeller(app, story.seller, 40_000, "premium");
    const settings = { payment_method: "mtn-ci", transfer_number: "0501020304" };
    const start = { ...settings, retrait_auto: 1, frequence: "quotidien" };
    expect(await configurePayouts(one, story.id, start)).toMatchObject({ ok: true });
    story.changes.push(app.clock.now());
    for (const step of taken) await story.take(step);
    await story.take({ do: "run" });
    expect(await wrongRuns(story)).toEqual([]);
    await configurePayouts(one, story.id, { retrait_auto: 0 });
  });
  await fc.assert(property, { numRuns: LONG ? 500 : 20 });
}, 3_600_000);
