import type { PayoutRail, PayoutStatus } from "@sesame/contract/treasury";
import { assert, type Clock, type Fcfa, fcfa, systemClock } from "@sesame/kernel";
import { hold } from "@sesame/ledger";
import type { PayoutProvider } from "@sesame/providers";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import type { EmulatedPayouts } from "../../emulators/src/index.ts";
import type { App, Log } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { approveIn } from "../src/features/treasury/payouts.ts";
import { payoutLoops } from "../src/features/treasury/index.ts";
import type { Loop } from "../src/jobs/loop.ts";
import { withLongStatements } from "../src/postgres/connections.ts";
import { type Db, many, one } from "../src/postgres/database.ts";
import { checkLedger } from "../src/maintenance/maintenance.ts";
import { openPayoutProviders } from "../src/providers.ts";
import { fundSeller } from "./funds.ts";
import {
  createTestApp,
  openTestApp,
  payoutEnvironment,
  serverEnvironment,
  type TestApp,
} from "./harness.ts";
import { keepDatabase, readerOf } from "./tables.ts";

export type PayoutFixtures = Awaited<ReturnType<typeof openPayoutFixtures>>;

/** `reference`: ours, at the provider. `word`: the provider's last status, in its own word. */
type PayoutState = { id: bigint; rail: PayoutRail; status: PayoutStatus; reference: string } & {
  cost: Fcfa;
  checks: number;
} & Record<
    "handle" | "providerPayoutId" | "operatorReference" | "word" | "failure",
    string | null
  > &
  Record<"submittedAt" | "nextCheckAt", Date | null>;

type Provide = (app: TestApp) => readonly PayoutProvider[];

/** One application for the tests of a file, started by the first of them and closed after the last. */
export function createPayoutApp() {
  let started: Promise<{ app: TestApp; putBack: () => Promise<void> }> | undefined;
  const start = async () => {
    const app = await openTestApp();
    return { app, putBack: await keepDatabase(app.db) };
  };
  afterAll(async () => (await started)?.app.close());
  /**
   * Fixtures on the application as after its start: database, clock and providers without traces
   * of other tests. Without `provide`: the whole application, its adapters and the emulated
   * providers.
   */
  const openSetup = async (provide?: Provide, choice: { production?: boolean } = {}) => {
    started ??= start();
    const { app, putBack } = await started;
    await putBack();
    app.clock.setOffset(0);
    forgetPayouts(app);
    return openPayoutFixtures(app, provide, choice);
  };
  return {
    openSetup,
    /** Fixtures of their own for each test; after it every book agrees. */
    each(provide?: Provide): PayoutFixtures {
      const setup = {} as PayoutFixtures;
      beforeEach(async () => void Object.assign(setup, await openSetup(provide)));
      afterEach(async () => {
        expect(await setup.broken()).toEqual([]);
        setup.close();
      });
      return setup;
    },
  };
}

export const PAYOUT_RAILS = ["paydunya", "moneroo", "fedapay"] as const;
export type ProviderRail = (typeof PAYOUT_RAILS)[number];

const payoutsOf = ({ emulators }: TestApp, rail: ProviderRail): EmulatedPayouts =>
  rail === "moneroo" ? emulators.moneroo.payouts : emulators[rail];

function forgetPayouts(app: TestApp): void {
  for (const rail of PAYOUT_RAILS) {
    const payouts = payoutsOf(app, rail);
    payouts.clearFaults();
    payouts.webhooks.drop = false;
    for (const { id } of payouts.list()) payouts.forget(id);
  }
}

/** The engine on real PostgreSQL with a test's own providers, a seller with francs, an agent. */
async function openPayoutFixtures(
  app: TestApp,
  provide: Provide | undefined,
  choice: { production?: boolean },
) {
  const { db, clock } = app;
  const seller = await app.signInSeller();
  const agent = await app.signInBuyer(await app.person({ first_name: "Agent" }));
  await fundSeller(app, seller, 1_000_000, "premium");
  const errors: unknown[] = [];
  const error = (...said: unknown[]) => void errors.push(said);
  const log = { error, warn: () => {}, info: () => {} };
  const providers = provide?.(app) ?? app.core.payoutProviders;
  const production = choice.production ?? false;
  const engine = createEngine({ db, clock }, { providers, production, log });
  // Two workers, like two processes.
  const other = createEngine({ db, clock }, { providers, production, log });
  const teams = [payoutLoops(engine), payoutLoops(other)] as const;
  const look = async (team: readonly Loop[]) => {
    await Promise.all(team.map((loop) => loop.drain()));
  };
  /** Runs everything that is due. */
  const drive = async (): Promise<void> => {
    if (!provide) return app.drain();
    for (let before = "", now = await mark(db); now !== before; now = await mark(db)) {
      before = now;
      await Promise.all(teams.map(look));
    }
  };
  return {
    app,
    db,
    clock,
    seller,
    agent: BigInt(agent.id),
    /** The first argument of its functions. */
    engine,
    drive,
    /** One run of one worker alone. */
    workers: [() => look(teams[0]), () => look(teams[1])] as const,
    ...createLooks(db),
    /** A pending request of the seller's, held like any other. */
    ask: (amount: number, asked?: Asked) =>
      askFor({ db, clock }, BigInt(seller.id), { amount, ...asked }),
    approve: (withdrawalId: bigint, rail: PayoutRail, reference?: string) =>
      db.transaction().execute((tx) => {
        const by = BigInt(agent.id);
        const given = reference === undefined ? {} : { reference };
        const approval = { withdrawalId, rail, by, ...given };
        return approveIn(engine, tx, { approval, now: clock.now() });
      }),
    async advance(ms: number) {
      clock.advance(ms);
      await drive();
    },
    /** Bugs that the engine logged since the last call. */
    takeErrors: () => errors.splice(0),
    /** The emulated provider's payouts. */
    payoutsOf: (rail: ProviderRail) => payoutsOf(app, rail),
    /** Fails when the engine or the server met a bug that no test took. */
    close() {
      const left = [...errors, ...app.takeErrors()];
      assert(left.length === 0, `the engine met bugs: ${JSON.stringify(left)}`);
    },
  };
}

