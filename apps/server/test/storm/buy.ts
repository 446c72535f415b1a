import { HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { EMULATED_KEYS } from "../harness.ts";
import { WEBHOOKS } from "../payments.ts";
import {
  type Cash,
  type StormAction,
  type Draw,
  order,
  say,
  COLLECTORS,
  type StormState,
  type Try,
} from "./state.ts";

const collectorOf = ({ app }: StormState, provider: Try["provider"]) =>
  app.emulators.collectors[provider];

export const buy: StormAction = async (storm, draw) => {
  const buyer = draw.pick(storm.buyers);
  const product = draw.pick(storm.products);
  const provider = draw.pick(COLLECTORS);
  const amount = product === storm.products.at(-1) ? { amount: 500 + draw.upTo(3_000) } : {};
  return order(storm, buyer, "/api/orders", { reference: product, provider, ...amount });
};

/** The same order, with another provider. */
export const tryElsewhere: StormAction = async (storm, draw) => {
  const [found] = await storm.rows(sql<{ id: string; buyer_id: string }>`
    SELECT id::text, buyer_id::text FROM orders
    WHERE status IN ('pending', 'failed') AND kind <> 'trial'
    ORDER BY orders.id DESC OFFSET ${draw.upTo(8)} LIMIT 1
  `);
  if (!found) return "nothing";
  const choice = { provider: draw.pick(COLLECTORS) };
  const buyer = storm.people.get(found.buyer_id);
  return order(storm, buyer, `/api/orders/${found.id}/payment`, choice, found.id);
};

export const orderPlan: StormAction = (storm, draw) => {
  const seller = draw.pick(storm.sellers);
  return order(storm, seller, "/api/orders", { plan: "payant", provider: draw.pick(COLLECTORS) });
};

export const trial: StormAction = (storm) => {
  const seller = storm.sellers[2];
  return order(storm, seller, `/api/user-aggregators/${seller?.id}/fedapay/trial`);
};

/** Mostly the price; sometimes a little more or less, or a refusal. Some pay when all is over. */
export const pay: StormAction = async (storm, draw) => {
  const open = storm.tries.filter(({ paid }) => !paid);
  const tried = draw.oneIn(3) ? draw.pick(open) : draw.pick(open.slice(-8));
  const how = draw.upTo(12);
  const odd = how === 2 ? -1 - draw.upTo(90) : how === 3 ? 1 + draw.upTo(90) : 0;
  const isSilent = draw.oneIn(5);
  if (!tried) return "nothing";
  if (how < 2) return refuse(storm, tried, how === 0 ? "failure" : "cancel");
  return payWith(storm, tried, { amount: tried.price + odd, isSilent });
};

function refuse(storm: StormState, tried: Try, outcome: "failure" | "cancel"): string {
  const collector = collectorOf(storm, tried.provider);
  return possibly(() => {
    if (tried.provider === "kkiapay") openWidget(storm, tried, tried.price);
    collector.settle(tried.reference, outcome);
    return `${tried.provider} ${tried.reference} ${outcome}`;
  });
}

/** KkiaPay has no lookup of a payment that no webhook named: it is never silent here. */
function payWith(
  storm: StormState,
  tried: Try,
  { amount, isSilent }: { amount: number; isSilent: boolean },
): string {
  const { openedAt: _, paid: __, ...seen } = tried;
  const { provider, reference, price } = seen;
  const collector = collectorOf(storm, provider);
  const isYoung = storm.app.clock.now().getTime() < tried.openedAt + 40 * HOUR_MS;
  return possibly(() => {
    const opening = provider === "kkiapay" ? openWidget(storm, tried, amount) : null;
    const name = opening?.id ?? reference;
    const silent = isSilent && isYoung && !opening;
    collector.settle(name, "success", { silent });
    if (!opening && amount !== price) collector.alter(name, { amount });
    const fee = (opening && storm.app.emulators.kkiapay.lastTry(opening)?.fees) ?? 0;
    tried.paid = true;
    storm.cash.push({ ...seen, name, amount, fee, taken: "no", isLate: false });
    return `${provider} ${reference} ${amount}${silent ? " silently" : ""}`;
  });
}

const openWidget = ({ app }: StormState, { reference }: Try, amount: number) =>
  app.emulators.kkiapay.open({ amount, data: reference, partnerId: reference });

/** An action that the emulators refuse does not happen. */
export function possibly(act: () => string): string {
  try {
    return act();
  } catch (error) {
    if (error instanceof Error && error.constructor.name === "NotPossible") return error.message;
    throw error;
  }
}

/** The widget's address stays valid: somebody pays it again. */
export const payAgain: StormAction = async (storm, draw) => {
  const cash = draw.pick(storm.cash.filter(({ provider }) => provider === "kkiapay"));
  const tried = storm.tries.find(({ paymentId }) => paymentId === cash?.paymentId);
  return tried ? payWith(storm, tried, { amount: tried.price, isSilent: false }) : "nothing";
};

/** A provider, or a bank, returns a payment, often one with a refund by hand, and reports it. */
export const takeBack: StormAction = async (storm, draw) => {
  const there = storm.cash.filter((each) => each.taken !== "whole" && each.provider !== "moneroo");
  const rows = await storm.rows(sql<{ id: bigint }>`
    SELECT order_id AS id FROM refunds WHERE rail = 'staff' AND status <> 'done'
  `);
  const waiting = there.filter(({ orderId }) => rows.some(({ id }) => String(id) === orderId));
  const cash = draw.oneIn(2) ? draw.pick(there) : draw.pick(waiting);
  return cash ? takeBackNow(storm, cash, draw.oneIn(4) ? "partly" : "whole") : "nothing";
};

export async function takeBackNow(storm: StormState, cash: Cash, how: "partly" | "whole") {
  const collector = collectorOf(storm, cash.provider);
  cash.isLate ||= storm.inHand.includes(cash.orderId);
  if (cash.provider === "kkiapay") {
    const id = collector.find(cash.name)?.transactionId ?? "";
    if (collector.find(cash.name)?.status !== "paid") return "gone";
    await revert(storm, id);
    if (collector.find(cash.name)?.status !== "refunded") return "not now";
  } else {
    const status = how === "whole" ? "refunded" : "approved_partially_refunded";
    collector.alter(cash.name, { status });
  }
  cash.taken = cash.provider === "kkiapay" ? "whole" : how;
  await notify(storm, cash);
  return `${cash.provider} ${cash.reference} ${cash.taken}`;
}

/** A signed webhook about a payment to look up: sent until it is accepted. */
async function notify(storm: StormState, { provider, name, reference }: Cash): Promise<void> {
  const { app } = storm;
  const seen = collectorOf(storm, provider).find(name);
  const event =
    provider === "kkiapay"
      ? { transactionId: seen?.transactionId, stateData: reference, partnerId: reference }
      : { name: "transaction.refunded", object: "transaction", entity: { id: Number(seen?.id) } };
  const said = JSON.stringify({ ...event, event: "transaction.refunded" });
  const { headers, body } = WEBHOOKS[provider]?.sign(said, app.clock.now()) ?? {
    headers: {},
    body: "",
  };
  for (let tries = 0; tries < 20; tries++) {
    const { status } = await app.call("POST", `/webhooks/${provider}`, { headers, body });
    if (status === 200) return;
  }
}

/** As in KkiaPay's own dashboard, which may fail too. */
async function revert({ app }: StormState, transactionId: string): Promise<void> {
  await fetch(`${app.emulators.apiRoot}/api/v1/transactions/revert`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "x-api-key": EMULATED_KEYS.kkiapay.publicKey,
      "x-private-key": EMULATED_KEYS.kkiapay.privateKey,
      "x-secret-key": EMULATED_KEYS.kkiapay.secretKey,
    },
    body: JSON.stringify({ transactionId }),
  }).catch(() => {});
}

