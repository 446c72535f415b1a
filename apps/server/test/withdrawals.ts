import type { Plan } from "@sesame/contract/plans";
import type { AnswerOf } from "@sesame/contract/routes";
import type { DeskWithdrawalDetail } from "@sesame/contract/treasury";
import type { PayoutSettingsOnWire, WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { assert, DAY_MS, fcfa, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { balanceOf, openAccount, post } from "@sesame/ledger";
import { sql } from "kysely";
import type { App } from "../src/app.ts";
import { requestAutomatic } from "../src/features/withdrawals/automatic.ts";
import { withLockedSeller } from "../src/features/withdrawals/request.ts";
import { profileOf } from "../src/features/withdrawals/settings.ts";
import { many } from "../src/postgres/database.ts";
import type { Called, CallOptions, SomeBody } from "./client.ts";
import { createSellerFixtures } from "./groups.ts";
import { type SignedInBuyer, type SignedInSeller, startTestApp, type TestApp } from "./harness.ts";

let funded = 0;

/**
 * Gives a seller the plan and francs on its account, as a sale does, from nobody's purse.
 * @param plan his own, or free when he has none yet
 */
export async function fundSeller(
  app: Pick<TestApp, "db" | "clock">,
  seller: { readonly id: string },
  ...[amount, plan]: readonly [amount: number, plan?: Plan]
): Promise<void> {
  const now = app.clock.now();
  const { rows } = await sql<{ account: bigint }>`
    UPDATE sellers SET plan = coalesce(${plan ?? null}, plan, 'free') WHERE id = ${BigInt(seller.id)}
    RETURNING CASE plan WHEN 'premium' THEN premium_account_id ELSE free_account_id END AS account
  `.execute(app.db);
  assert(rows[0], `no seller ${seller.id}`);
  if (amount === 0) return;
  const nobody = await openAccount(app.db, { key: "funds:of-tests", guarded: false }, now);
  funded += 1;
  const [outcome] = await post(
    app.db,
    [
      {
        id: `funds:${seller.id}:${funded}`,
        legs: [
          { account: nobody, amount: fcfa(-amount) },
          { account: rows[0].account, amount: fcfa(amount) },
        ],
        occurredAt: now,
      },
    ],
    now,
  );
  assert(outcome === "posted", "the funds were posted");
}

/**
 * What sellers may ask for before anything was paid to them, in francs. Set before the settings are
 * read for the first time: a reading is kept for a second.
 */
export async function setFirstPayouts(
  { db, clock }: Pick<TestApp, "db" | "clock">,
  most: number,
): Promise<void> {
  await sql`
    INSERT INTO settings (key, value, changed_at)
    VALUES ('first_payout_max', ${String(most)}::jsonb, ${clock.now()})
    ON CONFLICT (key) DO UPDATE SET value = excluded.value
  `.execute(db);
}

type SellerBalance = {
  readonly posted: number;
  readonly held: number;
  readonly available: number;
};

/** What the seller has on the account of the plan, in francs. */
export async function sellerBalance(
  app: Pick<TestApp, "db">,
  seller: { readonly id: string },
  plan: Plan,
): Promise<SellerBalance> {
  const balance = await balanceOf(app.db, `seller:${seller.id}:${plan}`);
  assert(balance, `no account of the seller ${seller.id}`);
  const { posted, held, available } = balance;
  return { posted: Number(posted), held: Number(held), available: Number(available) };
}

/** A request's fields as a phone sends them; what a test does not care for is right. */
export const REQUEST = {
  montant: 1_000,
  methode_paiement: "orange-money-ci",
  numero_transfert: "07 01 02 03 04",
  numero_whatsapp: "+225 0701020304",
} as const;

/** Asks for the seller's money as his phone does. */
export async function askWithdrawal(
  app: Pick<TestApp, "call">,
  seller: { readonly token: string },
  fields: Readonly<Record<string, unknown>> = {},
): Promise<WithdrawalOnWire> {
  const answer = await app.call<AnswerOf<"GET /api/users/retrait/:id">>(
    "POST",
    "/api/users/retrait/demande",
    {
      token: seller.token,
      body: { ...REQUEST, ...fields },
    },
  );
  assert(answer.status === 201, `the request answered ${JSON.stringify(answer.body)}`);
  return answer.body.demande;
}

/** As many agents as a test may want; the configuration names them before they are met. */
const AGENT_IDS = Array.from({ length: 20 }, (_, index) => 5_100_000_000 + index);
const OPERATOR_IDS = [5_200_000_000, 5_200_000_001];

/** The environment of an application with many agents. */
export const DESK_ENV = {
  AGENT_TELEGRAM_IDS: AGENT_IDS.join(","),
  OPERATOR_TELEGRAM_IDS: OPERATOR_IDS.join(","),
};

export type Request = { readonly seller: SignedInSeller; readonly id: string } & WithdrawalOnWire;

type RequestChoice = {
  readonly amount?: number;
  readonly plan?: Plan;
  readonly method?: string;
  readonly phone?: string;
  readonly seller?: SignedInSeller;
};

/** What agents do at the desk, and what they see there. */
export function createDeskFixtures(app: TestApp) {
  const call = <T = SomeBody>(
    who: { token: string },
    path: string,
    options: CallOptions & { method?: string } = {},
  ): Promise<Called<T>> =>
    app.call<T>(options.method ?? "GET", `/api/desk${path}`, { token: who.token, ...options });

  const act = (
    who: { token: string },
    what: { id: string; action: string; body?: unknown; key?: string },
  ): Promise<Called<AnswerOf<"POST /api/desk/withdrawals/:id/claim"> & SomeBody>> =>
    call(who, `/withdrawals/${what.id}/${what.action}`, {
      method: "POST",
      body: what.body ?? {},
      ...(what.key === undefined ? {} : { headers: { "idempotency-key": what.key } }),
    });

  const signIn = async (id: number, name: string): Promise<SignedInBuyer> =>
    app.signInBuyer({ id, first_name: name, language_code: "fr" });

  // A number of his own for each request that names none.
  let numbers = 10_000_000;

  return {
    call,
    act,
    agent: (index = 0) => signIn(AGENT_IDS[index] ?? 0, `Agent ${index}`),
    operator: (index = 0) => signIn(OPERATOR_IDS[index] ?? 0, `Opérateur ${index}`),
    agents: (count: number) =>
      Promise.all(AGENT_IDS.slice(0, count).map((id, index) => signIn(id, `Agent ${index}`))),
    /** An agent who sells too. */
    sellingAgent: (index: number): Promise<SignedInSeller> =>
      app.signInSeller({ id: AGENT_IDS[index] ?? 0, first_name: `Agent ${index}` }),
    /** A seller with money asks for some of it. */
    async request(choice: RequestChoice = {}): Promise<Request> {
      const { amount = 5_000, plan = "premium", method } = choice;
      numbers += 1;
      const { phone = `07${numbers}` } = choice;
      const seller = choice.seller ?? (await app.signInSeller());
      await fundSeller(app, seller, amount, plan);
      const demande = await askWithdrawal(app, seller, {
        montant: amount,
        ...(method === undefined ? {} : { methode_paiement: method }),
        numero_transfert: phone,
      });
      return { ...demande, seller };
    },
    /** Takes it and approves it by hand, then says it was paid. */
    async payByHand(who: SignedInBuyer, id: string, reference: string): Promise<void> {
      for (const [action, body] of [
        ["claim", {}],
        ["approve", { lane: "manual" }],
        ["paid", { reference }],
      ] as const) {
        const answer = await act(who, { id, action, body });
        assert(answer.status === 200, `${action} answered ${JSON.stringify(answer.body)}`);
      }
    },
    async detail(who: { token: string }, id: string): Promise<DeskWithdrawalDetail> {
      const answer = await call<AnswerOf<"GET /api/desk/withdrawals/:id">>(
        who,
        `/withdrawals/${id}`,
      );
      assert(answer.status === 200, `the request answered ${answer.status}`);
      return answer.body.withdrawal;
    },
    async payouts(id: string): Promise<{ lane: string; status: string }[]> {
      return many<{ lane: string; status: string }>(app.db)`
        SELECT lane, status FROM payouts WHERE withdrawal_id = ${BigInt(id)} ORDER BY id
      `;
    },
    async deeds(id: string): Promise<string[]> {
      const { rows } = await sql<{ action: string }>`
        SELECT action FROM audit_log WHERE subject = ${`withdrawal:${id}`} ORDER BY seq
      `.execute(app.db);
      return rows.map(({ action }) => action);
    },
  };
}

export type DeskFixtures = ReturnType<typeof createDeskFixtures>;

type Fields = Readonly<Record<string, unknown>>;

/** Sellers with automatic payouts, on a clock that is moved from date to date. */
export type AutomaticFixtures = {
  readonly app: TestApp;
  readonly desk: DeskFixtures;
  /** Goes to a Monday at 9:00 on which nothing has happened yet, and nothing else runs. */
  freshWeek(): Promise<void>;
  /** So many days after that Monday. */
  at(days: number, hours?: number, minutes?: number): string;
  dateAt(days: number): string;
  /** Moves the clock to an instant, and lets what is due happen. */
  goTo(instant: string): Promise<void>;
  /** A seller in touch with the bot, with funds, whose automatic payout is on. */
  automatic(plan: "free" | "premium", funds: number, fields?: Fields): Promise<SignedInSeller>;
  configure(seller: SignedInSeller, body: Fields): Promise<PayoutSettingsOnWire>;
  settingsOf(seller: SignedInSeller): Promise<PayoutSettingsOnWire>;
  requestsOf(seller: SignedInSeller): Promise<WithdrawalOnWire[]>;
  /** The dates he was run for, in order. */
  datesOf(seller: SignedInSeller): Promise<string[]>;
};

/** What the engine does when a seller's automatic payout is due, without planning the next one. */
export const askForDate = (app: App, { sellerId, on }: { sellerId: bigint; on: string }) =>
  withLockedSeller(app, sellerId, async (seller) => {
    const profile = await profileOf(seller.tx, sellerId);
    return requestAutomatic(app, seller, { profile, on });
  });

const NUMBER = { payment_method: "mtn-ci", transfer_number: "05 01 02 03 04" };
const FIRST_MONDAY = Date.parse("2026-11-16T09:00:00Z");
const WEEK_MS = 7 * DAY_MS;

export async function openAutomaticFixtures(): Promise<AutomaticFixtures> {
  const app = await startTestApp({ env: DESK_ENV });
  const scene = createSellerFixtures(app);
  let monday = FIRST_MONDAY;
  const at = (days: number, hours = 9, minutes = 0): string =>
    new Date(monday + days * DAY_MS + (hours - 9) * HOUR_MS + minutes * MINUTE_MS).toISOString();
  const goTo = async (instant: string): Promise<void> => {
    app.clock.advance(Date.parse(instant) - app.clock.now().getTime());
    await app.drain();
  };
  const configure = async (seller: SignedInSeller, body: Fields) => {
    const path = "/api/users/paiement/update";
    const answer = await app.call<AnswerOf<"GET /api/users/paiement">>("PUT", path, {
      token: seller.token,
      body,
    });
    assert(answer.status === 200, `the settings answered ${JSON.stringify(answer.body)}`);
    return answer.body.paiement;
  };
  return {
    app,
    desk: createDeskFixtures(app),
    at,
    goTo,
    configure,
    dateAt: (days) => at(days).slice(0, 10),
    async freshWeek() {
      await sql`UPDATE payout_profiles SET automatic = false, next_run_at = NULL`.execute(app.db);
      const weeks = Math.ceil((app.clock.now().getTime() - FIRST_MONDAY) / WEEK_MS);
      monday = FIRST_MONDAY + weeks * WEEK_MS;
      app.clock.advance(monday - app.clock.now().getTime());
    },
    async automatic(plan, funds, fields = {}) {
      const seller = await scene.sellerInTouch();
      await fundSeller(app, seller, funds, plan);
      await configure(seller, { retrait_auto: 1, ...NUMBER, ...fields });
      await app.drain();
      return seller;
    },
    async settingsOf(seller) {
      const path = "/api/users/paiement";
      return (await app.call<AnswerOf<"GET /api/users/paiement">>("GET", path, seller)).body
        .paiement;
    },
    async requestsOf(seller) {
      const path = "/api/users/retrait/mes-demandes";
      return (await app.call<AnswerOf<"GET /api/users/retrait/mes-demandes">>("GET", path, seller))
        .body.demandes;
    },
    async datesOf(seller) {
      const { rows } = await sql<{ on: string }>`
        SELECT to_char(automatic_on, 'YYYY-MM-DD') AS on FROM withdrawals
        WHERE seller_id = ${BigInt(seller.id)} ORDER BY id`.execute(app.db);
      return rows.map(({ on }) => on);
    },
  };
}