function createLooks(db: Db) {
  const reader = readerOf(db);
  return {
    ...reader,
    async stateOf(withdrawalId: bigint) {
      const payout = await one<PayoutState>(db)`
        SELECT id, rail, status, reference, handle, provider_payout_id AS "providerPayoutId",
          operator_reference AS "operatorReference", word, failure, cost,
          submitted_at AS "submittedAt", check_at AS "nextCheckAt", checks
        FROM payouts WHERE withdrawal_id = ${withdrawalId} ORDER BY id DESC LIMIT 1
      `;
      const steps = await many<{ step: string; details: string | null }>(db)`
        SELECT step, details FROM payout_steps WHERE payout_id = ${payout.id} ORDER BY id
      `;
      return { ...payout, steps };
    },
    withdrawal: (id: bigint) =>
      one<Record<"status" | "reject_code" | "reject_reason" | "paid_at", unknown>>(db)`
        SELECT status, reject_code, reject_reason, paid_at FROM withdrawals WHERE id = ${id}
      `,
    alerts: reader.openAlerts,
    broken: () => brokenInvariants(db),
  };
}

/** Changes with everything that happens to payouts. */
const mark = (db: Db) => readerOf(db).value<string>`
  SELECT concat_ws(' ', (SELECT count(*) FROM payout_steps),
    (SELECT concat_ws(' ', sum(checks), count(check_at)) FROM reported_payouts),
    (SELECT sum(checks) FROM payouts))`;

type DbAndClock = { readonly db: Db; readonly clock: Clock };

type EngineChoice = { providers: readonly PayoutProvider[]; production: boolean; log?: Log };

/** The payout engine of a test, beside the application under test. */
export function createEngine(
  { db, clock }: DbAndClock,
  { providers: payoutProviders, production, log }: EngineChoice,
): App {
  const app = createTestApp({ db, clock, providers: [], payoutProviders, ...(log ? { log } : {}) });
  return { ...app, config: { ...app.config, production } };
}

/** The real adapters, with the emulated providers. */
export function emulatorRails({ root, now }: { root: string; now(): Date }): PayoutProvider[] {
  const clock = { ...systemClock, now };
  const place = { port: 1, databaseUrl: "postgres://unused", dataDir: "unused", root };
  const config = readConfig({ ...serverEnvironment(place), ...payoutEnvironment(root) });
  return openPayoutProviders({ config, clock });
}

export type Asked = { readonly method?: string; readonly phone?: string };

/** A pending request of the seller's, its francs held like any other's. */
export async function askFor(
  { db, clock }: DbAndClock,
  sellerId: bigint,
  asked: Asked & { amount: number },
): Promise<bigint> {
  const { amount, method = "orange-money-ci", phone = "+2250700000001" } = asked;
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const row = await one<{ id: bigint; account_id: bigint }>(tx)`
      INSERT INTO withdrawals (seller_id, account_id, plan, amount, method, operator, country, phone,
        whatsapp, reference, origin, created_at, due_at)
      SELECT id, CASE plan WHEN 'premium' THEN premium_account_id ELSE free_account_id END, plan,
        ${amount}, ${method}, 'ORANGE', 'CI', ${phone}, '0700000001',
        'WD-' || substr(gen_random_uuid()::text, 1, 13), 'manual', ${now}, ${now}
      FROM sellers WHERE id = ${sellerId} RETURNING id, account_id
    `;
    const held = { id: `hold:${row.id}`, from: row.account_id, amount: fcfa(amount) };
    assert((await hold(tx, held, now)).ok, "the francs were held");
    return row.id;
  });
}

export const brokenInvariants = (db: Db) => checkLedger(db, withLongStatements);
