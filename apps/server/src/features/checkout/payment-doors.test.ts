import { ASKED_FOR_MS, type CreateOrderAnswer, type OrderAnswer } from "@sesame/contract/checkout";
import type { AnswerOf } from "@sesame/contract/routes";
import { addMs, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import type { SignedInBuyer } from "../../../test/harness.ts";
import {
  mendAll,
  outcomeOf,
  sellByAll,
  settleAt,
  tellHeard,
  type Tried,
  tryAt,
  WEBHOOKS,
  type WebhookSource,
} from "../../../test/payments.ts";
import { openShop, type Shop } from "../../../test/sales.ts";
import { openDatabase } from "../../postgres/database.ts";
import { brokenAccesses, brokenSales } from "../../upkeep/books.view.ts";
import { claimChecks } from "./checks.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
  await sellByAll(shop.app, shop.seller.id);
});
afterEach(() => mendAll(shop.app));
afterAll(async () => {
  expect(await check(shop.app.db)).toEqual([]);
  expect(await brokenSales(shop.app.db, 10)).toEqual([]);
  expect(await brokenAccesses(shop.app.db, 10)).toEqual([]);
  await shop.app.close();
});

type Id = Tried["provider"];

const order = async (provider: Id, buyer?: SignedInBuyer) =>
  tryAt(shop.app, {
    buyer: buyer ?? (await shop.app.signInBuyer()),
    provider,
    product: shop.product.reference,
  });
const change = ({ buyer, orderId }: Tried, provider: Id) =>
  tryAt(shop.app, { buyer, provider, orderId });
const read = async ({ buyer, orderId }: Tried) =>
  (await shop.app.call<OrderAnswer>("GET", `/api/orders/${orderId}`, { token: buyer.token })).body;
