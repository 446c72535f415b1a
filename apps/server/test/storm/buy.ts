import { addMs, HOUR_MS } from "@sesame/kernel";
import { EMULATED_KEYS } from "../harness.ts";
import { callHttp } from "../http.ts";
import {
  type Acts,
  BROKEN,
  type Cash,
  chore,
  COLLECTORS,
  existing,
  often,
  order,
  possibly,
  repeatWebhook,
  say,
  type StormState,
  type Try,
} from "./state.ts";

const FAULTS = [...BROKEN, "500", "429"] as const;

/** What buyers do, and providers that collect. */
export const BUYING = {
  order: often(14, (storm, draw) => {
    const buyer = draw.pick(storm.buyers);
    const reference = draw.pick(storm.products);
    const provider = draw.pick(COLLECTORS);
    const amount = reference === storm.products.at(-1) ? { amount: 500 + draw.upTo(3_000) } : {};
    return order(storm, buyer, "/api/orders", { reference, provider, ...amount });
  }),
  /** Mostly the price; sometimes a little more or less, or a refusal. Some pay when all is over. */
  pay: often(20, async (storm, draw) => {
    const open = [...storm.tries.values()].filter(({ paid }) => !paid);
    const tried = draw.oneIn(3) ? draw.pick(open) : draw.pick(open.slice(-8));
    const how = draw.upTo(12);
    const odd = how === 2 ? -1 - draw.upTo(90) : how === 3 ? 1 + draw.upTo(90) : 0;
    const isSilent = draw.oneIn(5);
    const payment = { amount: tried.price + odd, isSilent };
    if (how >= 2) return possibly(() => payWith(storm, tried, payment));
    const { provider, reference, price } = tried;
    const outcome = how === 0 ? "failure" : "cancel";
    if (provider === "kkiapay") openWidget(storm, tried, price);
    return possibly(() => {
      storm.app.emulators.collectors[provider].settle(reference, outcome);
      return `${provider} ${reference} ${outcome}`;
    });
  }),
  /** The widget's address stays valid: somebody pays it again. */
  "pay again": often(2, async (storm, draw) => {
    const cash = draw.pick(storm.cash.filter(({ provider }) => provider === "kkiapay"));
    const tried = existing(storm.tries.get(cash.paymentId));
    const payment = { amount: tried.price, isSilent: false };
    return possibly(() => payWith(storm, tried, payment));
  }),
  /** The same order, with another provider. */
  "try elsewhere": often(3, async (storm, draw) => {
    const open = await storm.sql<Record<"id" | "buyer_id", string>>`
      SELECT id::text, buyer_id::text FROM orders
      WHERE status IN ('pending', 'failed') AND kind <> 'trial' ORDER BY orders.id DESC LIMIT 8
    `;
    const { id, buyer_id: buyer } = draw.pick(open);
    const choice = { provider: draw.pick(COLLECTORS) };
    return order(storm, storm.people.get(buyer), `/api/orders/${id}/payment`, choice);
  }),
  "order a plan": often(2, (storm, draw) => {
    const choice = { plan: "payant", provider: draw.pick(COLLECTORS) };
    return order(storm, draw.pick(storm.sellers), "/api/orders", choice);
  }),
  trial: often(1, (storm) => {
    const seller = storm.collecting;
    return order(storm, seller, `/api/user-aggregators/${seller.id}/fedapay/trial`);
  }),
  /** A provider, or a bank, returns a payment, often one with a refund by hand, and reports it. */
  "take back": often(4, async (storm, draw) => {
    const there = storm.cash.filter(
      ({ taken, provider }) => taken !== "whole" && provider !== "moneroo",
    );
    const refunded = await storm.values<string>`
      SELECT order_id::text FROM refunds WHERE rail = 'staff' AND status <> 'done'
    `;
    const waiting = there.filter(({ orderId }) => refunded.includes(orderId));
    const cash = draw.pick(draw.oneIn(2) ? there : waiting);
    return takeBack(storm, cash, draw.oneIn(4) ? "partly" : "whole");
  }),
  "take the rest back": chore(
    0,
    async ({ cash }) => cash.filter(({ taken }) => taken === "partly"),
    (storm, _, cash) => takeBack(storm, cash, "whole"),
  ),
  /** A provider corrects a wrongly reported amount, unless somebody decides about it now. */
  "put right": often(2, async (storm, draw) => {
    const isWrong = ({ provider, amount, price, taken }: Cash) =>
      provider !== "kkiapay" && amount !== price && taken === "no";
    const cash = draw.pick(storm.cash.filter(isWrong));
    const { paymentId, provider, name, price } = cash;
    return storm.alone(paymentId, async () => {
      const waits = await storm.value<boolean>`
        SELECT decided_as IS NULL AND status = 'mismatched' FROM payments
        WHERE id = ${BigInt(paymentId)}
      `;
      if (!waits) return "decided";
      const collector = storm.app.emulators.collectors[provider];
      repeatWebhook(collector, collector.alter(name, { amount: price }).id);
      cash.amount = price;
      return `${provider} ${cash.reference}`;
    });
  }),
  "trouble at a collector": often(3, async (storm, draw) => {
    const collector = storm.app.emulators.collectors[draw.pick(COLLECTORS)];
    const call = draw.pick(["create", "fetch", "refund"] as const);
    const kind = draw.pick(call === "refund" ? [...FAULTS, "refuse" as const] : FAULTS);
    collector.fault(call, kind, 1 + draw.upTo(3));
    return `${call} ${kind}`;
  }),
  /** One of the three outcomes, for a mismatched payment that waits for a decision. */
  "decide a mismatch": chore(
    2,
    (storm) => storm.values<string>`
      SELECT substr(subject, 9) FROM alerts
      WHERE kind = 'payment.mismatch' AND resolved_at IS NULL ORDER BY 1
    `,
    (storm, draw, id) =>
      storm.alone(id, async () => {
        const here = storm.cash.filter(({ paymentId }) => paymentId === id);
        const one = existing(here.find(({ amount, price }) => amount !== price) ?? here[0]);
        const operator = draw.pick(storm.operators);
        if (one.taken === "partly") await takeBack(storm, one, "whole");
        const outcome = one.taken === "whole" ? "returned" : draw.pick(["honour", "give-back"]);
        const path = `/api/desk/payments/${id}/decide`;
        const body = { outcome, reason: "Vu chez eux" };
        const first = await storm.call(operator, path, body);
        if (first.body.code !== "refunds.received-missing") return `${outcome} ${say(first)}`;
        // Corrected after the rest was in suspense: the refusal names the maximum.
        const montant = await storm.value<number>`
          SELECT least(${one.amount}::float8, suspended_amount::float8) FROM payments
          WHERE id = ${BigInt(id)}
        `;
        return `${outcome} ${montant} ${await storm.said(operator, path, { ...body, montant })}`;
      }),
  ),
} satisfies Acts;

