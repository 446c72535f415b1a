import { DAY_MS } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fundSeller, REQUEST } from "../../../test/funds.ts";
import { createGroupFixtures, leaveGroups } from "../../../test/groups.ts";
import { type SignedInBuyer, startTestApp } from "../../../test/harness.ts";
import { buyProduct, orderProduct, type Shelf } from "../../../test/sales.ts";
import { dayIn, inFrench } from "../../../test/tables.ts";
import { createStaffFixtures, STAFF_ENV } from "../../../test/withdrawals.ts";
import { checkChain } from "../../audit/audit.store.ts";

let shop: Shelf;
let operator: SignedInBuyer;
let logged: bigint;

const app = await startTestApp({ env: STAFF_ENV });
const fixture = createStaffFixtures(app);
const { openShop, buyerInside, memberStatus, buyerInTouch, advance } = createGroupFixtures(app);
beforeEach(async () => {
  await leaveGroups(app);
  shop = await openShop();
  operator = await fixture.operator(0);
  logged = await app.lastLogged();
});
afterEach(async () => {
  expect(await checkChain(app.db)).toEqual([]);
  expect(app.takeErrors()).toEqual([]);
});

const REASON = "Contenu <b>signalé</b>";
const until = (day: string) => ({ reason: REASON, review_at: day });
const upTo = (days: number) => until(dayIn(app.clock, days));

type Measure = "suspend" | "resume" | "freeze" | "unfreeze" | "reopen";

const measure = (act: Measure, body: object = upTo(15), who = operator, id = shop.seller.id) =>
  app.send(`POST /api/desk/sellers/:id/${act}`, who, { id, ...body });

async function order() {
  const body = { reference: shop.reference, provider: "moneroo" };
  const { status, body: said } = await app.send("POST /api/orders", await app.signInBuyer(), body);
  return { status, code: said.code };
}

type Caller = { readonly token: string };
const orderByFedapay = async (who: Caller, what: object = { reference: shop.reference }) =>
  (await app.done("POST /api/orders", who, { ...what, provider: "fedapay" })).id;
const refundByOperator = async (id: string) => {
  const reason = "Compte fermé";
  return (await app.done("POST /api/desk/orders/:id/refund", operator, { id, reason })).order
    .status;
};

async function page() {
  const { reference } = shop;
  const product = await app.read("GET /api/public/products/:reference", undefined, { reference });
  return { status: product.status, unavailable: product.unavailable };
}

const ask = () => app.send("POST /api/users/retrait/demande", shop.seller, REQUEST);
const sellerForStaff = async (who: Caller, id = shop.seller.id) =>
  (await app.read("GET /api/desk/sellers/:id", who, { id })).seller;

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
    expect(await order()).toEqual(refusal);
    expect(await page()).toEqual({ status: "pending", unavailable: "suspended" });
    await app.drain();
    expect(saidToSeller()).toContain("Contenu <b>signalé</b>");
    expect(saidToSeller()).toContain(inFrench(dayIn(app.clock, 15)));
    expect(memberStatus(shop, inside.buyer.person.id)).toBe("member");
    await fundSeller(app, shop.seller, 5_000, "free");
    expect((await ask()).body.code).toBe("withdrawals.seller-suspended");
    const resumed = await measure("resume", { reason: "Contenu retiré" });
    expect(resumed.body.seller.suspended).toBeNull();
    expect(await page()).toEqual({ status: "active", unavailable: undefined });
    expect((await order()).status).toBe(201);
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
  const { id } = shop.product;
  const suspension = { ...upTo(15), id };
  const { seller } = await app.done("POST /api/desk/products/:id/suspend", operator, suspension);
  expect(seller.products).toMatchObject([
    { suspended: { reason: REASON }, on_sale: false, may: { resume: { allowed: true } } },
  ]);
  expect((await order()).code).toBe("checkout.suspended");
  expect(await page()).toMatchObject({ unavailable: "suspended" });
  expect(await app.read("GET /api/products", shop.seller)).toMatchObject([
    { status: "pending", status_reason: expect.stringContaining("suspendu") },
  ]);
  await app.done("POST /api/desk/products/:id/resume", operator, { id, reason: "Corrigé" });
  expect((await order()).status).toBe(201);
});

test("frozen payouts refuse requests with the reason the seller reads, and leave sales open", async () => {
  await fundSeller(app, shop.seller, 5_000, "free");
  expect((await measure("freeze")).body.seller.frozen).toMatchObject({ by: "operator" });
  const frozen = { code: "withdrawals.payouts-frozen", message: expect.stringContaining(REASON) };
  expect((await ask()).body).toMatchObject(frozen);
  expect((await order()).status).toBe(201);
  expect((await measure("freeze")).body.code).toBe("desk.already-frozen");
  await measure("unfreeze", { reason: "Identité vérifiée" });
  expect((await ask()).status).toBe(201);
});

