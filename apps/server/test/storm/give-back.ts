import { type Acts, chore, existing, often, say, type StormState } from "./state.ts";

/** `giver_id`: the seller; of a plan or a trial, its buyer. */
type Refund = Record<"id" | "order_id" | "buyer_id" | "giver_id" | "rail", string> & {
  amount: number;
};

const refunds = (status: string) => (storm: StormState) =>
  storm.sql<Refund>`
    SELECT id::text, order_id::text, buyer_id::text, coalesce(seller_id, buyer_id)::text AS giver_id,
      rail, amount::float8
    FROM refunds WHERE status = ${status} ORDER BY refunds.id
  `;

const paidOrders = (storm: StormState) =>
  storm.sql<Record<"id" | "seller_id", string>>`
    SELECT id::text, seller_id::text FROM orders WHERE status = 'paid'
    ORDER BY orders.id DESC LIMIT 30
  `;

const DISPUTE = { reason: "Litige" };

/** Refunds, and what buyers, sellers, agents and operators do about them. */
export const GIVING_BACK: Acts = {
  "refund by its seller": often(2, async (storm, draw) => {
    const { id, seller_id: seller } = draw.pick(await paidOrders(storm));
    const path = `/api/orders/${id}/refund`;
    return storm.said(storm.people.get(seller), path, { motif: "Erreur" });
  }),
  "refund by an operator": often(2, async (storm, draw) => {
    const { id } = draw.pick(await paidOrders(storm));
    return storm.asOperator(draw, `orders/${id}/refund`, DISPUTE);
  }),
  /** Orders still paid, whose payment its provider, or a bank, has returned whole. */
  "refund what was taken back": chore(
    0,
    (storm) => {
      const taken = storm.cash.filter((cash) => cash.taken === "whole");
      return storm.values<string>`
        SELECT DISTINCT o.id::text FROM orders o JOIN payments p ON p.order_id = o.id
        WHERE o.status = 'paid' AND p.status = 'paid' AND p.suspended_amount IS NULL
          AND p.id = ANY(${taken.map(({ paymentId }) => paymentId)}::bigint[])
          AND o.kind <> 'trial'
      `;
    },
    (storm, draw, id) => storm.asOperator(draw, `orders/${id}/refund`, DISPUTE),
  ),
  "give a number": chore(3, refunds("needs-number"), (storm, _, { buyer_id, order_id }) => {
    const body = { methode: "orange-money-ci", numero: "0701020304" };
    return storm.said(storm.people.get(buyer_id), `/api/orders/${order_id}/refund-number`, body);
  }),
  /** A person who has sent it reports it until the server answers; nobody sends it twice. */
  "send a refund": chore(5, refunds("to-pay"), async (storm, draw, refund) => {
    const { id, order_id: orderId, rail, amount } = refund;
    const path = `/api/desk/refunds/${id}`;
    if (rail === "seller") {
      const proof = { reference: `OWN.${id}` };
      return storm.said(storm.people.get(refund.giver_id), `/api/refunds/${id}/given-back`, proof);
    }
    const agent = draw.pick(storm.agents);
    if (!storm.givenBack.has(id)) {
      storm.inHand.push(orderId);
      const taken = await storm.call(agent, `${path}/take`);
      if (taken.status !== 200) storm.inHand.splice(storm.inHand.indexOf(orderId), 1);
      if (/^refunds\.(returned|unclear)-there$/.test(taken.body.code ?? "")) {
        return storm.asOperator(draw, `refunds/${id}/returned`);
      }
      if (taken.status !== 200) return say(taken);
      storm.givenBack.set(id, { by: agent, amount, isBack: false });
    }
    const { by } = existing(storm.givenBack.get(id));
    return `sent ${await storm.said(by, `${path}/paid`, { reference: `RB.${id}` })}`;
  }),
  "wrong number": often(1, async (storm, draw) => {
    const unsent = (await refunds("to-pay")(storm)).filter(
      ({ id, rail }) => rail === "staff" && !storm.givenBack.has(id),
    );
    const path = `/api/desk/refunds/${draw.pick(unsent).id}/wrong-number`;
    return storm.said(draw.pick(storm.agents), path, { reason: "Numéro inconnu" });
  }),
  "note a fee": often(1, async (storm, draw) => {
    const unknown = await storm.values<string>`
      SELECT id::text FROM refunds WHERE rail = 'returned' AND NOT direct AND provider_fee = 0
      ORDER BY refunds.id DESC LIMIT 3
    `;
    const fee = { montant: 100 + draw.upTo(2_000) };
    return storm.asOperator(draw, `refunds/${draw.pick(unknown)}/fee`, fee);
  }),
};