const paysAt = async (tried: Tried) => {
  settleAt(shop.app, tried, "success");
  await shop.app.drain();
};
/** Pays once more in the widget; its webhook is stored, and nothing is asked. */
const paysAgain = async (first: Tried) => {
  const { db, emulators } = shop.app;
  const reference = first.reference ?? "";
  emulators.kkiapay.open({ amount: 5_000, data: reference, partnerId: reference });
  const paid = settleAt(shop.app, first, "success");
  await eventually(async () => {
    const told = sql`SELECT FROM payment_rumours WHERE transaction_id = ${paid.transactionId}`;
    return (await told.execute(db)).rows.length === 1;
  });
  return paid;
};
/** For a lock in the database. */
const somebodyWaits = () =>
  eventually(async () => {
    const waiting = sql`SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    return (await waiting.execute(shop.app.db)).rows.length > 0;
  });
const pass = async (ms: number) => {
  shop.app.clock.advance(ms);
  await shop.app.drain();
};

describe("what a browser heard", () => {
  test("is asked about, believed in nothing, and kept a few times only", async () => {
    const first = await order("kkiapay");
    for (let name = 0; name < 15; name += 1) {
      expect((await tellHeard(shop.app, first, `made-up-${name}`)).status).toBe(204);
    }
    const { rows } = await sql`
      SELECT 1 FROM payment_rumours r JOIN payments p ON p.id = r.payment_id
      WHERE p.order_id = ${first.orderId}`.execute(shop.app.db);
    expect(rows).toHaveLength(10);
    await shop.app.drain();
    expect((await read(first)).status).toBe("pending");
    await paysAt(first);
    expect((await read(first)).status).toBe("paid");
  });

  test("of somebody else's transaction is nobody's here, and no alarm", async () => {
    const [mine, theirs] = [await order("kkiapay"), await order("kkiapay")];
    const paid = settleAt(shop.app, theirs, "silent success");
    await tellHeard(shop.app, mine, paid.transactionId ?? "");
    await shop.app.drain();
    expect(await outcomeOf(shop.app, mine.orderId)).toMatchObject({ order: "pending", alerts: [] });
  });

  test("is refused where nobody has the secret, and where it is no name", async () => {
    const first = await order("kkiapay");
    expect((await tellHeard(shop.app, first, "a b")).status).toBe(422);
    expect((await tellHeard(shop.app, first, "x".repeat(101))).status).toBe(422);
    const nobody = { ...first, paymentUrl: `/${"x".repeat(32)}` };
    expect((await tellHeard(shop.app, nobody, "t1")).status).toBe(404);
  });

  test("of a widget paid twice gives the second one back", async () => {
    const first = await order("kkiapay");
    await paysAt(first);
    shop.app.emulators.kkiapay.open({
      amount: 5_000,
      data: first.reference,
      partnerId: first.reference ?? "",
    });
    await paysAt(first);
    expect(await outcomeOf(shop.app, first.orderId)).toMatchObject({ order: "paid", sales: 1 });
    const answer = await read(first);
    expect(answer).toMatchObject({ paid_twice: true, refund: { surplus: true, amount: 5_000 } });
    // Told again, it is known.
    await pass(HOUR_MS);
    expect((await read(first)).payments).toHaveLength(2);
  });

  test("of a widget paid twice is asked about until KkiaPay answers, which takes more than a day", async () => {
    const first = await order("kkiapay");
    await paysAt(first);
    const reference = first.reference ?? "";
    shop.app.emulators.kkiapay.open({ amount: 5_000, data: reference, partnerId: reference });
    shop.app.emulators.collectors.kkiapay.fault("fetch", "500", 20);
    await paysAt(first);
    await pass(DAY_MS + HOUR_MS);
    mendAll(shop.app);
    await pass(DAY_MS);
    expect(await read(first)).toMatchObject({ refund: { surplus: true, amount: 5_000 } });
  });

  test("of a widget paid twice is asked about again when KkiaPay answers for the first alone", async () => {
    const first = await order("kkiapay");
    await paysAt(first);
    const reference = first.reference ?? "";
    shop.app.emulators.kkiapay.open({ amount: 5_000, data: reference, partnerId: reference });
    await pass(HOUR_MS);
    const { limit } = shop.app.emulators.collectors.kkiapay;
    limit.perMinute = 1;
    await paysAt(first);
    expect((await read(first)).payments).toHaveLength(1);
    limit.perMinute = null;
    await pass(DAY_MS);
    expect(await read(first)).toMatchObject({ refund: { surplus: true, amount: 5_000 } });
  });

  test.each(["first", "second"] as const)(
    "of a widget paid twice at once is settled, and asked about again when the %s is not answered for",
    async (which) => {
      const first = await order("kkiapay");
      await pass(MINUTE_MS);
      const reference = first.reference ?? "";
      const { limit } = shop.app.emulators.collectors.kkiapay;
      settleAt(shop.app, first, "success");
      shop.app.emulators.kkiapay.open({ amount: 5_000, data: reference, partnerId: reference });
      settleAt(shop.app, first, "success");
      if (which === "first") shop.app.emulators.collectors.kkiapay.fault("fetch", "500");
      else limit.perMinute = 1;
      await shop.app.drain();
      expect((await read(first)).status).toBe("paid");
      limit.perMinute = null;
      await pass(DAY_MS);
      expect(await outcomeOf(shop.app, first.orderId)).toMatchObject({ order: "paid", sales: 1 });
      expect(await read(first)).toMatchObject({ refund: { surplus: true, amount: 5_000 } });
    },
  );

  test.each(["paid twice", "given up"])(
    "of a payment that is %s is asked about though the lease of the question under way is over",
    async (was) => {
      const first = await order("kkiapay");
      if (was === "given up") shop.app.clock.advance(ASKED_FOR_MS);
      else {
        await paysAt(first);
        await paysAgain(first);
      }
      const { asking } = await shop.app.db.transaction().execute(async (tx) => {
        // What KkiaPay answered is being written when another name is heard.
        await sql`SELECT FROM orders WHERE id = ${first.orderId} FOR UPDATE`.execute(tx);
        const drained = shop.app.drain();
        await somebodyWaits();
        shop.app.clock.advance(MINUTE_MS);
        await paysAgain(first);
        return { asking: drained };
      });
      await asking;
      await pass(DAY_MS);
      const answer = await read(first);
      expect(answer.status).toBe("paid");
      expect(answer.payments).toHaveLength(was === "given up" ? 1 : 3);
    },
  );

  test("while a question is taken is asked by it, or by the next one", async () => {
    const { app } = shop;
    const first = await order("kkiapay");
    await paysAt(first);
    const second = await paysAgain(first);
    const now = app.clock.now();
    const claim = { now, leaseEnd: addMs(now, 12_000), limit: 400, except: [], paced: new Map() };
    // Who takes questions has read them, and stands before their locks, as long as the test holds its own.
    await sql`CREATE SCHEMA slow`.execute(app.db);
    await sql`
      CREATE FUNCTION slow.reached(a timestamptz, b timestamptz) RETURNS boolean
      LANGUAGE plpgsql AS $$ BEGIN
        PERFORM pg_advisory_lock_shared(7), pg_advisory_unlock_shared(7);
        RETURN a OPERATOR(pg_catalog.<=) b;
      END $$
    `.execute(app.db);
    await sql`
      CREATE OPERATOR slow.<= (FUNCTION = slow.reached, LEFTARG = timestamptz, RIGHTARG = timestamptz)
    `.execute(app.db);
    const other = openDatabase({ url: app.databaseUrl, poolSize: 2 });
    const { claiming, third } = await other.db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(7)`.execute(tx);
      const taken = other.db.transaction().execute(async (its) => {
        await sql`SET LOCAL search_path = slow, pg_catalog, public`.execute(its);
        return claimChecks(its, claim);
      });
      await somebodyWaits();
      return { claiming: taken, third: await paysAgain(first) };
    });
    const [taken] = await claiming;
    expect(taken?.heard).toEqual(
      expect.arrayContaining([second.transactionId, third.transactionId]),
    );
    await other.close();
    await sql`DROP SCHEMA slow CASCADE`.execute(app.db);
    // What was taken is asked again when its lease is over: its taker is gone.
    await pass(MINUTE_MS);
    expect((await read(first)).payments).toHaveLength(3);
  });

  test("of a widget paid twice, once too little, is paid by the whole price, whatever write fails", async () => {
    const first = await order("kkiapay");
    settleAt(shop.app, first, "success");
    const partnerId = first.reference ?? "";
    shop.app.emulators.kkiapay.open({ amount: 100, data: partnerId, partnerId });
    settleAt(shop.app, first, "success");
    // The sale of the whole price meets it, and what is told of the same answer afterwards does not.
    await sql`CREATE SEQUENCE failures_of_a_sale`.execute(shop.app.db);
    await sql`
      CREATE FUNCTION fail_a_sale() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('failures_of_a_sale') > 1 THEN RETURN NEW; END IF;
        RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01';
      END $$
    `.execute(shop.app.db);
    await sql`
      CREATE TRIGGER fail_a_sale BEFORE INSERT ON ledger_transfers FOR EACH ROW
      WHEN (NEW.id LIKE 'sale:%') EXECUTE FUNCTION fail_a_sale()
    `.execute(shop.app.db);
    await shop.app.drain();
    expect(shop.app.takeErrors().join()).toContain("a payment was not settled");
    await sql`DROP FUNCTION fail_a_sale() CASCADE`.execute(shop.app.db);
    await pass(HOUR_MS);
    const { rows } = await sql<{ amount: bigint; suspended_amount: bigint | null }>`
      SELECT amount, suspended_amount FROM payments
      WHERE order_id = ${first.orderId} AND status = 'paid' ORDER BY id
    `.execute(shop.app.db);
    expect(rows).toEqual([
      { amount: 5_000n, suspended_amount: null },
      { amount: 100n, suspended_amount: 100n },
    ]);
    const answer = await read(first);
    expect(answer).toMatchObject({ status: "paid", refund: { surplus: true, amount: 100 } });
  });
});

