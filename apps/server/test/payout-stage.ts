import type { Lane, PayoutStatus } from "@sesame/contract/treasury";
import { type AdjustableClock, assert, type Fcfa } from "@sesame/kernel";
import { balanceOf } from "@sesame/ledger";
import type { PayoutProvider } from "@sesame/providers";
import { sql } from "kysely";
import type { PayoutDesk } from "../../emulators/src/index.ts";
import type { App } from "../src/app.ts";
import { approveIn } from "../src/features/treasury/decide.ts";
import { payoutLoops } from "../src/features/treasury/index.ts";
import type { Loop } from "../src/jobs/loop.ts";
import { type Db, many, one } from "../src/postgres/database.ts";
import { fundSeller } from "./funds.ts";
import { type SignedInSeller, startTestApp, type TestApp } from "./harness.ts";
import { keepDatabase } from "./kept-tables.ts";
import { type Asked, askFor, brokenBooks, createEngine, emulatorLanes } from "./payout-engine.ts";

/** The engine on real PostgreSQL with providers of the test's own, a seller with francs, an agent. */
export type PayoutStage = {
  readonly app: TestApp;
  readonly db: Db;
  readonly clock: AdjustableClock;
  readonly seller: SignedInSeller;
  readonly agent: bigint;
  /** What its functions are called with. */
  readonly engine: App;
  /** A pending request of the seller's, held like the rest. */
  ask(amount: number, asked?: Asked): Promise<bigint>;
  approve(withdrawalId: bigint, lane: Lane, reference?: string): ReturnType<typeof approveIn>;
  /** Lets all that is due happen. */
  drive(): Promise<void>;
  /** One look of one worker alone. */
  readonly workers: readonly [() => Promise<void>, () => Promise<void>];
  advance(ms: number): Promise<void>;
  stateOf(withdrawalId: bigint): Promise<PayoutState>;
  withdrawal(id: bigint): Promise<WithdrawalSeen>;
  balance(key: string): Promise<bigint | undefined>;
  alerts(): Promise<string[]>;
  /** Everything that is not as it should be in the books. */
  broken(): Promise<unknown[]>;
  /** What the engine logged as a bug since the last look. */
  takeErrors(): unknown[];
  /** The emulated provider's payouts. */
  deskOf(lane: ProviderLane): PayoutDesk;
  /** Fails when the engine or the server met a bug that no test took. */
  close(): void;
};

type PayoutStep = { readonly at: Date; readonly step: string; readonly details: string | null };

export type PayoutState = {
  readonly id: bigint;
  readonly lane: Lane;
  readonly status: PayoutStatus;
  /** Ours, as the provider knows it. */
  readonly reference: string;
  readonly amount: Fcfa;
  readonly handle: string | null;
  readonly providerPayoutId: string | null;
  readonly operatorReference: string | null;
  /** The provider's last word. */
  readonly word: string | null;
  readonly failure: string | null;
  readonly cost: Fcfa;
  readonly createdAt: Date;
  readonly submittedAt: Date | null;
  readonly settledAt: Date | null;
  /** It succeeded after its francs had gone back to the seller. */
  readonly lateAt: Date | null;
  readonly nextCheckAt: Date | null;
  readonly checks: number;
  readonly steps: readonly PayoutStep[];
};

export type WithdrawalSeen = {
  readonly status: string;
  readonly reject_code: string | null;
  readonly reject_reason: string | null;
  readonly paid_at: Date | null;
};

export type PayoutHouse = {
  /**
   * A stage on the application as it was started, its database, its clock and what the providers
   * know: nothing another test did is left. Without providers of its own: the whole application,
   * its adapters and the emulated providers.
   */
  openStage(
    provide?: (app: TestApp) => readonly PayoutProvider[],
    choice?: { production?: boolean },
  ): Promise<PayoutStage>;
  close(): Promise<void>;
};

/** One application for the stages of a file, started by the first of them. */
export function createPayoutHouse(): PayoutHouse {
  let started: Promise<{ app: TestApp; putBack: () => Promise<void> }> | undefined;
  const start = async () => {
    const app = await startTestApp();
    return { app, putBack: await keepDatabase(app.db) };
  };
  return {
    async openStage(provide, choice = {}) {
      started ??= start();
      const { app, putBack } = await started;
      await putBack();
      app.clock.setOffset(0);
      forgetPayouts(app);
      return openStage(app, provide, choice);
    },
    close: async () => (await started)?.app.close(),
  };
}

const LANES = ["paydunya", "moneroo", "fedapay"] as const;
export type ProviderLane = (typeof LANES)[number];

