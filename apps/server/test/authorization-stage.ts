import type { ClaimAnswer } from "@sesame/contract/claims";
import type { TicketAnswer } from "@sesame/contract/support";
import { assert, DAY_MS } from "@sesame/kernel";
import type { Stage, TestRole } from "./authorization.table.ts";
import { createDevelopersStage } from "./developers-stage.ts";
import { askWithdrawal, fundSeller } from "./funds.ts";
import { AGENT_ID, OPERATOR_ID, type TestApp } from "./harness.ts";
import { orderProduct, publishProduct } from "./stage.ts";

export type TokensByRole = Readonly<Record<TestRole, string | null>>;

/** Something of each kind, and a caller of each role: what every route can be played on. */
export async function openAuthorizationStage(
  app: TestApp,
): Promise<{ stage: Stage; tokens: TokensByRole; key: string }> {
  const expired = await app.signInSeller();
  app.clock.advance(40 * DAY_MS);
  const seller = await app.signInSeller();
  const buyer = await app.signInBuyer();
  const group = await app.linkGroup(seller);
  const product = await publishProduct(app, { seller, group });
  const order = await orderProduct(app, buyer, product.reference);
  await fundSeller(app, seller, 10_000, "premium");
  const body = { keys: app.world.merchants.fedapay.open().keys };
  const own = `/api/user-aggregators/${seller.id}/fedapay`;
  const opened = await app.call("PUT", own, { token: seller.token, body });
  assert(opened.status === 200, `the seller's own account answered ${opened.status}`);
  const withdrawal = await askWithdrawal(app, seller);
  const claimed = await app.call<ClaimAnswer>("POST", `/api/orders/${order.id}/claim`, {
    token: buyer.token,
    body: { motif: "paid-not-confirmed" },
  });
  const { claim } = claimed.body;
  const asked = await app.call<TicketAnswer>("POST", "/api/support/tickets", {
    token: seller.token,
    body: { sujet: "other", message: "Une question sur mon compte" },
  });
  const { ticket } = asked.body;
  const developers = createDevelopersStage(app);
  const { key: developerKey, secret } = await developers.createKey(seller);
  const { endpoint } = await developers.listen(seller, "matrix");
  const delivery = await developers.ping(seller, endpoint.id);
  await app.drain();
  const developed = { developerKey, endpoint, delivery };
  const stage = { seller, buyer, group, product, order, withdrawal, claim, ticket, ...developed };
  const tokens = {
    none: null,
    expired: expired.token,
    forged: "A".repeat(43),
    buyer: buyer.token,
    seller: seller.token,
    "other seller": (await app.signInSeller()).token,
    agent: (await app.signInSeller({ id: AGENT_ID, first_name: "Agent" })).token,
    operator: (await app.signInSeller({ id: OPERATOR_ID, first_name: "Opérateur" })).token,
  };
  return { stage, tokens, key: secret };
}
