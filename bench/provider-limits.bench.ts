import { createHash } from "node:crypto";
import { DEFAULT_SETTINGS } from "@sesame/contract/back-office";
import { PROVIDERS as TERMS } from "@sesame/contract/checkout";
import {
  type AdjustableClock,
  fcfa,
  HOUR_MS,
  MINUTE_MS,
  ok,
  Outage,
  stoppedClock,
} from "@sesame/kernel";
import type { PaymentProvider, ProviderId } from "@sesame/providers";
import { sql } from "kysely";
import { createAskingLoop } from "../apps/server/src/features/checkout/ask-providers.ts";
import { noteReported } from "../apps/server/src/features/checkout/checks.ts";
import { storeWebhooks } from "../apps/server/src/features/checkout/webhooks.ts";
import { getOrderToPay } from "../apps/server/src/features/checkout/orders.ts";
import { startPayment } from "../apps/server/src/features/checkout/open-payment.ts";
import { type Db, openDatabase } from "../apps/server/src/postgres/database.ts";
import { sellMany } from "../apps/server/test/bulk-sales.ts";
import { createTestApp } from "../apps/server/test/harness.ts";
import { countPaid, type Place, rowOf, say } from "./figures.ts";

const RATES = DEFAULT_SETTINGS.provider_rates;
const PROVIDERS = Object.keys(RATES) as ProviderId[];
const MINUTES = 6;
const COUNTED = 3;
const PAID_AFTER_S = 30;
const PRICE = fcfa(5_000n);

/**
 * Orders that each account settles a minute while its provider allows the rate of the settings.
 * Twice as many buyers come as the rate allows, and each pays half a minute after the order; the
 * clock is moved by the bench. Without webhooks the provider is asked at fixed times only.
 */
export async function run({ fresh }: Place): Promise<void> {
  const { db, close } = openDatabase({ url: await fresh() });
  const clock = stoppedClock(new Date());
  for (const webhooks of [true, false]) {
    // Earlier calls no longer count.
    clock.advance(HOUR_MS);
    const accounts: Account[] = [];
    for (const id of PROVIDERS) accounts.push(await openAccount(db, clock, id));
    await play([db, clock], accounts, webhooks);
    const how = webhooks ? "with webhooks" : "without webhooks";
    for (const { id, settled } of accounts) {
      const what = `${id} at ${RATES[id]} calls a minute: orders settled, ${how}`;
      say(rowOf("a minute")(what, (await settled()) / COUNTED));
    }
    const figure = accounts.reduce((sum, { refused }) => sum + refused(), 0);
    say(rowOf("refusals")(`   calls refused by the providers, ${how}`, figure));
  }
  await close();
}

async function play(
  [db, clock]: readonly [Db, AdjustableClock],
  accounts: readonly Account[],
  webhooks: boolean,
) {
  const settings = { current: async () => DEFAULT_SETTINGS, forget: () => {} };
  const providers = accounts.map(({ provider }) => provider);
  const app = createTestApp({ db, clock, providers, settings });
  const asking = createAskingLoop(app);
  const opened: { readonly account: Account; readonly order: Queued; readonly second: number }[] =
    [];
  for (let second = 0; second < 60 * MINUTES; second += 1) {
    clock.advance(1_000);
    for (const account of accounts) {
      const due = Math.floor(account.perSecond * (second + 1));
      for (const order of account.orders.slice(account.opened, due)) {
        if (!(await startPayment(app, await requestOf(db, order, account.id))).ok) break;
        account.opened += 1;
        opened.push({ account, order, second });
      }
    }
    for (const each of opened.filter((one) => one.second + PAID_AFTER_S === second)) {
      const reference = String(each.order.id);
      const secret = each.account.pay(reference);
      const { id } = each.account;
      const now = clock.now();
      if (webhooks) await storeWebhooks(db, [webhookOf(id, reference, now)]);
      // The browser reports the transaction id of a payment in KkiaPay's widget.
      else if (id === "kkiapay") await noteReported(db, { secret, transactionId: reference, now });
    }
    await asking.drain();
    if (second === 60 * (MINUTES - COUNTED)) for (const { count } of accounts) await count();
  }
}