/** The provider's last webhook about it comes once more: signed, it causes another lookup. */
function notifyAgain(storm: StormState, { provider, name }: Pick<Cash, "provider" | "name">): void {
  const collector = collectorOf(storm, provider);
  const seen = collector.find(name);
  const names = [seen?.id, seen?.transactionId];
  const webhook = collector.webhookViews().findLast(({ paymentId }) => names.includes(paymentId));
  if (webhook) collector.repeatWebhook(webhook.id);
}

/** A provider corrects a wrongly reported amount, unless somebody decides about it now. */
export const putRight: StormAction = async (storm, draw) => {
  const cash = draw.pick(
    storm.cash.filter(
      (each) => each.provider !== "kkiapay" && each.amount !== each.price && each.taken === "no",
    ),
  );
  if (!cash) return "nothing";
  return storm.alone(cash.paymentId, async () => {
    const [payment] = await storm.rows(sql<{ decided_as: string | null; status: string }>`
      SELECT decided_as, status FROM payments WHERE id = ${BigInt(cash.paymentId)}
    `);
    if (payment?.decided_as !== null || payment.status !== "mismatched") return "decided";
    collectorOf(storm, cash.provider).alter(cash.name, { amount: cash.price });
    cash.amount = cash.price;
    notifyAgain(storm, cash);
    return `${cash.provider} ${cash.reference}`;
  });
};

