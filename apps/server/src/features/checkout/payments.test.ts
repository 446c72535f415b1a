import {
  ASKED_FOR_MS,
  KNOWN_PROVIDERS,
  type KnownProvider,
  PLACE_RESERVED_MS,
} from "@sesame/contract/checkout";
import { addMs, assert, DAY_MS, fcfa, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { sellMany } from "../../../test/bulk-sales.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import {
  createOwnAccountFixtures,
  type Outcome,
  outcomeOf,
  sellByAll,
  WEBHOOKS,
} from "../../../test/payments.ts";
import { openShop, publishDonation, publishProduct } from "../../../test/sales.ts";
import { finds, one, openDatabase } from "../../postgres/database.ts";
import { brokenAccesses } from "../../maintenance/books.view.ts";
import { checkLedger } from "../../maintenance/maintenance.ts";
import { whileBusy } from "./open-payment.ts";
import { reserveOpening, releaseOpening } from "./opening.ts";
import { resolveRefundsThere, settleConfirmed } from "./settle.ts";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { leaseChecks } from "./checks.ts";
import type { AlteredPayment, PaymentFault, PaymentView } from "../../../../emulators/src/index.ts";
import type { FetchedPayment } from "@sesame/providers";
import { assessPayment } from "./ask-providers.ts";

const shop = await openShop();
const { app } = shop;
await sellByAll(app, shop.seller);

/** Ends every fault of the emulators. */
const mend = () => app.emulators.panel.clearFaults({});
afterEach(mend);

afterAll(async () => {
  expect(await checkLedger(app.db)).toEqual([]);
});

/** An order with a payment at a provider; `reference` is ours, null while none could be opened. */
type Tried = { provider: KnownProvider; buyer: SignedInBuyer; orderId: string } & Readonly<
  Record<"reference" | "paymentUrl", string | null>
>;

/**
 * `product`: its reference; without it the order's next payment is opened. `amount`: francs, for a
 * donation.
 */
type OrderCall = Pick<Tried, "buyer" | "provider"> &
  Partial<Pick<Tried, "orderId"> & { product: string; amount: number }>;

function callOrder(call: OrderCall) {
  const { buyer, provider, product: reference, amount, orderId: id } = call;
  return id === undefined
    ? app.send("POST /api/orders", buyer, { reference, provider, amount })
    : app.send("POST /api/orders/:id/payment", buyer, { id, provider });
}

/** Opens a payment, and the page that a browser would open for it. */
async function tryAt(call: OrderCall): Promise<Tried> {
  const answer = await callOrder(call);
  const { buyer, provider } = call;
  const orderId = answer.body.id ?? answer.body.order_id;
  assert(orderId, `ordering answered ${JSON.stringify(answer.body)}`);
  if (answer.status !== 201) return { provider, buyer, orderId, reference: null, paymentUrl: null };
  const payment = await one<{ reference: string; amount: bigint }>(app.db)`
    SELECT reference, amount FROM payments WHERE order_id = ${orderId} AND provider = ${provider}
    ORDER BY id DESC LIMIT 1
  `;
  const { reference, amount } = payment;
  const tried = { provider, buyer, orderId, reference, paymentUrl: answer.body.payment_url };
  if (provider === "kkiapay") openWidget(tried, Number(amount));
  return tried;
}

/** Opens KkiaPay's widget, once more each time. */
function openWidget({ reference }: Tried, amount = 5_000): void {
  assert(reference !== null, "a payment is open");
  app.emulators.kkiapay.open({ amount, data: reference, partnerId: reference });
}

type Settling = "success" | "failure" | "cancel" | "silent success";

/** Pays as the customer on the provider's page; silent: no webhook is sent. */
function settleAt(tried: Tried, how: Settling): PaymentView {
  assert(tried.reference !== null, "a payment is open");
  const silent = how === "silent success";
  const outcome = silent ? "success" : how;
  const personId = tried.buyer.person.id;
  return app.emulators.collectors[tried.provider].settle(tried.reference, outcome, {
    silent,
    personId,
  });
}

/** Reports the transaction id from the widget, as a browser does. */
function reportTransaction(tried: Tried, transactionId: string) {
  const secret = tried.paymentUrl?.split("/").at(-1);
  const reported = { secret, transaction_id: transactionId };
  return app.send("POST /api/payments/:secret/reported-transactions", undefined, reported);
}

/** By a new buyer. */
const order = async (provider: KnownProvider, product = shop.product.reference) =>
  tryAt({ buyer: await app.signInBuyer(), provider, product });

const change = ({ buyer, orderId }: Tried, provider: KnownProvider) =>
  tryAt({ buyer, provider, orderId });

const read = ({ buyer, orderId: id }: Tried) => app.read("GET /api/orders/:id", buyer, { id });

const paysAt = async (tried: Tried) => {
  settleAt(tried, "success");
  await app.drain();
};

test("two orders of one buyer settled by processes whose clocks differ give the paid time, and no alert", async () => {
  const { db, clock } = app;
  const now = clock.now();
  const dueAt = addMs(now, 1_000 * DAY_MS);
  const size = { sellers: 1, buyers: 1, orders: 2, now, dueAt };
  const [first = 0n, second = 0n] = (await sellMany(db, size)).payments;
  const settleAs = (paymentId: bigint, at: Date) =>
    settleConfirmed(db, [{ paymentId, occurredAt: at }], at);
  await settleAs(first, addMs(now, 3_000));
  await settleAs(second, now);
  expect(await brokenAccesses(db, 10)).toEqual([]);
});

