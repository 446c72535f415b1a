import { sql } from "kysely";
import { type StormAction, say, type Someone, type StormState } from "./state.ts";

type Refund = {
  id: bigint;
  order_id: bigint;
  payment_id: bigint;
  buyer_id: bigint;
  seller_id: bigint | null;
  rail: string;
  status: string;
  amount: bigint;
};

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
  if (!order || !seller) return "nothing";
  return say(
    await storm.call(seller, "POST", `/api/orders/${order.id}/refund`, { motif: "Erreur" }),
  );
};

export const byOperator: StormAction = async (storm, draw) => {
  const order = draw.pick(await paidOrders(storm));
  const operator = draw.pick(storm.operators);
  return order && operator ? refundAs(storm, operator, order.id) : "nothing";
};

export const refundAs = async (
  storm: StormState,
  operator: Someone,
  orderId: bigint,
): Promise<string> =>
  say(
    await storm.call(operator, "POST", `/api/desk/orders/${orderId}/refund`, { reason: "Litige" }),
  );

export const giveNumber: StormAction = async (storm, draw) => {
  const refund = draw.pick(
    (await refunds(storm)).filter(({ status }) => status === "needs-number"),
  );
  return refund ? giveNumberOf(storm, refund) : "nothing";
};

export async function giveNumberOf(storm: StormState, refund: Refund): Promise<string> {
  const buyer = storm.people.get(String(refund.buyer_id));
  if (!buyer) return "nobody";
  const body = { methode: "orange-money-ci", numero: "0701020304" };
  return say(await storm.call(buyer, "POST", `/api/orders/${refund.order_id}/refund-number`, body));
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
  return say(await storm.call(agent, "POST", path, { reason: "Numéro inconnu" }));
};

/** A person who has sent it reports it until the server answers; nobody sends it twice. */
export async function handleOne(
  storm: StormState,
  agent: Someone,
  refund: Refund,
): Promise<string> {
  const key = String(refund.id);
  const path = `/api/desk/refunds/${refund.id}`;
  if (refund.rail === "seller") {
    const seller = storm.people.get(String(refund.seller_id ?? refund.buyer_id));
    if (!seller) return "nobody";
    const proof = { reference: `OWN.${key}` };
    return say(await storm.call(seller, "POST", `/api/refunds/${refund.id}/given-back`, proof));
  }
  const known = storm.givenBack.get(key);
  if (!known) {
    storm.inHand.push(String(refund.order_id));
    const taken = await storm.call(agent, "POST", `${path}/take`);
    if (taken.status !== 200) storm.inHand.splice(storm.inHand.indexOf(String(refund.order_id)), 1);
    if (taken.code === "refunds.returned-there" || taken.code === "refunds.unclear-there") {
      const [operator] = storm.operators;
      return operator ? say(await storm.call(operator, "POST", `${path}/returned`)) : "nobody";
    }
    if (taken.status !== 200) return say(taken);
    storm.givenBack.set(key, { by: agent, reference: `RB.${key}`, amount: Number(refund.amount) });
  }
  const { by, reference } = storm.givenBack.get(key) ?? { by: agent, reference: "" };
  return `sent ${say(await storm.call(by, "POST", `${path}/paid`, { reference }))}`;
}

export const note: StormAction = async (storm, draw) => {
  const [found] = await storm.rows(sql<{ id: bigint }>`
    SELECT id FROM refunds WHERE rail = 'returned' AND NOT direct AND provider_fee = 0
    ORDER BY id DESC OFFSET ${draw.upTo(3)} LIMIT 1
  `);
  const operator = draw.pick(storm.operators);
  if (!found || !operator) return "nothing";
  const body = { montant: 100 + draw.upTo(2_000) };
  return say(await storm.call(operator, "POST", `/api/desk/refunds/${found.id}/fee`, body));
};
