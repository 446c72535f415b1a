import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { assert } from "@sesame/kernel";
import { type RawBuilder, sql } from "kysely";
import { randomOf } from "../../../../tools/testing/seeded.ts";
import { type SignedInBuyer, type SignedInSeller, openTestApp, type TestApp } from "../harness.ts";
import { createOwnAccountFixtures } from "../payments.ts";
import { publishDonation, publishProduct } from "../sales.ts";
import { createStaffFixtures, STAFF_ENV } from "../withdrawals.ts";

export type Someone = SignedInSeller | SignedInBuyer;
/** The provider that collects a payment. */
type Collector = "kkiapay" | "fedapay" | "moneroo";
export type PayoutRail = "paydunya" | "moneroo" | "fedapay";
export const COLLECTORS: readonly Collector[] = ["kkiapay", "fedapay", "moneroo"];
export const PAYOUT_RAILS: readonly PayoutRail[] = ["paydunya", "moneroo", "fedapay"];

/** A payment that a browser may make; `own`: collected by a seller's own account. */
export type Try = Readonly<Record<"reference" | "orderId" | "paymentId", string>> &
  Readonly<Record<"price" | "openedAt", number>> & {
    readonly provider: Collector;
    readonly own: boolean;
    paid: boolean;
  };

/** A payment by a phone; `name` is the provider's id. */
export type Cash = Omit<Try, "openedAt" | "paid"> & {
  readonly name: string;
  amount: number;
  readonly fee: number;
  /** The provider, or a bank, has returned it, or a part. */
  taken: "no" | "partly" | "whole";
  /** An agent had begun to send it already. */
  isLate: boolean;
};

/** A payment by an agent's phone, with the reference that he reports. */
type Sent = { readonly by: Someone; readonly reference: string; readonly amount: number };

export type Answer = { readonly status: number; readonly code: string | undefined; body: unknown };

/** The people, and the phones' and providers' records of money. */
export type StormState = Awaited<ReturnType<typeof openStorm>>;
export type StormAction = (storm: StormState, draw: Draw) => Promise<string>;

const PRICE = 5_000;

export async function openStorm() {
  const app = await openTestApp({ env: STAFF_ENV });
  const staff = createStaffFixtures(app);
  const keys = createOwnAccountFixtures(app);
  const sellers: SignedInSeller[] = [];
  const products: string[] = [];
  for (const plan of ["free", "free", "premium", "free"] as const) {
    const seller = await app.seller({ plan });
    const group = await app.linkGroup(seller);
    const { reference } = await publishProduct(
      app,
      { seller, group },
      {
        price: PRICE,
        minutes: plan === "free" ? 1_440 : 43_200,
        ...(sellers.length === 1 ? { stock: 3 } : {}),
      },
    );
    products.push(reference);
    await app.send("PUT /api/user-aggregators/:userId/:key", seller, {
      userId: seller.id,
      key: "kkiapay",
      isActive: true,
    });
    sellers.push(seller);
  }
  const [first, , third] = sellers as [SignedInSeller, SignedInSeller, SignedInSeller];
  products.push((await publishDonation(app, first)).reference);
  const { id: account, keys: own } = keys.openAccount("fedapay");
  const put = await keys.put(third, "fedapay", { keys: own });
  app.emulators.merchants.fedapay.pointWebhooks(account, put.body.aggregator.own?.webhookUrl ?? "");
  // A seller without sales and purchases, who may close the account at any time.
  const spare = await app.seller({ plan: "free" });
  sellers.push(spare);
  const agents = await staff.agents(3);
  const operators = [await staff.operator(0), await staff.operator(1)];
  const storm = {
    app,
    sellers,
    products,
    agents,
    operators,
    buyers: [] as SignedInBuyer[],
    people: new Map<string, Someone>(),
    tries: [] as Try[],
    cash: [] as Cash[],
    /** By withdrawal, and by refund. */
    sent: new Map<string, Sent>(),
    givenBack: new Map<string, Sent>(),
    /** Orders whose refund an agent takes at this moment, or has sent. */
    inHand: [] as string[],
    /** By withdrawal: what came back to the phone of its sender. */
    cameBack: new Map<string, Sent>(),
    /** Payouts that were received and taken back: `provider:id`. */
    reversed: new Set<string>(),
    ...createCalls(app),
  };
  for (let count = 0; count < 6; count++) storm.buyers.push(await app.buyerInTouch());
  for (const one of [...sellers, ...storm.buyers]) storm.people.set(one.id, one);
  return storm;
}

