import { assert } from "@sesame/kernel";
import { randomOf } from "../../../../tools/testing/seeded.ts";
import type { EmulatedPayments } from "../../../emulators/src/index.ts";
import type { Called } from "../http.ts";
import { type SignedInBuyer, type SignedInSeller, openTestApp, type TestApp } from "../harness.ts";
import { createOwnAccountFixtures, sellByAll } from "../payments.ts";
import { publishDonation, publishProduct } from "../sales.ts";
import { readerOf } from "../tables.ts";
import { createStaffFixtures, STAFF_ENV } from "../withdrawals.ts";

export type Someone = SignedInSeller | SignedInBuyer;
/** The providers that collect payments. */
export const COLLECTORS = ["kkiapay", "fedapay", "moneroo"] as const;
export const PAYOUT_RAILS = ["paydunya", "moneroo", "fedapay"] as const;
/** How any call of a provider's breaks. */
export const BROKEN = ["timeout-before", "timeout-after", "500-after", "nonsense"] as const;

/** A payment that a browser may make; `own`: collected by a seller's own account. */
export type Try = Readonly<Record<"reference" | "orderId" | "paymentId", string>> & {
  readonly price: number;
  readonly openedAt: Date;
  readonly provider: (typeof COLLECTORS)[number];
  readonly own: boolean;
  paid: boolean;
};

/** A payment by a phone; `name` is the provider's id. */
export type Cash = Omit<Try, "paid"> & {
  readonly name: string;
  amount: number;
  readonly fee: number;
  /** The provider, or a bank, has returned it, or a part. */
  taken: "no" | "partly" | "whole";
  /** An agent had begun to send it already. */
  isLate: boolean;
};

/** A payment by an agent's phone; `isBack`: it came back to that phone. */
type Sent = { readonly by: Someone; readonly amount: number; isBack: boolean };

/** The people, and the phones' and providers' records of money. */
export type StormState = Awaited<ReturnType<typeof openStorm>>;
export type StormAction = (storm: StormState, draw: Draw) => Promise<string>;

export async function openStorm() {
  const app = await openTestApp({ env: STAFF_ENV });
  const staff = createStaffFixtures(app);
  const operators = [await staff.operator(0), await staff.operator(1)];
  const sellers: SignedInSeller[] = [];
  const products: string[] = [];
  for (const choice of [{ minutes: 1_440 }, { minutes: 1_440, stock: 3 }, { minutes: 43_200 }]) {
    const seller = await app.seller({ plan: "free" });
    const group = await app.linkGroup(seller);
    products.push((await publishProduct(app, { seller, group }, choice)).reference);
    sellers.push(seller);
  }
  const collecting = await createOwnAccountFixtures(app).sellerCollecting("fedapay");
  sellers.push(collecting.seller);
  products.push(collecting.product.reference);
  for (const seller of sellers) await sellByAll(app, seller);
  products.push((await publishDonation(app, existing(sellers[0]))).reference);
  // A seller without sales and purchases, who may close the account at any time.
  sellers.push(await app.seller({ plan: "free" }));
  const buyers: SignedInBuyer[] = [];
  while (buyers.length < 6) buyers.push(await app.buyerInTouch());
  return {
    app,
    sellers,
    /** Who collects payments with an account of his own too. */
    collecting: collecting.seller,
    products,
    agents: await staff.agents(3),
    operators,
    buyers,
    people: new Map<string, Someone>([...sellers, ...buyers].map((one) => [one.id, one])),
    /** By payment. */
    tries: new Map<string, Try>(),
    cash: [] as Cash[],
    /** By withdrawal, and by refund. */
    sent: new Map<string, Sent>(),
    givenBack: new Map<string, Sent>(),
    /** Orders whose refund an agent takes at this moment, or has sent. */
    inHand: [] as string[],
    /** Payouts that were received and taken back: `provider:id`. */
    reversed: new Set<string>(),
    ...createCalls(app, operators),
    ...readerOf(app.db),
  };
}

/** `id`: of an order. */
type Answer = Called<Partial<Record<"code" | "id" | "token", string>>>;
type Request = readonly [path: string, body?: object | undefined, method?: string];