describe("a sale whose money is taken back at its provider", () => {
  const takenBack = async ({ orderId }: Tried) => {
    const { rows } = await sql<{ kind: string }>`
      SELECT d.kind FROM desk_alerts d
      JOIN payments p ON d.subject = 'payment:' || p.id AND p.order_id = ${orderId}
      WHERE d.resolved_at IS NULL
    `.execute(shop.app.db);
    return rows.map(({ kind }) => kind);
  };
  type Bank = "fedapay" | "paydunya" | "kkiapay";
  /** Weeks after: the provider's own notice, in words that were not heard before. */
  const takeBack = async (tried: Tried, { provider, word }: { provider: Bank; word: string }) => {
    const { app } = shop;
    app.emulators.collectors[provider].alter(tried.reference ?? "", { status: word });
    const { rows } = await sql<{ id: string; transaction: string }>`
      SELECT provider_payment_id AS id, transaction_id AS transaction FROM payments
      WHERE order_id = ${tried.orderId}
    `.execute(app.db);
    const [{ id, transaction } = { id: "", transaction: "" }] = rows;
    const { sample, sign } = WEBHOOKS[provider] as WebhookSource;
    const said = structuredClone(sample) as typeof sample & Record<string, Record<string, unknown>>;
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
    const { headers, body } = sign(
      JSON.stringify({ ...said, ...words[provider] }),
      app.clock.now(),
    );
    const heard = await app.call("POST", `/webhooks/${provider}`, { headers, body });
    expect(heard.status).toBe(200);
    await app.drain();
  };

  test.each<{ provider: Bank; word: string }>([
    { provider: "fedapay", word: "refunded" },
    { provider: "fedapay", word: "approved_partially_refunded" },
    { provider: "paydunya", word: "refunded" },
    { provider: "kkiapay", word: "REVERTED" },
  ])("is heard of at $provider: $word", async (bank) => {
    const sold = await order(bank.provider);
    await paysAt(sold);
    expect(await read(sold)).toMatchObject({ status: "paid" });
    expect(await takenBack(sold)).toEqual([]);
    await takeBack(sold, bank);
    expect(await takenBack(sold)).toEqual(["payment.refunded-there"]);
  });

  test("is not there again when the buyer pays the widget once more", async () => {
    const sold = await order("kkiapay");
    await paysAt(sold);
    await takeBack(sold, { provider: "kkiapay", word: "REVERTED" });
    const reference = sold.reference ?? "";
    shop.app.emulators.kkiapay.open({ amount: 5_000, data: reference, partnerId: reference });
    await paysAt(sold);
    expect((await read(sold)).payments).toHaveLength(2);
    expect(await takenBack(sold)).toContain("payment.refunded-there");
  });

  test("holds back nothing that was paid beside it, though a third name is never answered for", async () => {
    const sold = await order("kkiapay");
    await paysAt(sold);
    await takeBack(sold, { provider: "kkiapay", word: "REVERTED" });
    await paysAgain(sold);
    const third = await paysAgain(sold);
    // No word of theirs.
    shop.app.emulators.collectors.kkiapay.alter(third.id, { status: 0 as never });
    await shop.app.drain();
    expect((await read(sold)).payments).toHaveLength(2);
    shop.app.emulators.collectors.kkiapay.alter(third.id, { status: "SUCCESS" });
    await pass(DAY_MS);
    expect((await read(sold)).payments).toHaveLength(3);
  });

  test("is not taken for one that we give back ourselves", async () => {
    const sold = await order("kkiapay");
    await paysAt(sold);
    const given = await shop.app.call("POST", `/api/orders/${sold.orderId}/refund`, {
      token: shop.seller.token,
      body: { motif: "Le groupe ferme" },
    });
    expect(given.status).toBe(200);
    await shop.app.drain();
    await takeBack(sold, { provider: "kkiapay", word: "REVERTED" });
    expect(await takenBack(sold)).toEqual([]);
  });
});

