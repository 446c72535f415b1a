import { FEDAPAY, PAYDUNYA, SECRET_KEY, type TestEmulators, KKIAPAY } from "./test-emulators.ts";
import { textOf } from "@sesame/kernel";
import { expect } from "vitest";

export type Told = { status: number; body: Record<string, unknown> };

/** What an app asks of the three, as bare calls. */
export function callers(emulators: () => TestEmulators) {
  const ask = async (
    path: string,
    { method = "POST", headers, body }: { method?: string; headers: object; body?: unknown },
  ): Promise<Told> => {
    const answer = await fetch(`${emulators().apiRoot}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const byKey = (key: string) => (method: string, path: string, body?: unknown) =>
    ask(`/v1${path}`, { method, headers: { authorization: `Bearer ${key}` }, body });
  return {
    paydunya: (name: string, body: object, keys: Partial<typeof PAYDUNYA> = {}) => {
      const { masterKey, privateKey, token } = { ...PAYDUNYA, ...keys };
      const headers = {
        "paydunya-master-key": masterKey,
        "paydunya-private-key": privateKey,
        "paydunya-token": token,
      };
      return ask(`/api/v2/disburse/${name}`, { headers, body });
    },
    fedapay: byKey(FEDAPAY.secretKey),
    moneroo: byKey(SECRET_KEY),
    /** With whatever key. */
    byKey,
  };
}

export const AWA = "+2250700000001";

export const INVOICE = {
  title: "Club VIP",
  description: "Un mois d'accès au Club VIP",
  provider_token: "",
  currency: "XTR",
  prices: [{ label: "Club VIP", amount: 625 }],
};

type Moves = { id: string; amount: number; source?: object; receiver?: object }[];

/** What a bot asks and is told about payments in Stars, as bare calls. */
export function starCallers(emulators: () => TestEmulators) {
  let payload = 0;
  /** An invoice of its own for each test. */
  const invoice = async (): Promise<{ payload: string; link: string }> => {
    const own = `order-${++payload}`;
    const answer = await emulators().call("buyer", "createInvoiceLink", {
      ...INVOICE,
      payload: own,
    });
    return { payload: own, link: textOf(answer.result) };
  };
  const queryOf = (own: string) =>
    emulators()
      .updates("buyer")
      .flatMap(({ pre_checkout_query: query }) => query ?? [])
      .findLast(({ invoice_payload: asked }) => asked === own);
  const paymentsOf = (own: string) =>
    emulators()
      .updates("buyer")
      .flatMap(({ message }) => message ?? [])
      .filter(({ successful_payment: paid }) => paid?.invoice_payload === own);
  const answer = (id: string | undefined, how: object = { ok: true }) =>
    emulators().refusal("buyer", "answerPreCheckoutQuery", { pre_checkout_query_id: id, ...how });
  const paid = async () => {
    const { link, payload: own } = await invoice();
    const { telegram, panel, buyer: personId } = emulators();
    if (telegram.previewInvoice({ personId, link }).stars < 625) {
      panel.setStars({ personId, stars: 625 });
    }
    const ended = telegram.payInvoice({ personId, link });
    expect(await answer(queryOf(own)?.id)).toBe("no refusal");
    expect(await ended).toMatchObject({ status: "paid", why: null });
    const [message] = paymentsOf(own);
    const chargeId = message?.successful_payment?.telegram_payment_charge_id ?? "";
    return { link, own, chargeId };
  };
  const moves = async (params: object = {}): Promise<Moves> => {
    const { result } = await emulators().call("buyer", "getStarTransactions", params);
    return (result as { transactions: Moves } | undefined)?.transactions ?? [];
  };
  return { invoice, queryOf, paymentsOf, answer, paid, moves };
}

const KEYS = {
  "x-api-key": KKIAPAY.publicKey,
  "x-private-key": KKIAPAY.privateKey,
  "x-secret-key": KKIAPAY.secretKey,
};

/** What an app asks of KkiaPay, and what browsers say to it, as bare calls. */
export function kkiapayCallers(emulators: () => TestEmulators) {
  let orders = 0;
  /** As our page opens it in a browser: our reference in both places. */
  const opened = (more: object = {}): string => {
    const reference = `order-${++orders}`;
    const config = { amount: 5_000, data: reference, partnerId: reference, ...more };
    emulators().collectors.kkiapay.open(config);
    return reference;
  };
  const paid = (outcome: "success" | "failure" = "success"): { reference: string; id: string } => {
    const reference = opened();
    const view = emulators().collectors.kkiapay.settle(reference, outcome, { silent: true });
    return { reference, id: view.transactionId ?? "" };
  };
  const post = async (path: string, body: object, headers: object = KEYS): Promise<Told> => {
    const answer = await fetch(`${emulators().apiRoot}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Told["body"] };
  };
  const ask = (name: "status" | "revert", transactionId: unknown, headers?: object) =>
    post(`/api/v1/transactions/${name}`, { transactionId }, headers);
  return { keys: KEYS, opened, paid, post, ask };
}