function createCalls(app: TestApp, operators: readonly SignedInBuyer[]) {
  const ask = async (who: Someone, [path, body, method = "POST"]: Request): Promise<Answer> => {
    const answer: Answer = await app.call(method, path, { token: who.token, body });
    assert(answer.status !== 500, `${method} ${path} met a bug`);
    return answer;
  };
  /** Calls like a person's screen: signs in again when the session is over. */
  const call = async (who: Someone, ...request: Request): Promise<Answer> => {
    const first = await ask(who, request);
    if (first.status !== 401) return first;
    const bot = "type_plan" in who.user ? "seller" : "buyer";
    const headers = { "x-telegram-init-data": app.initData(who.person, { bot }) };
    const path = bot === "seller" ? "/api/auth/vendeur" : "/api/auth/acheteur";
    const signed: Answer = await app.call("POST", path, { headers });
    if (signed.status !== 200) return signed;
    Object.assign(who, { token: signed.body.token });
    return ask(who, request);
  };
  /** The same. → the answer in words */
  const said = async (who: Someone | undefined, ...request: Request): Promise<string> =>
    say(await call(existing(who), ...request));
  const busy = new Set<string>();
  return {
    call,
    said,
    /** An operator does it. */
    asOperator: (draw: Draw, path: string, body?: object) =>
      said(draw.pick(operators), `/api/desk/${path}`, body),
    /** Payments that somebody decides about, or corrects, at this moment; withdrawals given up now. */
    busy,
    /** Nobody else decides about it meanwhile. */
    async alone(what: string, act: () => Promise<string>): Promise<string> {
      if (busy.has(what)) return "busy";
      busy.add(what);
      return act().finally(() => busy.delete(what));
    },
  };
}

export const say = ({ status, body }: Answer): string => `${status} ${body?.code ?? ""}`.trim();

/** Orders, and follows to the order's payments as a browser does. */
export async function order(
  storm: StormState,
  who: Someone | undefined,
  ...request: Request
): Promise<string> {
  const made = await storm.call(existing(who), ...request);
  const { id } = made.body;
  if (made.status !== 201 || !id) return say(made);
  const opened = await storm.sql<Omit<Try, "openedAt">>`
    SELECT order_id::text AS "orderId", id::text AS "paymentId", provider, reference,
      amount::float8 AS price, key_id IS NOT NULL AS own, false AS paid
    FROM payments WHERE order_id = ${BigInt(id)}
  `;
  for (const payment of opened) {
    if (storm.tries.has(payment.paymentId)) continue;
    storm.tries.set(payment.paymentId, { ...payment, openedAt: storm.app.clock.now() });
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
    /** Of an empty list: the action does not happen. */
    pick: <T>(items: readonly T[]): T => existing(items[upTo(items.length)]),
    /** A seed for another generator. */
    next: () => upTo(2 ** 31),
  };
}

class Nothing extends Error {
  override name = "Nothing";
}

/** Ends an action that needs something which does not exist. */
export function existing<T>(found: T | undefined): T {
  if (found === undefined) throw new Nothing("nothing");
  return found;
}

/** An action without anything to act on does not happen. */
export async function attempt(action: StormAction, storm: StormState, draw: Draw): Promise<string> {
  try {
    return await action(storm, draw);
  } catch (error) {
    if (error instanceof Nothing) return error.message;
    throw error;
  }
}

/** What the emulators may refuse: a payment or payout that is over. */
export function possibly(act: () => string): string {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && error.name === "NotPossible") return error.message;
    throw error;
  }
}

/** `often`: its weight; `all`: the same about every case, at the storm's end. → what was said */
export type Act = {
  readonly often: number;
  readonly act: StormAction;
  all?(storm: StormState, draw: Draw): Promise<string[]>;
};

/** By name. */
export type Acts = Readonly<Record<string, Act>>;

export const often = (count: number, act: StormAction): Act => ({ often: count, act });

/** What people do about cases of one kind: about one of them in the storm, about all at its end. */
export const chore = <Case>(
  count: number,
  cases: (storm: StormState) => Promise<readonly Case[]>,
  about: (storm: StormState, draw: Draw, one: Case) => Promise<string>,
): Act => ({
  ...often(count, async (storm, draw) => about(storm, draw, draw.pick(await cases(storm)))),
  async all(storm, draw) {
    const said: string[] = [];
    for (const each of await cases(storm)) {
      said.push(await attempt(() => about(storm, draw, each), storm, draw));
    }
    return said;
  },
});

/** The provider's last webhook about a payment or payout comes once more. */
export function repeatWebhook(
  { webhookViews, repeatWebhook: repeat }: Pick<EmulatedPayments, "webhookViews" | "repeatWebhook">,
  id: string,
): void {
  const last = webhookViews().findLast(({ paymentId }) => paymentId === id);
  if (last) repeat(last.id);
}
