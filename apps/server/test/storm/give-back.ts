import { sql } from "kysely";
import { type StormAction, say, type Someone, type StormState } from "./state.ts";

type Refund = Record<"id" | "order_id" | "payment_id" | "buyer_id" | "amount", bigint> &
  Record<"rail" | "status", string> & { seller_id: bigint | null };

export const refunds = (storm: StormState) =>
  storm.rows(sql<Refund>`
    SELECT id, order_id, payment_id, buyer_id, seller_id, rail, status, amount FROM refunds
    WHERE status <> 'done' ORDER BY id
  `);

const paidOrders = (storm: StormState) =>
  storm.rows(sql<{ id: bigint; seller_id: bigint | null }>`
    SELECT id, seller_id FROM orders WHERE status = 'paid' ORDER BY id DESC LIMIT 30
  `);

export const bySeller: StormAction = async (storm, draw) => {
  const order = draw.pick(await paidOrders(storm));
  const seller = storm.people.get(String(order?.seller_id));
  return storm.said(seller, "POST", `/api/orders/${order?.id}/refund`, { motif: "Erreur" });
};

export const byOperator: StormAction = async (storm, draw) => {
  const order = draw.pick(await paidOrders(storm));
  const operator = draw.pick(storm.operators);
  return order ? refundAs(storm, operator, order.id) : "nothing";
};

export const refundAs = (storm: StormState, operator: Someone | undefined, orderId: bigint) =>
  storm.said(operator, "POST", `/api/desk/orders/${orderId}/refund`, { reason: "Litige" });

export const giveNumber: StormAction = async (storm, draw) => {
  const waiting = (await refunds(storm)).filter(({ status }) => status === "needs-number");
  const refund = draw.pick(waiting);
  return refund ? giveNumberOf(storm, refund) : "nothing";
};

export function giveNumberOf(storm: StormState, { buyer_id, order_id }: Refund): Promise<string> {
  const body = { methode: "orange-money-ci", numero: "0701020304" };
  const buyer = storm.people.get(String(buyer_id));
  return storm.said(buyer, "POST", `/api/orders/${order_id}/refund-number`, body);
}

/** What an agent, a seller or an operator does about a refund by hand. */
export const handle: StormAction = async (storm, draw) => {
  const refund = draw.pick((await refunds(storm)).filter(({ status }) => status === "to-pay"));
  const agent = draw.pick(storm.agents);
  const wrong = draw.oneIn(8);
  if (!refund || !agent) return "nothing";
  if (!wrong || refund.rail !== "staff" || storm.givenBack.has(String(refund.id))) {
    return handleOne(storm, agent, refund);
  }
  const path = `/api/desk/refunds/${refund.id}/wrong-number`;
  return storm.said(agent, "POST", path, { reason: "Numéro inconnu" });
};

/** A person who has sent it reports it until the server answers; nobody sends it twice. */
export async function handleOne(storm: StormState, agent: Someone, refund: Refund) {
  const key = String(refund.id);
  const path = `/api/desk/refunds/${refund.id}`;
  if (refund.rail === "seller") {
    const seller = storm.people.get(String(refund.seller_id ?? refund.buyer_id));
    const proof = { reference: `OWN.${key}` };
    return storm.said(seller, "POST", `/api/refunds/${refund.id}/given-back`, proof);
  }
  const known = storm.givenBack.get(key);
  if (!known) {
    storm.inHand.push(String(refund.order_id));
    const taken = await storm.call(agent, "POST", `${path}/take`);
    if (taken.status !== 200) storm.inHand.splice(storm.inHand.indexOf(String(refund.order_id)), 1);
    if (taken.code === "refunds.returned-there" || taken.code === "refunds.unclear-there") {
      return storm.said(storm.operators[0], "POST", `${path}/returned`);
    }
    if (taken.status !== 200) return say(taken);
    storm.givenBack.set(key, { by: agent, reference: `RB.${key}`, amount: Number(refund.amount) });
  }
  const { by, reference } = storm.givenBack.get(key) ?? { by: agent, reference: "" };
  return `sent ${await storm.said(by, "POST", `${path}/paid`, { reference })}`;
}

export const note: StormAction = async (storm, draw) => {
  const [found] = await storm.rows(sql<{ id: bigint }>`
    SELECT id FROM refunds WHERE rail = 'returned' AND NOT direct AND provider_fee = 0
    ORDER BY id DESC OFFSET ${draw.upTo(3)} LIMIT 1
  `);
  const operator = draw.pick(storm.operators);
  if (!found) return "nothing";
  const body = { montant: 100 + draw.upTo(2_000) };
  return storm.said(operator, "POST", `/api/desk/refunds/${found.id}/fee`, body);
};