describe("a measure", () => {
  test("is an operator's, and never about oneself", async () => {
    const agent = await fixture.agent(0);
    expect((await measure("suspend", upTo(15), agent)).status).toBe(403);
    const own = await app.signInSeller(operator.person);
    for (const act of ["suspend", "resume", "freeze", "unfreeze", "reopen"] as const) {
      const answer = await measure(act, upTo(15), operator, own.id);
      expect(answer).toMatchObject({ status: 403, body: { code: "desk.own-account" } });
    }
    expect((await sellerForStaff(operator, own.id)).may.unfreeze).toMatchObject({
      allowed: false,
      reason: expect.stringContaining("votre propre compte"),
    });
  });

  test.each<[string, () => object, string]>([
    ["no reason", () => ({ review_at: dayIn(app.clock, 15) }), "desk.reason-missing"],
    ["a reason that is no text", () => ({ ...upTo(15), reason: { a: 1 } }), "desk.reason-missing"],
    ["a book of reasons", () => ({ ...upTo(15), reason: "x".repeat(501) }), "desk.reason-too-long"],
    ["no review", () => ({ reason: "Vérification" }), "desk.review-missing"],
    ["a review of no calendar", () => until("2026-13-01"), "desk.review-missing"],
    ["a review today", () => upTo(0), "desk.review-out-of-range"],
    ["a review in two years", () => upTo(731), "desk.review-out-of-range"],
  ])("is refused with %s", async (_what, body, code) => {
    for (const act of ["suspend", "freeze"] as const)
      expect(await measure(act, body())).toMatchObject({ status: 422, body: { code } });
    expect((await measure("resume")).body.code).toBe("desk.not-suspended");
  });

  test("taken twice at once is taken once", async () => {
    const both = [operator, await fixture.operator(1)];
    const answers = await Promise.all(both.map((who) => measure("suspend", upTo(15), who)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});

test("the details of a seller show his money, sales, requests, groups, products, alerts and audit entries", async () => {
  await buyProduct(app, await buyerInTouch(), shop.reference);
  const request = await fixture.request({ seller: shop.seller, plan: "free", amount: 2_000 });
  await measure("suspend");
  const agent = await fixture.agent(0);
  const seller = await sellerForStaff(agent);
  expect(seller).toMatchObject({
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
  expect(seller.audit.map(({ label }) => label)).toContain("Vendeur suspendu");
  const none = await app.send("GET /api/desk/sellers/:id", agent, { id: "999999999" });
  expect(none.status).toBe(404);
});

describe("a seller who closes his account", () => {
  const close = (body: object = { confirm: true }) =>
    app.send("POST /api/users/close", shop.seller, body);
  const messageOfClose = async () => (await close()).body.message;

  test("gets a list of what remains in it", async () => {
    await buyProduct(app, await buyerInTouch(), shop.reference);
    await order();
    await fixture.request({ seller: shop.seller, plan: "free", amount: 2_000 });
    const { status, body } = await close();
    expect(status).toBe(409);
    expect(body.message?.replace(/[\u202f\u00a0]/g, " ")).toBe(
      `Votre compte ne peut pas encore être fermé : il reste 6 100 FCFA à retirer ; 2 000 FCFA sont réservés ; 1 retrait en cours ; 1 accès en cours, jusqu'au ${inFrench(dayIn(app.clock, 1))} ; 1 paiement en attente de réponse.`,
    );
  });

  test("waits for open payments, though their order failed: of his sales, and of his plan", async () => {
    const buyer = await app.signInBuyer();
    const id = await orderByFedapay(buyer);
    app.emulators.collectors.fedapay.settle(id, "failure");
    await app.drain();
    expect((await app.read("GET /api/orders/:id", buyer, { id })).status).toBe("failed");
    expect(await messageOfClose()).toContain("1 paiement en attente de réponse");
    await app.sql`DELETE FROM payment_checks`;
    await orderByFedapay(shop.seller, { plan: "payant" });
    expect(await messageOfClose()).toContain("1 paiement en attente de réponse");
  });

  test("waits until the refund of his plan has reached him", async () => {
    const id = await orderByFedapay(shop.seller, { plan: "payant" });
    await app.pay("fedapay", id);
    expect(await refundByOperator(id)).toBe("refunded");
    expect(await messageOfClose()).toContain("remboursement en cours");
  });

  test("and is paid after all is left to the back office: the operator refunds it", async () => {
    const buyer = await buyerInTouch();
    const id = await orderByFedapay(buyer);
    // The webhook of the opened payment causes a lookup too.
    await app.drain();
    await app.sql`DELETE FROM payment_checks`;
    expect((await close()).status).toBe(200);
    await app.pay("fedapay", id);
    const alerts = await app.values`SELECT kind FROM alerts WHERE subject = ${`order:${id}`}`;
    expect(alerts).toEqual(["sale.on-closed-account"]);
    expect(await refundByOperator(id)).toBe("refunded");
  });

  test("must confirm it", async () => {
    const missing = { status: 422, body: { code: "account.confirm-missing" } };
    expect(await close({})).toMatchObject(missing);
  });

  test("sells no more, is signed out, and comes back by an operator only", async () => {
    expect((await close()).status).toBe(200);
    expect((await close()).status).toBe(401);
    expect((await app.call("GET", `/api/public/products/${shop.reference}`)).status).toBe(404);
    const headers = { "x-telegram-init-data": app.initData(shop.seller.person) };
    const signIn = () => app.call("POST", "/api/auth/vendeur", { headers });
    const refused = { status: 403, body: { code: "identity.account-closed" } };
    expect(await signIn()).toMatchObject(refused);
    expect((await app.signInBuyer(shop.seller.person)).id).toBe(shop.seller.id);
    const reopened = await measure("reopen", { reason: "Il l'a demandé" });
    expect(reopened.body.seller.closed_at).toBeNull();
    expect((await signIn()).status).toBe(200);
    expect(await app.loggedAfter(logged)).toEqual(["seller.close", "seller.reopen"]);
  });

  test("cannot do so under a measure", async () => {
    await measure("freeze");
    expect((await close()).body.code).toBe("account.under-measure");
  });

  test("may, once the memberships he sold are over", async () => {
    await buyProduct(app, await buyerInTouch(), shop.reference);
    await advance(2 * DAY_MS);
    expect(String(await messageOfClose())).not.toContain("accès");
  });
});