export const trouble: StormAction = async (storm, draw) => {
  const collector = collectorOf(storm, draw.pick(COLLECTORS) ?? "kkiapay");
  const call = draw.pick(["create", "fetch", "refund"] as const) ?? "fetch";
  const kinds = ["timeout-before", "timeout-after", "500", "500-after", "429", "nonsense"] as const;
  const kind = draw.pick(call === "refund" ? [...kinds, "refuse" as const] : kinds) ?? "500";
  collector.fault(call, kind, 1 + draw.upTo(3));
  return `${call} ${kind}`;
};

/** One of the three outcomes, for a mismatched payment that waits for a decision. */
export function decide(storm: StormState, draw: Draw, paymentId: bigint): Promise<string> {
  const id = String(paymentId);
  return storm.alone(id, async () => {
    const cash = storm.cash.filter((each) => each.paymentId === id && each.amount !== each.price);
    const one = cash[0] ?? storm.cash.find((each) => each.paymentId === id);
    const operator = draw.pick(storm.operators);
    if (!one || !operator) return "nothing";
    if (one.taken === "partly") await takeBackNow(storm, one, "whole");
    const outcome = one.taken === "whole" ? "returned" : draw.pick(["honour", "give-back"]);
    const path = `/api/desk/payments/${id}/decide`;
    const reason = "Vu chez eux";
    const first = await storm.call(operator, "POST", path, { outcome, reason });
    if (first.code !== "refunds.received-missing") return `${outcome} ${say(first)}`;
    const [aside] = await storm.rows(sql<{ francs: number | null }>`
      SELECT suspended_amount::float8 AS francs FROM payments WHERE id = ${paymentId}
    `);
    // Corrected after the rest was in suspense: the refusal names the maximum.
    const montant = Math.min(one.amount, aside?.francs ?? one.amount);
    const counted = { outcome, reason, montant };
    return `${outcome} ${montant} ${await storm.said(operator, "POST", path, counted)}`;
  });
}

export const mismatches = (storm: StormState) =>
  storm.rows(sql<{ id: bigint }>`
    SELECT substr(subject, 9)::bigint AS id FROM alerts
    WHERE kind = 'payment.mismatch' AND resolved_at IS NULL ORDER BY id
  `);

export const decideSome: StormAction = async (storm, draw) => {
  const found = draw.pick(await mismatches(storm));
  return found ? decide(storm, draw, found.id) : "nothing";
};