function deskAt({ emulators }: TestApp, lane: ProviderLane): PayoutDesk {
  return lane === "moneroo" ? emulators.moneroo.payouts : emulators[lane];
}

function forgetPayouts(app: TestApp): void {
  for (const lane of LANES) {
    const desk = deskAt(app, lane);
    desk.clearFaults();
    desk.notices.drop = false;
    for (const { id } of desk.list()) desk.forget(id);
  }
}

async function openStage(
  app: TestApp,
  provide: ((app: TestApp) => readonly PayoutProvider[]) | undefined,
  choice: { production?: boolean },
): Promise<PayoutStage> {
  const { db, clock } = app;
  const seller = await app.signInSeller();
  const agent = await app.signInBuyer(await app.person({ first_name: "Agent" }));
  await fundSeller(app, seller, 1_000_000, "premium");
  const errors: unknown[] = [];
  const error = (...said: unknown[]) => void errors.push(said);
  const log = { error, warn: () => {}, info: () => {} };
  const emulators = { root: app.emulators.apiRoot, now: () => clock.now() };
  const providers = provide?.(app) ?? emulatorLanes(emulators);
  const production = choice.production ?? false;
  const engine = createEngine({ db, clock }, { providers, production, log });
  // Two workers, as two processes are.
  const other = createEngine({ db, clock }, { providers, production, log });
  const teams = [payoutLoops(engine), payoutLoops(other)] as const;
  const look = async (team: readonly Loop[]) => {
    await Promise.all(team.map((loop) => loop.drain()));
  };
  const drive = async () => {
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
    engine,
    drive,
    workers: [() => look(teams[0]), () => look(teams[1])],
    ...createLooks(db),
    ask: (amount, asked) => askFor({ db, clock }, BigInt(seller.id), { amount, ...asked }),
    approve: (withdrawalId, lane, reference) =>
      db.transaction().execute((tx) => {
        const by = BigInt(agent.id);
        const given = reference === undefined ? {} : { reference };
        const approval = { withdrawalId, lane, by, ...given };
        return approveIn(engine, tx, { approval, now: clock.now() });
      }),
    async advance(ms) {
      clock.advance(ms);
      await drive();
    },
    takeErrors: () => errors.splice(0),
    deskOf: (lane) => deskAt(app, lane),
    close() {
      const left = [...errors, ...app.takeErrors()];
      assert(left.length === 0, `the engine met bugs: ${JSON.stringify(left)}`);
    },
  };
}

type Looks = Pick<PayoutStage, "stateOf" | "withdrawal" | "balance" | "alerts" | "broken">;

function createLooks(db: Db): Looks {
  return {
    async stateOf(withdrawalId) {
      const payout = await one<Omit<PayoutState, "steps">>(db)`
        SELECT id, lane, status, reference, amount, handle,
          provider_payout_id AS "providerPayoutId", operator_reference AS "operatorReference",
          word, failure, cost, created_at AS "createdAt", submitted_at AS "submittedAt",
          settled_at AS "settledAt", late_at AS "lateAt", check_at AS "nextCheckAt", checks
        FROM payouts WHERE withdrawal_id = ${withdrawalId} ORDER BY id DESC LIMIT 1
      `;
      const steps = await many<PayoutStep>(db)`
        SELECT at, step, details FROM payout_steps WHERE payout_id = ${payout.id} ORDER BY id
      `;
      return { ...payout, steps };
    },
    async withdrawal(id) {
      const { rows } = await sql<WithdrawalSeen>`
        SELECT status, reject_code, reject_reason, paid_at FROM withdrawals WHERE id = ${id}
      `.execute(db);
      assert(rows[0], `no withdrawal ${id}`);
      return rows[0];
    },
    balance: async (key) => (await balanceOf(db, key))?.posted,
    async alerts() {
      const { rows } = await sql<{ kind: string }>`
        SELECT kind FROM desk_alerts WHERE resolved_at IS NULL ORDER BY id
      `.execute(db);
      return rows.map(({ kind }) => kind);
    },
    broken: () => brokenBooks(db),
  };
}

async function mark(db: Db): Promise<string> {
  const { rows } = await sql<{ mark: string }>`
    SELECT concat_ws(' ', (SELECT count(*) FROM payout_steps),
      (SELECT concat_ws(' ', sum(checks), count(outcome)) FROM payout_rumours),
      (SELECT sum(checks) FROM payouts)) AS mark
  `.execute(db);
  return rows[0]?.mark ?? "";
}