describe("the list of ways to pay", () => {
  const list = async (query = "") =>
    (
      await shop.app.call<AnswerOf<"GET /api/payment-providers">>(
        "GET",
        `/api/payment-providers${query}`,
      )
    ).body.providers;

  test("says of a product what each asks, and of an unknown one nothing", async () => {
    const providers = await list(`?reference=${shop.product.reference}`);
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
    const unknown = await shop.app.call("GET", "/api/payment-providers?reference=nosuchref");
    expect(unknown.status).toBe(404);
    expect((await list("?plan=payant")).every(({ quote, id }) => id !== "stars" || quote)).toBe(
      true,
    );
  });

  test("puts last and marks a provider that fails us, and forgets it after half an hour", async () => {
    await pass(HOUR_MS);
    const desk = shop.app.emulators.collectors.paydunya;
    const disturbed = async () =>
      (await list()).filter((each) => each.disturbed).map(({ id }) => id);
    desk.fault("create", "down");
    for (let calls = 0; calls < 2; calls += 1) await order("paydunya");
    expect(await disturbed()).toEqual([]);
    await order("paydunya");
    expect(await disturbed()).toEqual(["paydunya"]);
    expect((await list()).at(-1)?.id).toBe("paydunya");
    desk.clearFaults();
    await pass(31 * MINUTE_MS);
    expect(await disturbed()).toEqual([]);
  });
});

