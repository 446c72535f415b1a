import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import type { AnswerOf } from "@sesame/contract/routes";
import { DAY_MS } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fundSeller, REQUEST } from "../../../test/funds.ts";
import { createGroupFixtures, leaveGroups, type Shop } from "../../../test/groups.ts";
import { type SignedInBuyer, startTestApp } from "../../../test/harness.ts";
import { buyProduct, orderProduct } from "../../../test/sales.ts";
import { dayIn, inFrench, lastLogged } from "../../../test/tables.ts";
import { createStaffFixtures, STAFF_ENV } from "../../../test/withdrawals.ts";
import { checkChain } from "../../audit/audit.store.ts";

let shop: Shop;
let operator: SignedInBuyer;
let logged: bigint;

const app = await startTestApp({ env: STAFF_ENV });
const fixture = createStaffFixtures(app);
const { openShop, buyerInside, memberStatus, buyerInTouch, advance } = createGroupFixtures(app);
beforeEach(async () => {
  await leaveGroups(app);
  shop = await openShop();
  operator = await fixture.operator(0);
  logged = await lastLogged(app.db);
});
afterEach(async () => {
  expect(await checkChain(app.db)).toEqual([]);
  expect(app.takeErrors()).toEqual([]);
});

const REASON = "Contenu <b>signalé</b>";
const until = (day: string) => ({ reason: REASON, review_at: day });
const upTo = (days: number) => until(dayIn(app.clock, days));

type Answer = AnswerOf<"GET /api/desk/sellers/:id"> & { code?: string; message?: string };

const measure = (act: string, body: Record<string, unknown> = upTo(15), who = operator) =>
  fixture.call<Answer>(who, `/sellers/${shop.seller.id}/${act}`, { method: "POST", body });

async function productId(): Promise<string> {
  const rows = await app.sql<{ id: bigint }>`
    SELECT id FROM products WHERE reference = ${shop.reference}`;
  return String(rows[0]?.id);
}

async function orderAs(buyer: SignedInBuyer): Promise<{ status: number; code: unknown }> {
  const body = { reference: shop.reference, provider: "moneroo" };
  const { status, body: said } = await app.send("POST /api/orders", buyer, body);
  return { status, code: said["code"] };
}

type Caller = { readonly token: string };
const orderByFedapay = async (who: Caller, what: object = { reference: shop.reference }) =>
  (await app.done("POST /api/orders", who, { ...what, provider: "fedapay" })).id;
const refundByOperator = async (id: string) => {
  const reason = "Compte fermé";
  return (await app.done("POST /api/desk/orders/:id/refund", operator, { id, reason })).order
    .status;
};

async function page(): Promise<Pick<PublicProductOnWire, "status" | "unavailable">> {
  const path = `/api/public/products/${shop.reference}`;
  const { body } = await app.call<PublicProductOnWire>("GET", path);
  return { status: body.status, unavailable: body.unavailable };
}

async function ask(): Promise<{ status: number; message: unknown; code: unknown }> {
  const { status, body } = await app.send("POST /api/users/retrait/demande", shop.seller, REQUEST);
  return { status, message: body["message"], code: body["code"] };
}

const saidToSeller = () => app.lastTo(shop.seller.person.id, "seller").text;

describe("a suspended seller", () => {
  test("sells nothing, gets the reason and the review day, and his buyers stay inside", async () => {
    const inside = await buyerInside(shop);
    expect((await measure("suspend")).body.seller.suspended).toMatchObject({
      reason: REASON,
      by: "operator",
      review_at: `${dayIn(app.clock, 15)}T00:00:00.000Z`,
    });
    const refusal = { status: 422, code: "checkout.suspended" };
    expect(await orderAs(await app.signInBuyer())).toEqual(refusal);
    expect(await page()).toEqual({ status: "pending", unavailable: "suspended" });
    await app.drain();
    expect(saidToSeller()).toContain("Contenu <b>signalé</b>");
    expect(saidToSeller()).toContain(inFrench(dayIn(app.clock, 15)));
    expect(memberStatus(shop, inside.buyer.person.id)).toBe("member");
    await fundSeller(app, shop.seller, 5_000, "free");
    expect(await ask()).toMatchObject({ code: "withdrawals.seller-suspended" });
    const resumed = await measure("resume", { reason: "Contenu retiré" });
    expect(resumed.body.seller.suspended).toBeNull();
    expect(await page()).toEqual({ status: "active", unavailable: undefined });
    expect((await orderAs(await app.signInBuyer())).status).toBe(201);
  });

  test("whose buyer was paying when it came is paid all the same", async () => {
    const buyer = await buyerInTouch();
    const { id } = await orderProduct(app, buyer, shop.reference);
    await measure("suspend");
    await app.pay("moneroo", id);
    expect(await app.read("GET /api/orders/:id", buyer, { id })).toMatchObject({ status: "paid" });
  });

  test("is an audit entry with the state before and after", async () => {
    await measure("suspend");
    await measure("resume", { reason: "Contenu retiré" });
    const rows = await app.sql`
      SELECT actor_role, action, subject, reason, before, after FROM audit_log
      WHERE seq > ${logged} ORDER BY seq`;
    const subject = `seller:${shop.seller.id}`;
    expect(rows).toMatchObject([
      {
        actor_role: "operator",
        action: "seller.suspend",
        subject,
        reason: REASON,
        before: { suspended_at: null },
        after: {
          at: app.clock.now().toISOString(),
          review_at: `${dayIn(app.clock, 15)}T00:00:00.000Z`,
        },
      },
      {
        action: "seller.resume",
        subject,
        reason: "Contenu retiré",
        before: { suspended_at: app.clock.now().toISOString() },
        after: { at: null },
      },
    ]);
  });
});

