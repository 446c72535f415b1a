import { DAY_MS, MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../../test/harness.ts";
import { askForDate, fundSeller } from "../../../test/withdrawals.ts";
import type { App } from "../../app.ts";
import { many, openDatabase } from "../../postgres/database.ts";
import { keepCurrent } from "../../settings.ts";
import { type AutomaticEngine, createAutomaticEngine } from "./automatic.ts";
import { noteNews, rejectIn } from "./index.ts";
import { requestWithdrawal } from "./request.ts";
import { configurePayouts } from "./settings.ts";
import { cancel } from "./withdrawals.ts";

const LONG = process.env.LONG === "1";

let app: TestApp;
/** As two processes. */
let one: App;
let other: App;
let engines: readonly AutomaticEngine[];
const logged: unknown[] = [];
let close: () => Promise<void>;

beforeAll(async () => {
  app = await startTestApp();
  const note = (...said: unknown[]) => void logged.push(said);
  const databases = [0, 1].map(() => openDatabase({ url: app.databaseUrl, poolSize: 4 }));
  const log = { error: note, warn: note, info: note };
  const apps = databases.map(({ db }): App => {
    const settings = keepCurrent(db, () => performance.now());
    return { ...app.core, db, settings, log };
  });
  [one, other] = apps as [App, App];
  engines = apps.map(createAutomaticEngine);
  close = async () => void (await Promise.all(databases.map((database) => database.close())));
});
afterAll(async () => {
  await close?.();
  await app?.close();
});

type Step =
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "earn"; readonly amount: number }
  | { readonly do: "run" | "pay" | "reject" | "cancel" | "die" }
  | { readonly do: "ask"; readonly amount: number }
  | { readonly do: "plan"; readonly plan: "free" | "premium" }
  | { readonly do: "set"; readonly body: Readonly<Record<string, unknown>> };

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant("wait"), ms: someTime() }) },
    { weight: 6, arbitrary: fc.constant({ do: "run" }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("earn"), amount: fc.nat(30_000) }) },
    { weight: 3, arbitrary: fc.constantFrom({ do: "pay" }, { do: "reject" }, { do: "cancel" }) },
    { weight: 1, arbitrary: fc.constant({ do: "die" }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant("ask"), amount: fc.nat(5_000) }) },
    {
      weight: 1,
      arbitrary: fc.record({ do: fc.constant("plan"), plan: fc.constantFrom("free", "premium") }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("set"), body: someSettings() }) },
  ),
  { minLength: 20, maxLength: 60 },
) as fc.Arbitrary<Step[]>;

function someTime() {
  return fc.oneof(fc.nat(90 * MINUTE_MS), fc.nat(DAY_MS), fc.nat(9 * DAY_MS));
}

function someSettings() {
  return fc.constantFrom<Readonly<Record<string, unknown>>>(
    { retrait_auto: 0 },
    { retrait_auto: 1 },
    { frequence: "hebdomadaire" },
    { frequence: "quotidien" },
    { frequence: "seuil", seuil: 20_000 },
    { transfer_number: "0505050505" },
    { transfer_number: "0501020304" },
  );
}

type Request = { readonly id: bigint; readonly status: string; readonly origin: string };

/** One seller, and what must be true of his automatic payouts whatever happens. */
class Story {
  readonly id: bigint;
  readonly seller: { readonly id: string };
  /** Rejected automatic payouts since one was received, or since it was switched on. */
  failures = 0;
  on = true;
  /** When his number was changed. */
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
        // A process asks for what is due, and dies before it writes it down.
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
        return void (await sql`UPDATE sellers SET plan = ${step.plan} WHERE id = ${this.id}
          AND NOT EXISTS (SELECT FROM withdrawals WHERE seller_id = ${this.id}
            AND status = 'pending')`.execute(app.db));
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
    // Nothing that was due is left behind.
    if (this.on) expect(profile?.next_run_at?.getTime()).toBeGreaterThan(app.clock.now().getTime());
  }

  private async set(body: Readonly<Record<string, unknown>>): Promise<void> {
    const before = (await this.profile())?.phone;
    const saved = await configurePayouts(one, this.id, body);
    if (!saved.ok) return;
    if ((await this.profile())?.phone !== before) this.changes.push(app.clock.now());
    // Whatever is saved while it is off is a new beginning.
    if (!this.on) this.failures = 0;
    this.on = saved.value.automatic;
  }

  private async end(how: "pay" | "reject" | "cancel"): Promise<void> {
    const { rows } = await sql<Request>`
      SELECT id, status, origin FROM withdrawals
      WHERE seller_id = ${this.id} AND status = 'pending' ORDER BY id DESC LIMIT 1
    `.execute(app.db);
    const [request] = rows;
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

  async profile() {
    const { rows } = await sql<{
      automatic: boolean;
      failures_in_row: number;
      next_run_at: Date | null;
      phone: string | null;
    }>`SELECT automatic, failures_in_row, next_run_at, phone FROM payout_profiles
      WHERE seller_id = ${this.id}`.execute(app.db);
    return rows[0];
  }
}

const today = () => app.clock.now().toISOString().slice(0, 10);

/** Runs of another date than their own, within 24 h of a changed number, untold or told twice. */
async function wrongRuns({ id: sellerId, changes }: Story) {
  return many(app.db)`
    SELECT w.id, w.automatic_on, w.created_at FROM withdrawals w
    WHERE w.seller_id = ${sellerId} AND w.origin = 'automatic' AND (
      EXISTS (SELECT FROM unnest(${changes}::timestamptz[]) AS c(at)
        WHERE w.created_at > c.at AND w.created_at < c.at + interval '24 hours')
      OR
      w.automatic_on <> (w.created_at AT TIME ZONE 'UTC')::date
      OR (SELECT count(*) FROM outbox o WHERE o.ref = ${sellerId}
        AND o.payload->>'message' LIKE '%une demande de%' || w.reference || '%') <> 1)
  `;
}

test("whatever a seller and his clock do, each date runs once, is said once and counts once", async () => {
  const property = fc.asyncProperty(steps, async (taken) => {
    const { id } = await app.signInSeller();
    const story = new Story(id);
    await fundSeller(app, story.seller, 40_000, "premium");
    const settings = { payment_method: "mtn-ci", transfer_number: "0501020304" };
    const start = { ...settings, retrait_auto: 1, frequence: "quotidien" };
    expect(await configurePayouts(one, story.id, start)).toMatchObject({ ok: true });
    for (const step of taken) await story.take(step);
    await story.take({ do: "run" });
    expect(await wrongRuns(story)).toEqual([]);
    await configurePayouts(one, story.id, { retrait_auto: 0 });
  });
  await fc.assert(property, { numRuns: LONG ? 500 : 20, endOnFailure: !LONG });
  expect(logged).toEqual([]);
  expect(await check(app.db)).toEqual([]);
}, 3_600_000);