describe("Telegram Stars", () => {
  test("are refused before they move from another person, and for what is paid already", async () => {
    const first = await order("stars");
    const stranger = await shop.app.person();
    shop.app.emulators.collectors.stars.settle(first.reference ?? "", "success", {
      personId: stranger.id,
    });
    await shop.app.drain();
    expect((await read(first)).status).toBe("pending");
    const other = await change(first, "moneroo");
    await paysAt(other);
    expect((await read(first)).status).toBe("paid");
    settleAt(shop.app, first, "success");
    await shop.app.drain();
    expect(await outcomeOf(shop.app, first.orderId)).toMatchObject({ suspended: 0n });
    expect((await read(first)).paid_twice).toBe(false);
  });

  test("told twice are one charge", async () => {
    shop.app.emulators.collectors.stars.notices.copies = 2;
    const first = await order("stars");
    await paysAt(first);
    await pass(MINUTE_MS);
    const { rows } = await sql`
      SELECT 1 FROM star_charges WHERE reference = ${first.reference}`.execute(shop.app.db);
    expect(rows).toHaveLength(1);
    expect(await outcomeOf(shop.app, first.orderId)).toMatchObject({ order: "paid", sales: 1 });
  });
});

describe("the premium plan", () => {
  const buy = (token: string, body: object = {}) =>
    shop.app.call<CreateOrderAnswer & { code?: string; message?: string }>("POST", "/api/orders", {
      token,
      body: { plan: "payant", provider: "moneroo", ...body },
    });

  test("is bought by a seller at the operator's price, by a change of provider, and renewed", async () => {
    const made = await buy(shop.seller.token);
    expect(made).toMatchObject({ status: 201, body: { amount: 5_000, opens: "page" } });
    const tried = await tryAt(shop.app, {
      buyer: shop.seller as unknown as SignedInBuyer,
      provider: "cryptopay",
      orderId: made.body.id,
    });
    await paysAt(tried);
    const order = await read(tried);
    expect(order).toMatchObject({ kind: "plan", status: "paid", seller: null, access: null });
    const { rows } = await sql<{ plan: string; until: Date }>`
      SELECT plan, premium_until AS until FROM sellers WHERE id = ${shop.seller.id}
    `.execute(shop.app.db);
    const end = new Date(shop.app.clock.now().getTime() + 30 * DAY_MS);
    expect(rows).toEqual([{ plan: "premium", until: end }]);
    shop.app.clock.advance(2 * MINUTE_MS);
    expect((await buy(shop.seller.token)).status).toBe(201);
  });

  test("is sold to nobody but a seller, by a seller's token, whose account is open", async () => {
    expect(await buy(shop.buyer.token)).toMatchObject({
      status: 403,
      body: { message: "Utilisateur non identifié" },
    });
    const seller = await shop.app.signInSeller();
    await sql`UPDATE sellers SET closed_at = ${shop.app.clock.now()} WHERE id = ${seller.id}`.execute(
      shop.app.db,
    );
    expect(await buy(seller.token)).toMatchObject({ body: { code: "checkout.account-closed" } });
  });
});
