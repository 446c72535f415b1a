import { many } from "../src/postgres/database.ts";
import type { AnswerOf } from "@sesame/contract/routes";
import type { DeskWithdrawalDetail } from "@sesame/contract/treasury";
import type { Plan } from "@sesame/contract/plans";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import { assert } from "@sesame/kernel";
import { sql } from "kysely";
import { askWithdrawal, fundSeller } from "./funds.ts";
import type { SignedInBuyer, SignedInSeller, TestApp } from "./harness.ts";
import type { CallOptions, Called, SomeBody } from "./http-call.ts";

/** As many agents as a test may want; the configuration names them before they are met. */
const AGENT_IDS = Array.from({ length: 20 }, (_, index) => 5_100_000_000 + index);
const OPERATOR_IDS = [5_200_000_000, 5_200_000_001];

/** The environment of an application with many agents. */
export const DESK_ENV = {
  AGENT_TELEGRAM_IDS: AGENT_IDS.join(","),
  OPERATOR_TELEGRAM_IDS: OPERATOR_IDS.join(","),
};

export type Request = { readonly seller: SignedInSeller; readonly id: string } & WithdrawalOnWire;

export type RequestChoice = {
  readonly amount?: number;
  readonly plan?: Plan;
  readonly method?: string;
  readonly phone?: string;
  readonly seller?: SignedInSeller;
};

/** What agents do at the desk, and what they see there. */
export function createDeskScene(app: TestApp) {
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

export type DeskScene = ReturnType<typeof createDeskScene>;