type Request = readonly [method: string, path: string, body?: unknown];

function createCalls(app: TestApp) {
  const tokens = new Map<Someone, string>();
  const signIn = async (who: Someone): Promise<Answer> => {
    const bot = "type_plan" in who.user ? "seller" : "buyer";
    const path = bot === "seller" ? "/api/auth/vendeur" : "/api/auth/acheteur";
    const headers = { "x-telegram-init-data": app.initData(who.person, { bot }) };
    const answer = await app.call<{ token?: string; code?: string }>("POST", path, { headers });
    const { status, body } = answer;
    if (status === 200 && body.token) tokens.set(who, body.token);
    return { status, code: body.code, body };
  };
  const ask = async (who: Someone, [method, path, body]: Request): Promise<Answer> => {
    const token = tokens.get(who) ?? who.token;
    const answer = await app.call<{ code?: string }>(method, path, { token, body });
    assert(answer.status !== 500, `${method} ${path} met a bug`);
    return { status: answer.status, code: answer.body?.code, body: answer.body };
  };
  /** Calls like a person's screen: signs in again when the session is over. */
  const call = async (who: Someone, ...request: Request): Promise<Answer> => {
    const first = await ask(who, request);
    if (first.status !== 401) return first;
    const signed = await signIn(who);
    return signed.status === 200 ? ask(who, request) : signed;
  };
  const busy = new Set<string>();
  return {
    call,
    /** The same. → the answer in words */
    said: async (who: Someone | undefined, ...request: Request): Promise<string> =>
      who ? say(await call(who, ...request)) : "nobody",
    /** Payments that somebody decides about, or corrects, at this moment; `withdrawal:id` given up now. */
    busy,
    /** Nobody else decides about it meanwhile. */
    async alone(what: string, act: () => Promise<string>): Promise<string> {
      if (busy.has(what)) return "busy";
      busy.add(what);
      return act().finally(() => busy.delete(what));
    },
    async rows<T>(query: RawBuilder<T>): Promise<T[]> {
      return (await query.execute(app.db)).rows;
    },
  };
}

export const say = ({ status, code }: Answer): string => `${status} ${code ?? ""}`.trim();

/** Orders, and follows to the order's payments as a browser does. */
export async function order(
  storm: StormState,
  who: Someone | undefined,
  ...[path, body, known]: readonly [path: string, body?: object, orderId?: string]
): Promise<string> {
  if (!who) return "nobody";
  const made = await storm.call(who, "POST", path, body);
  const { id = known } = made.body as Partial<CreateOrderAnswer>;
  if (made.status !== 201 || !id) return say(made);
  const opened = await storm.rows(sql<Omit<Try, "orderId" | "openedAt" | "paid">>`
    SELECT id::text AS "paymentId", provider, reference, amount::float8 AS price,
      key_id IS NOT NULL AS own
    FROM payments WHERE order_id = ${BigInt(id)}
  `);
  for (const payment of opened) {
    if (storm.tries.some(({ paymentId }) => paymentId === payment.paymentId)) continue;
    const openedAt = storm.app.clock.now().getTime();
    storm.tries.push({ ...payment, orderId: id, openedAt, paid: false });
  }
  return say(made);
}

/** Random choices of an action: always the same for one seed, whatever runs beside it. */
export type Draw = ReturnType<typeof drawOf>;

export function drawOf(seed: number) {
  const random = randomOf(seed);
  const upTo = (count: number) => Math.floor(random() * count);
  return {
    upTo,
    oneIn: (count: number) => upTo(count) === 0,
    pick: <T>(items: readonly T[]): T | undefined => items[upTo(items.length)],
    /** A seed for another generator. */
    next: () => upTo(2 ** 31),
  };
}