test("a suspended product is not sold while the others are", async () => {
  const path = `/products/${await productId()}`;
  const { body } = await fixture.call<Answer>(operator, `${path}/suspend`, {
    method: "POST",
    body: upTo(15),
  });
  expect(body.seller.products).toMatchObject([
    { suspended: { reason: REASON }, on_sale: false, may: { resume: { allowed: true } } },
  ]);
  expect((await orderAs(await app.signInBuyer())).code).toBe("checkout.suspended");
  expect(await page()).toMatchObject({ unavailable: "suspended" });
  const { body: own } = await app.call("GET", "/api/products", shop.seller);
  expect(own).toMatchObject([
    { status: "pending", status_reason: expect.stringContaining("suspendu") },
  ]);
  await fixture.call(operator, `${path}/resume`, { method: "POST", body: { reason: "Corrigé" } });
  expect((await orderAs(await app.signInBuyer())).status).toBe(201);
});

test("frozen payouts refuse requests with the reason the seller reads, and leave sales open", async () => {
  await fundSeller(app, shop.seller, 5_000, "free");
  expect((await measure("freeze")).body.seller.frozen).toMatchObject({ by: "operator" });
  expect(await ask()).toMatchObject({
    code: "withdrawals.payouts-frozen",
    message: expect.stringContaining(REASON),
  });
  expect((await orderAs(await app.signInBuyer())).status).toBe(201);
  expect((await measure("freeze")).body.code).toBe("desk.already-frozen");
  await measure("unfreeze", { reason: "Identité vérifiée" });
  expect((await ask()).status).toBe(201);
});

