import type { Plan } from "@sesame/contract/plans";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { addMs, assert, DAY_MS } from "@sesame/kernel";
import { afterAll } from "vitest";
import type { App } from "../src/app.ts";
import { requestAutomatic } from "../src/features/withdrawals/automatic.ts";
import { withLockedSeller } from "../src/features/withdrawals/request.ts";
import { profileOf } from "../src/features/withdrawals/settings.ts";
import { openDatabase } from "../src/postgres/database.ts";
import { keepCurrent } from "../src/settings.ts";
import { askWithdrawal, fundSeller, REQUEST } from "./funds.ts";
import { type SignedInBuyer, type SignedInSeller, type TestApp } from "./harness.ts";
import { sayAnswer } from "./http.ts";

/** As many agents as a test may need; the configuration names them in advance. */
const AGENT_IDS = Array.from({ length: 20 }, (_, index) => 5_100_000_000 + index);
const OPERATOR_IDS = [5_200_000_000, 5_200_000_001];

/** The environment of an application with many agents. */
export const STAFF_ENV = {
  AGENT_TELEGRAM_IDS: AGENT_IDS.join(","),
  OPERATOR_TELEGRAM_IDS: OPERATOR_IDS.join(","),
};

export type Request = { readonly seller: SignedInSeller; readonly id: string } & WithdrawalOnWire;

type RequestChoice = Partial<
  Record<"method" | "phone", string> & { amount: number; plan: Plan; seller: SignedInSeller }
>;

/** What agents do in the back office, and what they see there. */
export function createStaffFixtures(app: TestApp) {
  /** An agent's action on a request. */
  const act = (
    who: { token: string },
    id: string,
    ...[action, body, key]: readonly [action: string, body?: unknown, key?: string]
  ) => {
    // Each action answers with the request.
    const name =
      `POST /api/desk/withdrawals/:id/${action}` as "POST /api/desk/withdrawals/:id/assign";
    return app.send(name, who, { ...(body as object), id }, key);
  };

  const signIn = (id = 0, name: string) =>
    app.signInBuyer({ id, first_name: name, language_code: "fr" });
  const agent = (index = 0) => signIn(AGENT_IDS[index], `Agent ${index}`);

  // A new number for each request that names none.
  let numbers = 10_000_000;

  return {
    act,
    /** The same, as the status and the code of its answer. */
    said: async (...call: Parameters<typeof act>) => sayAnswer(await act(...call)),
    agent,
    operator: (index = 0) => signIn(OPERATOR_IDS[index], `Opérateur ${index}`),
    agents: (count: number) => Promise.all(Array.from({ length: count }, (_, nth) => agent(nth))),
    /** An agent who also sells. */
    sellingAgent: (index: number): Promise<SignedInSeller> =>
      app.signInSeller({ id: AGENT_IDS[index] ?? 0, first_name: `Agent ${index}` }),
    /** A seller with money requests some of it. */
    async request(choice: RequestChoice = {}): Promise<Request> {
      const { amount = 5_000, plan = "premium", method = REQUEST.methode_paiement } = choice;
      numbers += 1;
      const { phone = `07${numbers}` } = choice;
      const seller = choice.seller ?? (await app.signInSeller());
      await fundSeller(app, seller, amount, plan);
      const demande = await askWithdrawal(app, seller, {
        montant: amount,
        methode_paiement: method,
        numero_transfert: phone,
      });
      return { ...demande, seller };
    },
    /** Takes it, approves it by hand, then reports it as paid. */
    async payByHand(who: SignedInBuyer, id: string, reference: string): Promise<void> {
      for (const [action, body] of [
        ["assign", {}],
        ["approve", { rail: "manual" }],
        ["paid", { reference }],
      ] as const) {
        const answer = await act(who, id, action, body);
        assert(answer.status === 200, `${action} answered ${JSON.stringify(answer.body)}`);
      }
    },
    detail: async (who: { token: string }, id: string) =>
      (await app.read("GET /api/desk/withdrawals/:id", who, { id })).withdrawal,
    payouts: (id: string) =>
      app.sql<{ rail: string; status: string }>`
        SELECT rail, status FROM payouts WHERE withdrawal_id = ${id} ORDER BY id`,
    auditEntries: (id: string) => app.auditEntries(`withdrawal:${id}`),
  };
}

export type StaffFixtures = ReturnType<typeof createStaffFixtures>;

/** The application as another process has it: with connections of its own, closed after the file. */
export function openProcess(
  app: TestApp,
  { name = "other", poolSize = 8, log = app.core.log } = {},
) {
  const url = new URL(app.databaseUrl);
  url.searchParams.set("application_name", name);
  const { db, close } = openDatabase({ url: url.href, poolSize });
  afterAll(close);
  return { ...app.core, db, log, settings: keepCurrent(db, () => performance.now()) };
}

/** The engine's request for a due automatic payout, without planning the next one. */
export const askForDate = (app: App, { sellerId, on }: { sellerId: bigint; on: string }) =>
  withLockedSeller(app, sellerId, async (seller) => {
    const profile = await profileOf(seller.tx, sellerId);
    return requestAutomatic(app, seller, { profile, on });
  });

/** The seller gave his payout number, in E.164, a day ago: it has waited (decision 116). */
export async function giveNumberBefore(app: TestApp, seller: SignedInSeller, phone: string) {
  const at = addMs(app.clock.now(), -DAY_MS);
  await app.sql`INSERT INTO payout_profiles (seller_id, phone, number_given_at, updated_at)
    VALUES (${seller.id}, ${phone}, ${at}, ${at})`;
}