describe("an order", () => {
  test("survives a change of provider, numbers its payments, and names the provider that was paid", async () => {
    const first = await order("moneroo");
    const second = await change(first, "fedapay");
    expect(second.orderId).toBe(first.orderId);
    expect(second.reference).toBe(`${first.orderId}-2`);
    expect(await read(first)).toMatchObject({ provider: "fedapay", opens: "widget" });
    await paysAt(second);
    expect(await read(first)).toMatchObject({
      status: "paid",
      kind: "product",
      direct: false,
      provider: "fedapay",
      provider_name: "FedaPay",
      paid_twice: false,
      payment_url: null,
      payments: [
        { provider: "moneroo", status: "pending" },
        { provider: "fedapay", status: "paid" },
      ],
    });
    const refused = await callOrder({ ...first, provider: "paydunya" });
    expect(refused).toMatchObject({ status: 409, body: { code: "checkout.already-paid" } });
  });

  test.each([
    ["moneroo", "cryptopay", "in that order"],
    ["kkiapay", "moneroo", "the other way round"],
    ["paydunya", "fedapay", "at once"],
  ] as const)(
    "paid at %s and at %s, %s, is sold once; the second payment goes to suspense with an alert",
    async (...row) => {
      const [one, other, when] = row;
      const first = await order(one);
      const second = await change(first, other);
      const turns = when === "the other way round" ? [second, first] : [first, second];
      for (const turn of turns) {
        settleAt(turn, "success");
        if (when !== "at once") await app.drain();
      }
      await app.drain();
      const outcome = await outcomeOf(app, first.orderId);
      expect(outcome).toMatchObject({ order: "paid", sales: 1, accesses: 1 });
      const answer = await read(first);
      expect(answer.paid_twice).toBe(true);
      expect(answer.payments.map(({ status }) => status)).toEqual(["paid", "paid"]);
      if (when !== "at once") expect(answer.provider).toBe(turns[0]?.provider);
      expect(answer.refund).toMatchObject({ amount: 5_000, overpayment: true });
    },
  );

  test("tapped at two providers, and twice at one, at once opens one payment at each", async () => {
    const { buyer, orderId } = await order("moneroo");
    const taps = (["fedapay", "paydunya", "fedapay", "paydunya", "fedapay"] as const).map(
      (provider) => callOrder({ buyer, provider, orderId }),
    );
    const answers = await Promise.all(taps);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.payment_url)).size).toBe(2);
    const payments = await app.sql<{ provider: string; reference: string }>`
      SELECT provider, reference FROM payments WHERE order_id = ${orderId} ORDER BY provider`;
    const providers = payments.map(({ provider }) => provider);
    expect(providers).toEqual(["fedapay", "moneroo", "paydunya"]);
    expect(new Set(payments.map(({ reference }) => reference)).size).toBe(3);
  });

  test("that another request is opening waits for it, but not for a dead one", async () => {
    const first = await order("moneroo");
    const until = addMs(app.clock.now(), 20_000);
    const lease = (instant: Date | null) =>
      app.sql`UPDATE orders SET opening_until = ${instant} WHERE id = ${first.orderId}`;
    await lease(until);
    const waiting = callOrder({ ...first, provider: "fedapay" });
    await lease(null);
    expect((await waiting).status).toBe(201);
    await lease(until);
    app.clock.advance(2 * MINUTE_MS);
    expect((await change(first, "paydunya")).reference).toBe(`${first.orderId}-3`);
    // Written by a clock that ran ahead.
    await lease(addMs(app.clock.now(), 40 * DAY_MS));
    expect((await change(first, "kkiapay")).reference).toBe(`${first.orderId}-4`);
  });

  test("failed at one provider waits again at another, and a late success of the first counts", async () => {
    const first = await order("moneroo");
    settleAt(first, "failure");
    await app.drain();
    expect((await read(first)).status).toBe("failed");
    const again = await change(first, "paydunya");
    expect((await read(first)).status).toBe("pending");
    await paysAt(first);
    expect(await read(first)).toMatchObject({ status: "paid", provider: "moneroo" });
    await paysAt(again);
    expect((await read(first)).paid_twice).toBe(true);
  });

  test("of a batch that comes late is flagged if it found no place, and only then", async () => {
    const { reference: product } = await publishProduct(app, shop, { stock: 5 });
    const late: Tried[] = [];
    for (let made = 0; made < 5; made += 1) late.push(await order("moneroo", product));
    const ids = late.map(({ orderId }) => BigInt(orderId));
    const now = addMs(app.clock.now(), 2 * DAY_MS);
    await app.sql`UPDATE products SET stock = 3 WHERE reference = ${product}`;
    const paymentIds = await app.values<bigint>`
      SELECT id FROM payments WHERE order_id = ANY(${ids}::bigint[])`;
    const batch = paymentIds.map((paymentId) => ({ paymentId, occurredAt: now }));
    expect(await settleConfirmed(app.db, batch, now)).toHaveLength(5);
    const flagged = await Promise.all(late.map(({ orderId }) => outcomeOf(app, orderId)));
    expect(flagged.map(({ accesses, alerts }) => [accesses, alerts.length])).toEqual([
      [1, 0],
      [1, 0],
      [1, 0],
      [1, 1],
      [1, 1],
    ]);
  });

  test("whose place is another buyer's since its time was over cannot be tried again", async () => {
    const { reference: product } = await publishProduct(app, shop, { stock: 1 });
    const first = await order("moneroo", product);
    app.clock.advance(PLACE_RESERVED_MS);
    await paysAt(await order("moneroo", product));
    expect((await read(first)).status).toBe("pending");
    const again = await callOrder({ ...first, provider: "fedapay" });
    expect(again.body.code).toBe("checkout.sold-out");
  });

  test("failed and tried once more holds its place again while the provider decides", async () => {
    const { reference: product } = await publishProduct(app, shop, { stock: 1 });
    const other = await app.signInBuyer();
    const first = await order("moneroo", product);
    settleAt(first, "failure");
    await app.drain();
    const orderId = BigInt(first.orderId);
    const account = { provider: "fedapay", keyId: null } as const;
    const opening = { orderId, account, now: app.clock.now(), rate: 60, repeats: false };
    expect(await reserveOpening(app.db, opening)).toMatchObject({ kind: "open" });
    const paymentRequest = { buyer: other, provider: "moneroo", product } as const;
    expect((await callOrder(paymentRequest)).body.code).toBe("checkout.sold-out");
    await releaseOpening(app.db, orderId);
    await paysAt(await tryAt(paymentRequest));
    // Paid after all, when another buyer has its place: granted, and an alert is raised.
    await paysAt(first);
    const { alerts, accesses } = await outcomeOf(app, first.orderId);
    expect([alerts, accesses]).toEqual([["places.exceeded"], 1]);
  });

  test("whose provider does not answer gets the sentence of B, and is paid by another", async () => {
    app.emulators.collectors.moneroo.fault("create", "500");
    const buyer = await app.signInBuyer();
    const product = shop.product.reference;
    const failed = await callOrder({ buyer, provider: "moneroo", product });
    expect(failed).toMatchObject({
      status: 503,
      body: {
        code: "checkout.provider-silent",
        message: "Erreur réseau - Problème CORS possible. Contactez l'administrateur.",
      },
    });
    const orderId = failed.body.order_id ?? "";
    const opened = await tryAt({ buyer, provider: "paydunya", orderId });
    await paysAt(opened);
    expect((await read(opened)).status).toBe("paid");
  });

  test("cannot be paid again while a payment is mismatched, nor after three days", async () => {
    const first = await order("moneroo");
    settleAt(first, "success");
    app.emulators.collectors.moneroo.alter(first.reference ?? "", { amount: 1_000 });
    await app.drain();
    const again = await callOrder({ ...first, provider: "fedapay" });
    expect(again).toMatchObject({ status: 409, body: { code: "checkout.under-review" } });
    const old = await order("moneroo");
    await app.advance(3 * DAY_MS);
    const late = await callOrder({ ...old, provider: "fedapay" });
    expect(late).toMatchObject({ status: 422, body: { code: "checkout.order-too-old" } });
  });

  test("can be paid by its buyer only, and tried a dozen times at most", async () => {
    const first = await order("moneroo");
    const stranger = await app.signInBuyer();
    const again = { id: first.orderId, provider: "fedapay" };
    for (const other of [stranger, shop.seller]) {
      const answer = await app.send("POST /api/orders/:id/payment", other, again);
      expect(answer).toMatchObject({ status: 404, body: { code: "checkout.order-not-found" } });
    }
    await app.sql`UPDATE orders SET payments_opened = 12 WHERE id = ${first.orderId}`;
    settleAt(first, "failure");
    await app.drain();
    const answer = await callOrder({ ...first, provider: "moneroo" });
    expect(answer.body.code).toBe("checkout.too-many-tries");
  });
});