describe("a measure", () => {
  test("is an operator's, and never about oneself", async () => {
    const agent = await fixture.agent(0);
    expect((await measure("suspend", upTo(15), agent)).status).toBe(403);
    const own = await app.signInSeller(operator.person);
    for (const act of ["suspend", "resume", "freeze", "unfreeze", "reopen"]) {
      const path = `/sellers/${own.id}/${act}`;
      const answer = await fixture.call<Answer>(operator, path, { method: "POST", body: upTo(15) });
      expect(answer).toMatchObject({ status: 403, body: { code: "desk.own-account" } });
    }
    const { body } = await fixture.call<Answer>(operator, `/sellers/${own.id}`);
    expect(body.seller.may.unfreeze).toMatchObject({ allowed: false });
    expect(body.seller.may.unfreeze.reason).toContain("votre propre compte");
  });

  test.each<[string, () => Record<string, unknown>, string]>([
    ["no reason", () => ({ review_at: dayIn(app.clock, 15) }), "desk.reason-missing"],
    ["a reason that is no text", () => ({ ...upTo(15), reason: { a: 1 } }), "desk.reason-missing"],
    ["a book of reasons", () => ({ ...upTo(15), reason: "x".repeat(501) }), "desk.reason-too-long"],
    ["no review", () => ({ reason: "Vérification" }), "desk.review-missing"],
    ["a review of no calendar", () => until("2026-13-01"), "desk.review-missing"],
    ["a review today", () => upTo(0), "desk.review-out-of-range"],
    ["a review in two years", () => upTo(731), "desk.review-out-of-range"],
  ])("is refused with %s", async (_what, body, code) => {
    for (const act of ["suspend", "freeze"]) {
      expect(await measure(act, body())).toMatchObject({ status: 422, body: { code } });
    }
    expect((await measure("resume")).body.code).toBe("desk.not-suspended");
  });

  test("taken twice at once is taken once", async () => {
    const second = await fixture.operator(1);
    const answers = await Promise.all(
      [operator, second].map((who) => measure("suspend", upTo(15), who)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test("the details of a seller show his money, sales, requests, groups, products, alerts and audit entries", async () => {
  await buyProduct(app, await buyerInTouch(), shop.reference);
  const request = await fixture.request({ seller: shop.seller, plan: "free", amount: 2_000 });
  await measure("suspend");
  const agent = await fixture.agent(0);
  const { body } = await fixture.call<Answer>(agent, `/sellers/${shop.seller.id}`);
  expect(body.seller).toMatchObject({
    id: shop.seller.id,
    balances: { gratuit: { posted: 6_100, held: 2_000, available: 4_100 } },
    holds: [{ id: request.id, amount: 2_000 }],
    sales: { count: 1, gross: 5_000, net: 4_100, running_accesses: 1 },
    last_sales: [{ amount: 5_000, status: "paid" }],
    withdrawals: [{ id: request.id, status: "pending" }],
    groups: [{ title: "Club VIP", healthy: true }],
    products: [{ reference: shop.reference, reports: 0, sales_30_days: 1 }],
    may: { suspend: { allowed: false, reason: "Réservé aux opérateurs." } },
  });
  expect(body.seller.audit.map(({ label }) => label)).toContain("Vendeur suspendu");
  const none = await fixture.call(agent, "/sellers/999999999");
  expect(none.status).toBe(404);
});

describe("a seller who closes his account", () => {
  const close = (body: object = { confirm: true }) =>
    app.send("POST /api/users/close", shop.seller, body);

  test("gets a list of what remains in it", async () => {
    const buyer = await buyerInTouch();
    await buyProduct(app, buyer, shop.reference);
    await orderAs(await app.signInBuyer());
    await fixture.request({ seller: shop.seller, plan: "free", amount: 2_000 });
    const { status, body } = await close();
    expect(status).toBe(409);
    expect(String(body["message"]).replace(/[\u202f\u00a0]/g, " ")).toBe(
      `Votre compte ne peut pas encore être fermé : il reste 6 100 FCFA à retirer ; 2 000 FCFA sont réservés ; 1 retrait en cours ; 1 accès en cours, jusqu'au ${inFrench(dayIn(app.clock, 1))} ; 1 paiement en attente de réponse.`,
    );
  });

  test("waits for open payments, though their order failed: of his sales, and of his plan", async () => {
    const buyer = await app.signInBuyer();
    const id = await orderByFedapay(buyer);
    app.emulators.collectors.fedapay.settle(id, "failure");
    await app.drain();
    const asked = await app.call<{ status: string }>("GET", `/api/orders/${id}`, buyer);
    expect(asked.body.status).toBe("failed");
    expect(String((await close()).body["message"])).toContain("1 paiement en attente de réponse");
    await app.sql`DELETE FROM payment_checks`;
    await orderByFedapay(shop.seller, { plan: "payant" });
    expect(String((await close()).body["message"])).toContain("1 paiement en attente de réponse");
  });

  test("waits until the refund of his plan has reached him", async () => {
    const id = await orderByFedapay(shop.seller, { plan: "payant" });
    await app.pay("fedapay", id);
    expect(await refundByOperator(id)).toBe("refunded");
    expect(String((await close()).body["message"])).toContain("remboursement en cours");
  });

  test("and is paid after all is left to the back office: the operator refunds it", async () => {
    const buyer = await buyerInTouch();
    const id = await orderByFedapay(buyer);
    // The webhook of the opened payment causes a lookup too.
    await app.drain();
    await app.sql`DELETE FROM payment_checks`;
    expect((await close()).status).toBe(200);
    await app.pay("fedapay", id);
    const rows = await app.sql<{ kind: string }>`
      SELECT kind FROM alerts WHERE subject = ${`order:${id}`}`;
    expect(rows).toEqual([{ kind: "sale.on-closed-account" }]);
    expect(await refundByOperator(id)).toBe("refunded");
  });

  test("must confirm it", async () => {
    expect(await close({})).toMatchObject({
      status: 422,
      body: { code: "account.confirm-missing" },
    });
  });

  test("sells no more, is signed out, and comes back by an operator only", async () => {
    expect((await close()).status).toBe(200);
    expect((await close()).status).toBe(401);
    const public_ = await app.call("GET", `/api/public/products/${shop.reference}`);
    expect(public_.status).toBe(404);
    const headers = { "x-telegram-init-data": app.initData(shop.seller.person) };
    const path = "/api/auth/vendeur";
    const refused = await app.call("POST", path, { headers });
    expect(refused).toMatchObject({ status: 403, body: { code: "identity.account-closed" } });
    expect((await app.signInBuyer(shop.seller.person)).id).toBe(shop.seller.id);
    const reopened = await measure("reopen", { reason: "Il l'a demandé" });
    expect(reopened.body.seller.closed_at).toBeNull();
    expect((await app.call("POST", path, { headers })).status).toBe(200);
    const rows = await app.sql<{ action: string }>`
      SELECT action FROM audit_log WHERE seq > ${logged} ORDER BY seq`;
    expect(rows.map(({ action }) => action)).toEqual(["seller.close", "seller.reopen"]);
  });

  test("cannot do so under a measure", async () => {
    await measure("freeze");
    expect((await close()).body["code"]).toBe("account.under-measure");
  });

  test("may, once the memberships he sold are over", async () => {
    await buyProduct(app, await buyerInTouch(), shop.reference);
    await advance(2 * DAY_MS);
    expect(String((await close()).body["message"])).not.toContain("accès");
  });
});