/**
 * An account whose provider refuses calls beyond its rate for a minute, and orders to be paid
 * there.
 */
async function openAccount(db: Db, clock: AdjustableClock, id: ProviderId) {
  const perSecond = (2 * RATES[id]) / 60;
  const count = perSecond * 60 * MINUTES;
  const orders = await queue(db, id, { count, now: clock.now() });
  const secrets = new Map<string, string>();
  const paid = new Set<string>();
  const calls: number[] = [];
  let refused = 0;
  let before = 0;
  const take = (count: number) => {
    const now = clock.now().getTime();
    while (calls[0] !== undefined && calls[0] <= now - MINUTE_MS) calls.shift();
    if (calls.length + count > RATES[id]) {
      refused += 1;
      throw new Outage("too many calls", { party: id, retryable: true, retryAfterMs: MINUTE_MS });
    }
    calls.push(...Array.from({ length: count }, () => now));
  };
  const provider: Pick<PaymentProvider, "id" | "createPayment" | "fetchPayment"> = {
    id,
    async createPayment({ reference, returnUrl }) {
      take(TERMS[id].callsToOpen);
      secrets.set(reference, returnUrl.split("/").at(-1) ?? "");
      const redirectUrl = `https://pay.example/${reference}`;
      return ok({ providerPaymentId: reference, redirectUrl, widget: null, quote: null });
    },
    async fetchPayment({ reference, reportedTransactionIds }) {
      if (id !== "kkiapay" || reportedTransactionIds.length > 0) take(1);
      const status = paid.has(reference) ? "paid" : "pending";
      const said = { amount: PRICE, currency: "XOF", environment: "live", word: status } as const;
      return { ...said, providerPaymentId: reference, status, reference };
    },
  };
  const ids = orders.map((order) => order.id);
  const settled = async () => (await countPaid(db, ids)) - before;
  return {
    id,
    perSecond,
    orders,
    opened: 0,
    provider: provider as PaymentProvider,
    refused: () => refused,
    /** Starts to count the settled orders. */
    count: async () => void (before += await settled()),
    settled,
    /** → the secret of the payment's return address */
    pay(reference: string): string {
      paid.add(reference);
      return secrets.get(reference) ?? "";
    },
  };
}

type Account = Awaited<ReturnType<typeof openAccount>>;

type Queued = { readonly id: bigint; readonly buyer_id: bigint };

/** Makes orders whose payment is not opened yet, each of another buyer. */
async function queue(db: Db, id: ProviderId, { count, now }: { count: number; now: Date }) {
  const { orders } = await sellMany(db, { sellers: 1, buyers: count, orders: count, now });
  await sql`DELETE FROM payment_checks`.execute(db);
  await sql`DELETE FROM payments WHERE order_id >= ${orders[0]}`.execute(db);
  const { rows } = await sql<Queued>`
    UPDATE orders SET provider = ${id} WHERE id >= ${orders[0]} RETURNING id, buyer_id`.execute(db);
  return rows;
}

async function requestOf(db: Db, { id, buyer_id: personId }: Queued, provider: ProviderId) {
  const order = await getOrderToPay(db, id);
  const payer = { personId, email: null, firstName: null, lastName: null, phone: null };
  return { order, account: { provider, keyId: null }, payer, repeats: false };
}

const webhookOf = (provider: ProviderId, reference: string, receivedAt: Date) => ({
  provider,
  keyId: null,
  providerPaymentId: reference,
  reportedTransactionId: provider === "kkiapay" ? reference : null,
  bodyHash: createHash("sha256").update(`${provider} ${reference}`).digest("hex"),
  body: Buffer.from(reference),
  receivedAt,
});