describe("a seller's own account", () => {
  const own = async () => {
    const { product, ...rest } = await createOwnAccountFixtures(app).sellerCollecting("moneroo");
    return { ...rest, product: product.reference };
  };

  test("and the instance's, both paid in whichever order, sell once and refund one", async () => {
    const { product } = await own();
    for (const directFirst of [true, false]) {
      const first = await order("moneroo", product);
      const second = await change(first, "paydunya");
      for (const turn of directFirst ? [first, second] : [second, first]) await paysAt(turn);
      expect(await read(first)).toMatchObject({
        status: "paid",
        direct: directFirst,
        provider: directFirst ? "moneroo" : "paydunya",
        paid_twice: true,
        refund: { overpayment: true, direct: !directFirst },
      });
      const outcome = await outcomeOf(app, first.orderId);
      expect(outcome).toMatchObject({ sales: directFirst ? 0 : 1, accesses: 1 });
    }
  });

  test("collects a donation whole: none of it enters the ledger", async () => {
    const { seller } = await own();
    const { reference: product } = await publishDonation(app, seller);
    const buyer = await app.signInBuyer();
    const tried = await tryAt({ buyer, provider: "moneroo", product, amount: 1_500 });
    await paysAt(tried);
    expect(await read(tried)).toMatchObject({ status: "paid", kind: "donation", direct: true });
    expect(await outcomeOf(app, tried.orderId)).toMatchObject({ sales: 0, accesses: 0 });
    const week = await app.read("GET /api/statistics", seller, { periode: "week" });
    expect(week).toMatchObject({ frais: 0, direct: 1_500, brut: { valeur: 1_500 } });
  });

  test("gets webhooks at its own address, which trigger no lookup of others' payments", async () => {
    const { webhookUrl, product } = await own();
    const tried = await order("moneroo", product);
    await paysAt(tried);
    expect((await read(tried)).status).toBe("paid");
    const { pathname } = new URL(webhookUrl);
    const said = async (path: string) =>
      (await app.call("POST", path, { body: { event: "x" } })).status;
    expect(await said(pathname)).toBe(403);
    expect(await said("/webhooks/moneroo/999999")).toBe(404);
    expect(await said(pathname.replace("moneroo", "fedapay"))).toBe(404);
    expect(await said("/webhooks/nobody/1")).toBe(404);
    expect(await said("/webhooks/moneroo/x")).toBe(404);
  });
});