const openWidget = ({ app }: StormState, { reference }: Try, amount: number) =>
  app.emulators.kkiapay.open({ amount, data: reference, partnerId: reference });

/** KkiaPay has no lookup of a payment that no webhook named: it is never silent here. */
function payWith(
  storm: StormState,
  tried: Try,
  { amount, isSilent }: { amount: number; isSilent: boolean },
): string {
  const { provider, reference, price, openedAt } = tried;
  const { collectors, kkiapay } = storm.app.emulators;
  const isYoung = storm.app.clock.now() < addMs(openedAt, 40 * HOUR_MS);
  const opening = provider === "kkiapay" ? openWidget(storm, tried, amount) : null;
  const name = opening?.id ?? reference;
  const silent = isSilent && isYoung && !opening;
  collectors[provider].settle(name, "success", { silent });
  if (!opening && amount !== price) collectors[provider].alter(name, { amount });
  const fee = (opening && kkiapay.lastTry(opening)?.fees) ?? 0;
  tried.paid = true;
  storm.cash.push({ ...tried, name, amount, fee, taken: "no", isLate: false });
  return `${provider} ${reference} ${amount}${silent ? " silently" : ""}`;
}

async function takeBack(storm: StormState, cash: Cash, how: "partly" | "whole"): Promise<string> {
  const { provider, name, reference } = cash;
  cash.isLate ||= storm.inHand.includes(cash.orderId);
  if (provider === "kkiapay") return revert(storm, cash);
  const status = how === "whole" ? "refunded" : "approved_partially_refunded";
  // FedaPay's webhook comes in its own time, KkiaPay's below before this act ends.
  storm.app.emulators.collectors[provider].alter(name, { status }, { announced: true });
  cash.taken = how;
  return `${provider} ${reference} ${how}`;
}

/** As in KkiaPay's own dashboard, which may fail too; the webhook is sent until it is accepted. */
async function revert({ app }: StormState, cash: Cash): Promise<string> {
  const { publicKey, privateKey, secretKey, webhookSecret } = EMULATED_KEYS.kkiapay;
  const find = () => app.emulators.kkiapay.find(cash.name);
  const transactionId = find()?.transactionId;
  if (find()?.status !== "paid") return "gone";
  const url = `${app.emulators.apiRoot}/api/v1/transactions/revert`;
  const headers = {
    "x-api-key": publicKey,
    "x-private-key": privateKey,
    "x-secret-key": secretKey,
  };
  await callHttp({ method: "POST", url }, { headers, body: { transactionId } }).catch(() => {});
  if (find()?.status !== "refunded") return "not now";
  cash.taken = "whole";
  const said = { transactionId, stateData: cash.reference, event: "transaction.refunded" };
  const webhook = { headers: { "x-kkiapay-secret": webhookSecret }, body: said };
  for (let tries = 0, status = 0; tries < 20 && status !== 200; tries++) {
    ({ status } = await app.call("POST", "/webhooks/kkiapay", webhook));
  }
  return `kkiapay ${cash.reference} whole`;
}