/** A clock that only advances in pauses. */
function stopwatch() {
  let ms = 0;
  return { now: () => ms, pause: async (more: number) => void (ms += more) };
}

test("another request's opening is waited for as long as a call to a provider may take, and no longer", async () => {
  const watch = stopwatch();
  expect(await whileBusy(async () => ({ kind: "busy" }), watch)).toEqual({ kind: "busy" });
  expect(watch.now()).toBeGreaterThan(13_000);
  expect(watch.now()).toBeLessThanOrEqual(13_000 + 150);
});

test("a released opening is used at the next attempt", async () => {
  const watch = stopwatch();
  const look = async () => ({ kind: watch.now() < 1_000 ? "busy" : "open" });
  expect(await whileBusy(look, watch)).toEqual({ kind: "open" });
  expect(watch.now()).toBe(1_050);
});

/** Pays once more in the widget; its webhook is stored, without a lookup. */
const paysAgain = async (first: Tried) => {
  openWidget(first);
  const paid = settleAt(first, "success");
  const { transactionId } = paid;
  await eventually(
    () => finds(app.db)`SELECT FROM reported_transactions WHERE transaction_id = ${transactionId}`,
  );
  return paid;
};

describe("a transaction id reported by a browser", () => {
  test("is looked up, never trusted, and stored a few times only", async () => {
    const first = await order("kkiapay");
    for (let name = 0; name < 15; name += 1) {
      expect((await reportTransaction(first, `made-up-${name}`)).status).toBe(204);
    }
    const rows = await app.sql`
      SELECT 1 FROM reported_transactions r JOIN payments p ON p.id = r.payment_id
      WHERE p.order_id = ${first.orderId}`;
    expect(rows).toHaveLength(10);
    await app.drain();
    expect((await read(first)).status).toBe("pending");
    await paysAt(first);
    expect((await read(first)).status).toBe("paid");
  });

  test("of a stranger's transaction has no effect, and no alert", async () => {
    const [mine, theirs] = [await order("kkiapay"), await order("kkiapay")];
    const paid = settleAt(theirs, "silent success");
    await reportTransaction(mine, paid.transactionId ?? "");
    await app.drain();
    expect(await outcomeOf(app, mine.orderId)).toMatchObject({ order: "pending", alerts: [] });
  });

  test("is refused without a valid secret, or in a wrong form", async () => {
    const first = await order("kkiapay");
    expect((await reportTransaction(first, "a b")).status).toBe(422);
    expect((await reportTransaction(first, "x".repeat(101))).status).toBe(422);
    const nobody = { ...first, paymentUrl: `/${"x".repeat(32)}` };
    expect((await reportTransaction(nobody, "t1")).status).toBe(404);
  });

  test("of a widget paid twice is looked up until KkiaPay answers, which takes more than a day", async () => {
    const first = await order("kkiapay");
    await paysAt(first);
    openWidget(first);
    app.emulators.collectors.kkiapay.fault("fetch", "500", 20);
    await paysAt(first);
    await app.advance(DAY_MS + HOUR_MS);
    mend();
    await app.advance(DAY_MS);
    expect(await read(first)).toMatchObject({ refund: { overpayment: true, amount: 5_000 } });
  });

  test.each(["first", "second"] as const)(
    "of a widget paid twice at once is settled, and looked up again when the %s gets no answer",
    async (which) => {
      const first = await order("kkiapay");
      await app.advance(MINUTE_MS);
      const { limit } = app.emulators.collectors.kkiapay;
      settleAt(first, "success");
      openWidget(first);
      settleAt(first, "success");
      if (which === "first") app.emulators.collectors.kkiapay.fault("fetch", "500");
      else limit.perMinute = 1;
      await app.drain();
      expect((await read(first)).status).toBe("paid");
      limit.perMinute = null;
      await app.advance(DAY_MS);
      expect(await outcomeOf(app, first.orderId)).toMatchObject({ order: "paid", sales: 1 });
      expect(await read(first)).toMatchObject({ refund: { overpayment: true, amount: 5_000 } });
    },
  );

  test.each(["paid twice", "given up"])(
    "of a payment that is %s is looked up though the lease of the lookup in progress is over",
    async (was) => {
      const first = await order("kkiapay");
      if (was === "given up") app.clock.advance(ASKED_FOR_MS);
      else {
        await paysAt(first);
        await paysAgain(first);
      }
      const { asking } = await app.db.transaction().execute(async (tx) => {
        // KkiaPay's answer is being written when another id is reported.
        await sql`SELECT FROM orders WHERE id = ${first.orderId} FOR UPDATE`.execute(tx);
        const drained = app.drain();
        await app.untilSomebodyWaits();
        app.clock.advance(MINUTE_MS);
        await paysAgain(first);
        return { asking: drained };
      });
      await asking;
      await app.advance(DAY_MS);
      const answer = await read(first);
      expect(answer.status).toBe("paid");
      expect(answer.payments).toHaveLength(was === "given up" ? 1 : 3);
    },
  );

  test("reported while a check is leased is part of that lookup, or of the next one", async () => {
    const first = await order("kkiapay");
    await paysAt(first);
    const second = await paysAgain(first);
    const now = app.clock.now();
    const leaseRequest = {
      now,
      leaseEnd: addMs(now, 12_000),
      limit: 400,
      except: [],
      paced: new Map(),
    };
    // Leasing has read the checks and waits for their locks as long as the test holds them.
    await app.sql`CREATE SCHEMA slow`;
    await app.sql`
      CREATE FUNCTION slow.reached(a timestamptz, b timestamptz) RETURNS boolean
      LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7);
        RETURN a OPERATOR(pg_catalog.<=) b;
      END $$`;
    await app.sql`
      CREATE OPERATOR slow.<= (FUNCTION = slow.reached, LEFTARG = timestamptz, RIGHTARG = timestamptz)
    `;
    const other = openDatabase({ url: app.databaseUrl, poolSize: 2 });
    const { leasing, third } = await other.db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(7)`.execute(tx);
      const taken = other.db.transaction().execute(async (its) => {
        await sql`SET LOCAL search_path = slow, pg_catalog, public`.execute(its);
        return leaseChecks(its, leaseRequest);
      });
      await app.untilSomebodyWaits();
      return { leasing: taken, third: await paysAgain(first) };
    });
    const [taken] = await leasing;
    expect(taken?.reported_transactions).toEqual(
      expect.arrayContaining([second.transactionId, third.transactionId]),
    );
    await other.close();
    await app.sql`DROP SCHEMA slow CASCADE`;
    // The leased check is due again when its lease is over: its worker is dead.
    await app.advance(MINUTE_MS);
    expect((await read(first)).payments).toHaveLength(3);
  });

  test("of a widget paid twice, once too little, is paid by the whole price, whatever write fails", async () => {
    const first = await order("kkiapay");
    settleAt(first, "success");
    openWidget(first, 100);
    settleAt(first, "success");
    // The sale of the whole price fails here; later writes of the same answer do not.
    await app.sql`CREATE SEQUENCE failures_of_a_sale`;
    await app.sql`
      CREATE FUNCTION fail_a_sale() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('failures_of_a_sale') > 1 THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01';
      END $$`;
    await app.sql`
      CREATE TRIGGER fail_a_sale BEFORE INSERT ON ledger_transfers FOR EACH ROW
      WHEN (NEW.id LIKE 'sale:%') EXECUTE FUNCTION fail_a_sale()`;
    await app.drain();
    expect(app.takeErrors().join()).toContain("a payment was not settled");
    await app.sql`DROP FUNCTION fail_a_sale() CASCADE`;
    await app.advance(HOUR_MS);
    const rows = await app.sql<{ amount: bigint; suspended_amount: bigint | null }>`
      SELECT amount, suspended_amount FROM payments
      WHERE order_id = ${first.orderId} AND status = 'paid' ORDER BY id`;
    expect(rows).toEqual([
      { amount: 5_000n, suspended_amount: null },
      { amount: 100n, suspended_amount: 100n },
    ]);
    const answer = await read(first);
    expect(answer).toMatchObject({ status: "paid", refund: { overpayment: true, amount: 100 } });
  });
});

describe("a sale whose money is taken back at its provider", () => {
  const takenBack = ({ orderId }: Tried) => app.values<string>`
    SELECT d.kind FROM alerts d
    JOIN payments p ON d.subject = 'payment:' || p.id AND p.order_id = ${orderId}
    WHERE d.resolved_at IS NULL`;
  type Bank = "fedapay" | "paydunya" | "kkiapay";
  /** Weeks later: the provider's own webhook, with a new status. */
  const takeBack = async (tried: Tried, { provider, word }: { provider: Bank; word: string }) => {
    app.emulators.collectors[provider].alter(tried.reference ?? "", { status: word });
    const id = await app.lastPaymentOf(tried.orderId);
    const transaction = await app.value`
      SELECT transaction_id FROM payments WHERE order_id = ${tried.orderId}`;
    const source = WEBHOOKS[provider];
    assert(source, `${provider} sends webhooks`);
    const said = source.sampleOf("1") as Record<string, Record<string, unknown>>;
    const words = {
      fedapay: { name: "transaction.updated", entity: { ...said["entity"], id: Number(id) } },
      paydunya: { data: { ...said["data"], status: word, invoice: { token: id } } },
      kkiapay: {
        transactionId: transaction,
        event: "transaction.failed",
        stateData: { reference: id },
        partnerId: id,
      },
    };
    const sent = source.sign(JSON.stringify({ ...said, ...words[provider] }), app.clock.now());
    const answer = await app.call("POST", `/webhooks/${provider}`, sent);
    expect(answer.status).toBe(200);
    await app.drain();
  };

  test.each<{ provider: Bank; word: string }>([
    { provider: "fedapay", word: "refunded" },
    { provider: "fedapay", word: "approved_partially_refunded" },
    { provider: "paydunya", word: "refunded" },
    { provider: "kkiapay", word: "REVERTED" },
  ])("is reported at $provider: $word", async (bank) => {
    const sold = await order(bank.provider);
    await paysAt(sold);
    expect(await read(sold)).toMatchObject({ status: "paid" });
    expect(await takenBack(sold)).toEqual([]);
    await takeBack(sold, bank);
    expect(await takenBack(sold)).toEqual(["payment.refunded-there"]);
  });

  test("is not restored when the buyer pays the widget once more", async () => {
    const sold = await order("kkiapay");
    await paysAt(sold);
    await takeBack(sold, { provider: "kkiapay", word: "REVERTED" });
    openWidget(sold);
    await paysAt(sold);
    expect((await read(sold)).payments).toHaveLength(2);
    expect(await takenBack(sold)).toContain("payment.refunded-there");
  });

  test("is there again by its own transaction alone, among all that one round reports", async () => {
    const sold = [await order("kkiapay"), await order("kkiapay"), await order("kkiapay")] as const;
    for (const each of sold) {
      await paysAt(each);
      await takeBack(each, { provider: "kkiapay", word: "REVERTED" });
    }
    const paid = await app.sql<{ paymentId: bigint; transactionId: string }>`
      SELECT id AS "paymentId", transaction_id AS "transactionId" FROM payments
      WHERE order_id = ANY(${sold.map(({ orderId }) => orderId)}::bigint[]) ORDER BY id`;
    const [first, second, third] = paid;
    assert(first && second && third, "each order has a payment");
    // A transaction that no answer names is the payment's own.
    const reports = [
      third,
      { ...second, transactionId: "another" },
      { ...first, transactionId: null },
    ];
    await resolveRefundsThere(app.db, reports, app.clock.now());
    const alerts = await Promise.all(sold.map((each) => takenBack(each)));
    expect(alerts).toEqual([[], ["payment.refunded-there"], []]);
  });

  test("delays no other payment, though a third id never gets an answer", async () => {
    const sold = await order("kkiapay");
    await paysAt(sold);
    await takeBack(sold, { provider: "kkiapay", word: "REVERTED" });
    await paysAgain(sold);
    const third = await paysAgain(sold);
    // Not one of KkiaPay's statuses.
    app.emulators.collectors.kkiapay.alter(third.id, { status: 0 as never });
    await app.drain();
    expect((await read(sold)).payments).toHaveLength(2);
    app.emulators.collectors.kkiapay.alter(third.id, { status: "SUCCESS" });
    await app.advance(DAY_MS);
    expect((await read(sold)).payments).toHaveLength(3);
  });

  test("is not confused with a refund of ours", async () => {
    const sold = await order("kkiapay");
    await paysAt(sold);
    const given = await app.send("POST /api/orders/:id/refund", shop.seller, {
      id: sold.orderId,
      motif: "Le groupe ferme",
    });
    expect(given.status).toBe(200);
    await app.drain();
    await takeBack(sold, { provider: "kkiapay", word: "REVERTED" });
    expect(await takenBack(sold)).toEqual([]);
  });
});

describe("the list of providers", () => {
  const list = async (query: Readonly<Record<string, string>> = {}) =>
    (await app.read("GET /api/payment-providers", undefined, query)).providers;

  test("has the price of a product at each, and nothing for an unknown one", async () => {
    const providers = await list({ reference: shop.product.reference });
    expect(providers.map(({ id }) => id).toSorted()).toEqual([
      "cryptopay",
      "fedapay",
      "kkiapay",
      "moneroo",
      "paydunya",
      "stars",
    ]);
    const quotes = Object.fromEntries(providers.map(({ id, quote }) => [id, quote?.label ?? null]));
    expect(quotes).toMatchObject({ cryptopay: "7,63 €", stars: "625 Stars", moneroo: null });
    const unknown = await app.call("GET", "/api/payment-providers?reference=nosuchref");
    expect(unknown.status).toBe(404);
    expect((await list({ plan: "payant" })).every(({ quote, id }) => id !== "stars" || quote)).toBe(
      true,
    );
  });

  test("marks and puts last a provider that fails, and forgets it after half an hour", async () => {
    await app.advance(HOUR_MS);
    const collector = app.emulators.collectors.paydunya;
    const disturbed = async () =>
      (await list()).filter((each) => each.disturbed).map(({ id }) => id);
    collector.fault("create", "down");
    for (let calls = 0; calls < 2; calls += 1) await order("paydunya");
    expect(await disturbed()).toEqual([]);
    await order("paydunya");
    expect(await disturbed()).toEqual(["paydunya"]);
    expect((await list()).at(-1)?.id).toBe("paydunya");
    collector.clearFaults();
    await app.advance(31 * MINUTE_MS);
    expect(await disturbed()).toEqual([]);
  });
});

test("Telegram Stars are refused before the payment from another person, and for an order already paid", async () => {
  const first = await order("stars");
  const stranger = await app.person();
  app.emulators.collectors.stars.settle(first.reference ?? "", "success", {
    personId: stranger.id,
  });
  await app.drain();
  expect((await read(first)).status).toBe("pending");
  const other = await change(first, "moneroo");
  await paysAt(other);
  expect((await read(first)).status).toBe("paid");
  settleAt(first, "success");
  await app.drain();
  expect(await outcomeOf(app, first.orderId)).toMatchObject({ suspended: 0n });
  expect((await read(first)).paid_twice).toBe(false);
});

test("the premium plan is sold only to a seller with an open account, by a seller's token", async () => {
  const plan = { plan: "payant", provider: "moneroo" };
  expect(await app.send("POST /api/orders", shop.buyer, plan)).toMatchObject({
    status: 403,
    body: { message: "Utilisateur non identifié" },
  });
  const seller = await app.signInSeller();
  await app.sql`UPDATE sellers SET closed_at = ${app.clock.now()} WHERE id = ${seller.id}`;
  const refused = await app.send("POST /api/orders", seller, plan);
  expect(refused).toMatchObject({ body: { code: "checkout.account-closed" } });
});

/**
 * The result for an order, the ledger, its membership and the alerts:
 *   paid     paid by one sale in the ledger, membership open
 *   waits    pending, no franc in the ledger, no membership; lookups continue
 *   failed   the provider refused: as waits, and a late success still counts
 *   alarm    pending, no franc in the ledger, no membership; an alert of a mismatch
 *   returned the provider refunded it before we recorded it: failed, and an alert
 */
type Cell = "paid" | "waits" | "failed" | "alarm" | "returned";

type Cells = Readonly<Partial<Record<KnownProvider, Cell>>>;

type Case = {
  /** Before the order is made. */
  readonly before?: (provider: KnownProvider) => void;
  readonly act: (tried: Tried) => unknown;
  /** As soon as everything in progress has ended. */
  readonly now: Cells;
  /** Ends the fault. */
  readonly mend?: (tried: Tried) => unknown;
  /** Once the fault is over and some minutes have passed; absent: as before. */
  readonly later?: Cells;
};

const all = (cell: Cell, others: Cells = {}): Cells => ({
  ...Object.fromEntries(KNOWN_PROVIDERS.map((id) => [id, cell])),
  ...others,
});

/** Providers with a call that creates a payment; KkiaPay's is created in the browser. */
function byCall(cell: Cell): Cells {
  const { kkiapay: _made, ...others } = all(cell);
  return others;
}

/** Providers that report the status of a payment; Telegram lists paid ones only. */
function worded(cell: Cell): Cells {
  const { stars: _listed, ...others } = all(cell);
  return others;
}

/** Telegram and Crypto Pay do not report a payment that failed. */
const SILENT_NO = { stars: "waits", cryptopay: "waits" } as const;

const NOTHING = { sales: 0, suspended: 0n, accesses: 0 };

const OUTCOMES: Readonly<Record<Cell, Outcome>> = {
  paid: { order: "paid", sales: 1, suspended: 0n, accesses: 1, alerts: [] },
  waits: { order: "pending", ...NOTHING, alerts: [] },
  failed: { order: "failed", ...NOTHING, alerts: [] },
  alarm: { order: "pending", ...NOTHING, alerts: ["payment.mismatch"] },
  returned: { order: "failed", ...NOTHING, alerts: ["payment.refunded-there"] },
};

/** An alert stays open after the fault is corrected. */
function cellOf(outcome: Outcome, alarmed: boolean): string {
  const { alerts, ...facts } = outcome;
  for (const [cell, known] of Object.entries(OUTCOMES)) {
    const { alerts: expected, ...same } = known;
    const alike = Object.entries(same).every(([name, value]) =>
      Object.is(facts[name as keyof typeof facts], value),
    );
    const allowed = alarmed && cell === "paid" ? alerts : expected;
    if (alike && String(alerts) === String(allowed)) return cell;
  }
  return JSON.stringify(outcome, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

const collectorOf = ({ provider }: Tried) => app.emulators.collectors[provider];

const pays = (tried: Tried) => settleAt(tried, "success");

/** Paid, and reported otherwise until the fault is over. */
const altered = (change: AlteredPayment) => ({
  act: (tried: Tried) => {
    pays(tried);
    collectorOf(tried).alter(tried.reference ?? "", change);
  },
  mend: (tried: Tried) => {
    const truth = Object.fromEntries(Object.keys(change).map((name) => [name, null]));
    collectorOf(tried).alter(tried.reference ?? "", truth);
  },
});

/** The provider's status of a refunded payment. */
const RETURNED: Readonly<Partial<Record<KnownProvider, string>>> = {
  fedapay: "refunded",
  kkiapay: "REVERTED",
  paydunya: "refunded",
};

const asking = (kind: PaymentFault): Case => ({
  act: (tried) => {
    collectorOf(tried).fault("fetch", kind, 20);
    pays(tried);
  },
  now: all("waits"),
  mend: (tried) => collectorOf(tried).clearFaults(),
  later: all("paid"),
});

const creating = (kind: PaymentFault): Case => ({
  before: (id) => app.emulators.collectors[id].fault("create", kind),
  // FedaPay finds a transaction by our reference, so a lost answer loses nothing.
  act: ({ provider, reference }) => provider === "fedapay" || expect(reference).toBeNull(),
  now: byCall("waits"),
  // After a 429 the provider is called again when the wait is over.
  mend: async (tried) => {
    if (tried.reference !== null) return pays(tried);
    const { buyer, provider, orderId } = tried;
    return pays(await tryAt({ buyer, provider, orderId }));
  },
  later: byCall("paid"),
});

const CASES: Readonly<Record<string, Case>> = {
  success: { act: pays, now: all("paid") },
  refusal: { act: (tried) => settleAt(tried, "failure"), now: all("failed", SILENT_NO) },
  // Closing KkiaPay's or FedaPay's widget is reported to nobody.
  dismissed: {
    act: (tried) => settleAt(tried, "cancel"),
    now: all("failed", { ...SILENT_NO, kkiapay: "waits" }),
  },
  // KkiaPay's payment is found by the id that the browser reported.
  "webhook lost": {
    before: (id) => Object.assign(app.emulators.collectors[id].webhooks, { drop: true }),
    act: pays,
    now: all("waits"),
    later: all("paid"),
  },
  "reported three times, and again later": {
    before: (id) => Object.assign(app.emulators.collectors[id].webhooks, { copies: 3 }),
    act: pays,
    now: all("paid"),
    mend: (tried) => {
      const sent = collectorOf(tried).webhookViews().at(-1);
      if (sent) collectorOf(tried).repeatWebhook(sent.id);
    },
  },
  "success after failure": {
    act: async (tried) => {
      settleAt(tried, "failure");
      await app.drain();
      pays(tried);
    },
    now: all("paid"),
  },
  // A charge in Telegram's list never changes.
  "amount changed": {
    ...altered({ amount: 100 }),
    now: all("alarm"),
    later: all("paid", { stars: "alarm" }),
  },
  // An update in another currency is ignored; Telegram's list has Stars only.
  "currency changed": {
    ...altered({ currency: "NGN" }),
    now: all("alarm", { stars: "waits" }),
    later: all("paid"),
  },
  // An answer with another order's reference is ignored by adapters that find a payment by an id.
  "reference changed": {
    ...altered({ reference: "999999" }),
    now: all("alarm", { kkiapay: "waits", stars: "waits" }),
    later: all("paid"),
  },
  "word unknown": {
    ...altered({ status: "mystery" }),
    now: worded("waits"),
    later: worded("paid"),
  },
  "given back before we asked": {
    act: (tried) => altered({ status: RETURNED[tried.provider] ?? null }).act(tried),
    now: { fedapay: "returned", kkiapay: "returned", paydunya: "returned" },
  },
  "creation breaks before": creating("timeout-before"),
  "creation breaks after": creating("timeout-after"),
  "creation 500": creating("500"),
  "creation 429": creating("429"),
  "creation nonsense": creating("nonsense"),
  "question breaks": asking("timeout-before"),
  "question 500": asking("500"),
  "question 429": asking("429"),
  "question nonsense": asking("nonsense"),
  "question not found": asking("not-found"),
  "question refused by keys": asking("keys"),
  // An untrusted update of Telegram is a report like others: its list is read, and has the true
  // charge. The last row: FedaPay stops sending to an address that refused it often.
  "reported by nobody we know": {
    before: (id) => Object.assign(app.emulators.collectors[id].webhooks, { forgeSignature: true }),
    act: pays,
    now: all("waits", { stars: "paid" }),
    later: all("paid"),
  },
};

async function cellsOf(all: readonly Tried[], { now }: Case): Promise<Record<string, string>> {
  const alarmed = Object.values(now).includes("alarm");
  const cells: Record<string, string> = {};
  for (const { provider, orderId } of all) {
    cells[provider] = cellOf(await outcomeOf(app, orderId), alarmed);
  }
  return cells;
}

test.each(Object.entries(CASES))("each provider, and %s", async (_, row) => {
  const providers = KNOWN_PROVIDERS.filter((id) => row.now[id] !== undefined);
  for (const provider of providers) row.before?.(provider);
  const all = await Promise.all(providers.map((provider) => order(provider)));
  for (const tried of all) await row.act(tried);
  await app.drain();
  expect(await cellsOf(all, row)).toEqual(row.now);
  if (!row.mend && !row.later) return;
  mend();
  // After a 429 to a creation the provider is not called for a while.
  if (row.before && all.some((tried) => tried.reference === null)) {
    await app.advance(2 * MINUTE_MS);
  }
  for (const tried of all) {
    await row.mend?.(tried);
    const { transactionId = null } = collectorOf(tried).find(tried.reference ?? "") ?? {};
    if (tried.provider === "kkiapay" && transactionId) {
      await reportTransaction(tried, transactionId);
    }
  }
  await app.drain();
  await app.advance(5 * MINUTE_MS);
  expect(await cellsOf(all, row)).toEqual(row.later ?? row.now);
});

const expected = { providerPaymentId: "py_1", amount: fcfa(5_000), reference: "17" };
const yes: FetchedPayment = {
  providerPaymentId: "py_1",
  status: "paid",
  word: "success",
  amount: fcfa(5_000),
  currency: "XOF",
  environment: "live",
  reference: "17",
};
const assess = (change: Partial<FetchedPayment>, production = true) =>
  assessPayment(expected, { ...yes, ...change }, { production });

describe("a provider's answer", () => {
  test("is money only as a success of exactly what was ordered", () => {
    expect(assess({})).toEqual({ kind: "paid" });
  });

  test.each([
    ["another payment", { providerPaymentId: "py_2" }, "id", null],
    ["less", { amount: fcfa(4_999) }, "amount", 4_999n],
    ["more", { amount: fcfa(5_001) }, "amount", 5_001n],
    ["no whole number", { amount: null }, "amount", null],
    ["another currency", { currency: "XAF" }, "currency", null],
    ["no currency", { currency: null }, "currency", null],
    ["another order", { reference: "18" }, "reference", 5_000n],
    ["an order it does not name", { reference: null }, "reference", 5_000n],
    ["money of which a part went back", { status: "partly-refunded" }, "partly-refunded", null],
    ["a sandbox", { environment: "sandbox" }, "environment", null],
    ["an environment unsaid", { environment: "unknown" }, "environment", null],
  ] as const)("is a mismatch for %s", (...[, change, reason, received]) => {
    expect(assess(change)).toEqual({ kind: "mismatch", reason, received });
  });

  test("of a sandbox is money in a demo, and never in production", () => {
    expect(assess({ environment: "sandbox" }, false)).toEqual({ kind: "paid" });
    expect(assess({ environment: "sandbox" }, true)).toMatchObject({ kind: "mismatch" });
  });

  test("that is no success is compared with nothing", () => {
    expect(assess({ status: "refused", amount: null })).toEqual({ kind: "refused" });
    expect(assess({ status: "pending", currency: null })).toEqual({ kind: "pending" });
    expect(assessPayment(expected, null, { production: true })).toEqual({ kind: "pending" });
  });
});
