import { type ChildProcess, spawn } from "node:child_process";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { RETRY_PAUSES_MS, retryPauseMs } from "@sesame/contract/developers";
import { assert, DAY_MS, HOUR_MS, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { checkSignature } from "../../../../emulators/src/developer/developer.ts";
import { createDeveloperFixtures } from "../../../test/developers.ts";
import { askWithdrawal, fundSeller } from "../../../test/funds.ts";
import { createGroupFixtures } from "../../../test/groups.ts";
import { type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { freePort } from "../../../test/http.ts";
import { buyProduct, openShelf } from "../../../test/sales.ts";
import { readerOf } from "../../../test/tables.ts";
import { noteOrders, noteOutbound } from "../../outbound/events.store.ts";
import type { Db } from "../../postgres/database.ts";
import { createVault } from "../../secrets/vault.ts";
import { noteNews } from "../withdrawals/index.ts";
import { listSellerAccesses } from "./api.ts";
import { listSellerDeliveries } from "./deliveries.ts";
import { leaseDeliveries } from "./dispatcher.ts";
import { findEndpoint } from "./endpoints.ts";
import { openSecrets, rotateSecrets, signatureHeaders } from "./secrets.ts";

let seller: SignedInSeller;
let nth = 0;
let child: ChildProcess | null = null;

const app = await startTestApp();
const setup = createDeveloperFixtures(app);
const fixture = createGroupFixtures(app);
afterAll(async () => child?.kill());

/** A seller of this test only, with an endpoint that listens. */
async function listening(events?: readonly string[]) {
  seller = await app.seller({ plan: "premium" });
  return setup.listen(seller, `site-${++nth}`, events);
}

/** A seller of this test only, with a group and a product. */
async function premiumShop() {
  const shop = await fixture.openShop();
  seller = shop.seller;
  await fundSeller(app, seller, 0, "premium");
  return shop;
}

/** A test event to an endpoint of the test's seller, sent at once. */
async function pinged(id: string) {
  const delivery = await setup.ping(seller, id);
  await app.drain();
  return delivery;
}

const change = (id: string, body: object) =>
  app.send("PUT /api/developers/endpoints/:id", seller, { id, ...body });

const countEvents = ({ id }: SignedInSeller) => app.value<number>`
  SELECT count(*)::int AS n FROM webhook_events WHERE seller_id = ${BigInt(id)}`;

describe("an event", () => {
  test("is sent after each real transition, signed, with the API's object", async () => {
    const shop = await premiumShop();
    const { hook } = await setup.listen(seller, "story");
    const { secret } = await setup.createKey(seller);
    const { buyer, orderId } = await fixture.buyerInside(shop);
    const order = await app.call("GET", `/api/v1/orders/${orderId}`, { token: secret });
    const types = () => hook.received.map(({ type }) => type).toSorted();
    expect(types()).toEqual(["access.started", "order.paid"]);
    const paid = hook.received.find(({ type }) => type === "order.paid");
    expect(JSON.parse(paid?.body ?? "")).toEqual({
      type: "order.paid",
      timestamp: app.clock.now().toISOString(),
      data: order.body,
    });
    await app.advance(25 * HOUR_MS);
    expect(types()).toEqual(["access.ended", "access.started", "order.paid"]);
    const again = await buyProduct(app, buyer, shop.reference);
    await app.send("POST /api/orders/:id/refund", seller, { id: again, motif: "Erreur" });
    await app.drain();
    expect(types()).toContain("order.refunded");
    expect(types().filter((type) => type === "order.paid")).toHaveLength(2);
    for (const { checked } of hook.received) expect(checked).toBe("good");
    expect(new Set(hook.received.map(({ id }) => id)).size).toBe(hook.received.length);
  });

  test("is recorded for no seller without a subscription or premium, or with a closed account", async () => {
    const { endpoint, hook } = await listening(["withdrawal.paid"]);
    const shop = await fixture.openShop();
    await fixture.buyerInside(shop);
    expect(hook.received).toEqual([]);
    expect(await countEvents(shop.seller)).toBe(0);
    expect((await change(endpoint.id, { events: ["order.paid"] })).status).toBe(200);
    const paid = (subject: bigint) => {
      const event = { sellerId: BigInt(seller.id), type: "order.paid", subject } as const;
      return noteOutbound(app.db, [event], app.clock.now());
    };
    await paid(1n);
    expect(await countEvents(seller)).toBe(1);
    await app.sql`UPDATE sellers SET closed_at = now() WHERE id = ${BigInt(seller.id)}`;
    await paid(2n);
    expect(await countEvents(seller)).toBe(1);
  });

  test("is recorded by two workers for the same sale, one after the other", async () => {
    const shop = await premiumShop();
    const { orderId } = await fixture.buyerInside(shop);
    const { hook } = await setup.listen(seller, "twice", ["order.paid"]);
    const draining = await app.db.transaction().execute(async (tx) => {
      const sales = `sales:${seller.id}`;
      await sql`SELECT pg_advisory_xact_lock(hashtextextended(${sales}, 0))`.execute(tx);
      await app.sql`INSERT INTO outbox (topic, ref, due_at)
        VALUES ('sales.notify-seller', ${BigInt(orderId)}, ${app.clock.now()})`;
      const other = app.drain();
      await app.untilSomebodyWaits();
      // Otherwise each would wait for the other.
      const noted = await app.sql`SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
        WHERE a.wait_event_type = 'Lock' AND l.mode = 'RowExclusiveLock'
          AND l.relation = 'webhook_events'::regclass`;
      expect(noted).toEqual([]);
      await noteOrders(tx, { type: "order.paid", ids: [BigInt(orderId)] }, app.clock.now());
      return { other };
    });
    await draining.other;
    await app.drain();
    expect(hook.received).toHaveLength(1);
  });
});

test("a test event goes to the one endpoint, and its record has the answer", async () => {
  const { endpoint, hook } = await listening(["order.paid"]);
  hook.manner = { kind: "status", status: 202, body: `merci <script> ${"é".repeat(2_000)}` };
  const { id } = await pinged(endpoint.id);
  expect(hook.received.map(({ type, checked }) => [type, checked])).toEqual([["ping", "good"]]);
  const { delivery, body, log } = await setup.delivery(seller, id);
  expect(delivery).toMatchObject({ status: "delivered", attempts: 1, next_at: null });
  expect(delivery.webhook_id).toBe(hook.received[0]?.id);
  expect(body).toBe(hook.received[0]?.body);
  expect(log).toMatchObject([{ status_code: 202, failure: null }]);
  expect(log[0]?.answer).toMatch(/^merci <script> é+/);
  expect(Buffer.byteLength(log[0]?.answer ?? "")).toBeLessThanOrEqual(1_030);
});

describe("a failing endpoint", () => {
  test("is retried for more than three days, later each time, with the same id", async () => {
    const { endpoint, hook } = await listening();
    hook.manner = { kind: "status", status: 500 };
    const { id } = await pinged(endpoint.id);
    const times: number[] = [];
    for (const _ of RETRY_PAUSES_MS) {
      const { delivery } = await setup.delivery(seller, id);
      expect(delivery.status).toBe("pending");
      const due = Date.parse(delivery.next_at ?? "");
      times.push(due - app.clock.now().getTime());
      await app.advance(Math.max(due - app.clock.now().getTime(), MINUTE_MS));
    }
    const failed = { status: "failed", attempts: RETRY_PAUSES_MS.length + 1 };
    expect((await setup.delivery(seller, id)).delivery).toMatchObject(failed);
    times.forEach((pause, step) => {
      const base = RETRY_PAUSES_MS[step] ?? 0;
      expect(pause).toBeGreaterThanOrEqual(base);
      expect(pause).toBeLessThanOrEqual(base * 1.1);
    });
    expect(new Set(hook.received.map((one) => one.id)).size).toBe(1);
    expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1);
    const stamps = hook.received.map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(stamps).toEqual(stamps.toSorted((a, b) => a - b));
    expect(RETRY_PAUSES_MS.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(3 * DAY_MS);
    expect(retryPauseMs(RETRY_PAUSES_MS.length, 0)).toBeNull();
  });

  test("is disabled after days of failures, with a notification of its seller; then a replay works", async () => {
    const { endpoint, hook } = await listening();
    hook.manner = { kind: "status", status: 503 };
    const first = await pinged(endpoint.id);
    app.clock.advance(5 * DAY_MS);
    const last = await pinged(endpoint.id);
    const rows = await app.sql`
      SELECT active, off_reason FROM webhook_endpoints WHERE id = ${BigInt(endpoint.id)}`;
    expect(rows).toEqual([{ active: false, off_reason: "failing" }]);
    const said = app.lastTo(seller.person.id, "seller").text;
    expect(said).toContain("ne répond plus depuis 5 jours");
    const deliveries = await setup.deliveries(seller);
    expect(deliveries.map(({ status }) => status)).toEqual(["failed", "failed"]);
    const replay = (id: string) =>
      app.send("POST /api/developers/deliveries/:id/replay", seller, { id });
    expect((await replay(first.id)).body.code).toBe("developers.endpoint-off");
    expect((await change(endpoint.id, { active: true })).body.endpoint.off_reason).toBeNull();
    hook.manner = { kind: "status", status: 200 };
    expect((await replay(last.id)).status).toBe(200);
    expect((await replay(last.id)).body.code).toBe("developers.under-way");
    await app.drain();
    expect((await setup.delivery(seller, last.id)).delivery).toMatchObject({ status: "delivered" });
    expect(hook.received.at(-1)?.id).toBe(last.webhook_id);
  });

  test("that answers 410 is disabled at once", async () => {
    const { endpoint, hook } = await listening();
    hook.manner = { kind: "status", status: 410 };
    await pinged(endpoint.id);
    const off = { active: false, off_reason: "gone" };
    expect((await change(endpoint.id, {})).body.endpoint).toMatchObject(off);
    expect(app.lastTo(seller.person.id, "seller").text).toContain("(410)");
  });
});

describe("a dead endpoint", () => {
  test("delays nobody, however much waits for it", async () => {
    const dead = await listening();
    const owner = seller;
    const alive = await listening();
    dead.hook.manner = { kind: "silence" };
    // The dead endpoint's calls never time out here: whoever waited for one would wait for ever.
    const limits = vi.spyOn(AbortSignal, "timeout");
    limits.mockImplementation(() => new AbortController().signal);
    onTestFinished(() => limits.mockRestore());
    await setup.ping(owner, dead.endpoint.id);
    const loops = app.app.loops.filter(({ name }) => /^webhooks (healthy|failing)/.test(name));
    for (const loop of loops) loop.wake();
    await eventually(() => expect(dead.hook.received).toHaveLength(1));
    for (let count = 0; count < 20; count++) {
      await setup.ping(seller, alive.endpoint.id);
      await setup.ping(owner, dead.endpoint.id);
    }
    for (const loop of loops) loop.wake();
    await eventually(() => expect(alive.hook.received).toHaveLength(20));
    expect(dead.hook.received.length).toBe(1);
    await app.call("DELETE", `/api/developers/endpoints/${dead.endpoint.id}`, owner);
    dead.hook.release();
    const waiting = (await setup.deliveries(owner)).filter(({ status }) => status === "pending");
    expect(waiting).toEqual([]);
  });

  test("and fifty like it delay no endpoint that failed once", async () => {
    const { endpoint } = await listening();
    await setup.ping(seller, endpoint.id);
    const now = app.clock.now();
    const tx = await app.db.startTransaction().execute();
    await sql`UPDATE webhook_endpoints SET failures = 1, busy_until = ${now}
      WHERE id = ${BigInt(endpoint.id)}`.execute(tx);
    await sql`
      WITH dead AS (
        INSERT INTO webhook_endpoints (seller_id, url, events, secret, secret_key_id, created_at,
          changed_at, failures, busy_until, rest_until)
        SELECT seller_id, url, events, secret, secret_key_id, created_at, changed_at, 9,
          ${now}::timestamptz - interval '1 hour', ${now}
        FROM webhook_endpoints, generate_series(1, 50) WHERE id = ${BigInt(endpoint.id)}
        RETURNING id
      )
      INSERT INTO webhook_deliveries (endpoint_id, event_id, due_at, created_at)
      SELECT dead.id, (SELECT max(id) FROM webhook_events), ${now}, ${now} FROM dead
    `.execute(tx);
    const leaseRequest = { failing: true, limit: 4, now, leaseEnd: now };
    const leased = await leaseDeliveries(tx, leaseRequest);
    await tx.rollback().execute();
    expect(leased.map(({ id }) => String(id))).toContain(endpoint.id);
    await app.drain();
  });
});

test("a worker that dies between sending and recording has it sent again with the same id", async () => {
  const { endpoint, hook } = await listening();
  const { id } = await pinged(endpoint.id);
  // What its commit would have written is undone.
  await app.sql`UPDATE webhook_deliveries SET status = 'pending', due_at = created_at, attempts = 0,
    done_at = NULL WHERE id = ${BigInt(id)}`;
  const lease = new Date(app.clock.now().getTime() + MINUTE_MS);
  await app.sql`UPDATE webhook_endpoints SET busy_until = ${lease}
    WHERE id = ${BigInt(endpoint.id)}`;
  await app.drain();
  expect(hook.received).toHaveLength(1);
  await app.advance(MINUTE_MS);
  expect(hook.received).toHaveLength(2);
  expect(hook.received[1]?.id).toBe(hook.received[0]?.id);
  expect(hook.received[1]?.body).toBe(hook.received[0]?.body);
});

describe("an address of a seller", () => {
  beforeAll(async () => {
    seller = await app.seller({ plan: "premium" });
  });

  test("a seller's changes and payouts are events too, with the API's object", async () => {
    const { hook } = await setup.listen(seller, "changes", ["product.updated", "withdrawal.paid"]);
    const { product } = await openShelf(app, seller);
    const off = { id: product.id, status: "inactive" };
    await app.done("PUT /api/products/:id", seller, off);
    await fundSeller(app, seller, 5_000);
    const withdrawal = await askWithdrawal(app, seller);
    const news = { news: "paid", now: app.clock.now() } as const;
    await app.db.transaction().execute((tx) => noteNews(tx, BigInt(withdrawal.id), news));
    await app.drain();
    const received = hook.received.map(({ body }) => JSON.parse(body) as { type: string });
    const eventOf = (type: string) => received.find((event) => event.type === type);
    expect(eventOf("product.updated")).toMatchObject({ data: off });
    const paid = { id: withdrawal.id, currency: "XOF" };
    expect(eventOf("withdrawal.paid")).toMatchObject({ data: paid });
  });

  test("a secret is changed without losing an event: both sign for a day, then the new one alone", async () => {
    const { endpoint, secret: old, hook } = await setup.listen(seller, "site");
    const { id } = endpoint;
    const { secret } = await app.done("POST /api/developers/endpoints/:id/secret", seller, { id });
    expect(secret).not.toBe(old);
    await pinged(id);
    const [received] = hook.received;
    expect(received?.checked).toBe("good");
    const now = app.clock.now();
    const letter = { headers: received?.headers ?? {}, body: received?.body ?? "" };
    expect(checkSignature(letter, secret, now)).toBe("good");
    expect(checkSignature({ ...letter, body: `${letter.body} ` }, old, now)).toBe("wrong");
    app.clock.advance(DAY_MS);
    await pinged(id);
    expect(hook.received.at(-1)?.checked).toBe("wrong");
    hook.secret = secret;
    await app.advance(HOUR_MS);
    expect(hook.received.at(-1)?.checked).toBe("good");
  });

  test("a new SECRETS_KEY opens every secret, old and new, after the re-encryption", async () => {
    const { endpoint, secret, hook } = await setup.listen(seller, "rotated");
    const before = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
    const [seven, nine] = [Buffer.alloc(32, 7), Buffer.alloc(32, 9)];
    const vault = createVault({ current: seven, previous: [before] });
    const another = createVault({ current: nine, previous: [] });
    const unread = { rewritten: 0, unreadable: expect.arrayContaining([BigInt(endpoint.id)]) };
    expect(await rotateSecrets(app.db, another)).toEqual(unread);
    expect((await rotateSecrets(app.db, vault)).unreadable).toEqual([]);
    expect((await rotateSecrets(app.db, vault)).rewritten).toBe(0);
    const named = { sellerId: BigInt(seller.id), id: BigInt(endpoint.id) };
    const row = await findEndpoint(app.db, named);
    expect(row && openSecrets(vault, { row, now: app.clock.now() })).toEqual([secret]);
    // This server has only the old key: nothing is sent unsigned, and the record has the reason.
    const { id } = await pinged(endpoint.id);
    expect(hook.received).toEqual([]);
    expect((await setup.delivery(seller, id)).log).toMatchObject([{ failure: "secret" }]);
    await rotateSecrets(app.db, createVault({ current: before, previous: [seven] }));
  });

  describe("an address", () => {
    test.each([
      [{}, "developers.url-wrong"],
      [{ url: 12 }, "developers.url-wrong"],
      [{ url: "example.com" }, "developers.url-wrong"],
      [{ url: "http://example.com/" }, "developers.url-wrong"],
      [{ url: `https://example.com/${"a".repeat(500)}` }, "developers.url-too-long"],
      [{ url: "https://10.0.0.1/" }, "developers.url-private"],
      [{ url: "https://example.com:25/" }, "developers.url-private"],
      [{ url: "https://example.com/" }, "developers.events-wrong"],
      [{ url: "https://example.com/", events: ["ping"] }, "developers.events-wrong"],
    ])("of %j is refused: %s", async (body, code) => {
      const answer = await app.send("POST /api/developers/endpoints", seller, body);
      expect(answer).toMatchObject({ status: 422, body: { code } });
    });

    test("of an endpoint deleted meanwhile is not found by the repeated call", async () => {
      const body = { url: "https://hook.example/", events: ["order.paid"] };
      const add = () => app.send("POST /api/developers/endpoints", seller, body, "add");
      const added = await add();
      expect((await add()).body).toEqual(added.body);
      const { id } = added.body.endpoint;
      const rotate = () =>
        app.send("POST /api/developers/endpoints/:id/secret", seller, { id }, "rotate");
      expect((await rotate()).status).toBe(200);
      await app.done("DELETE /api/developers/endpoints/:id", seller, { id });
      const refusal = { status: 404, body: { code: "developers.endpoint-not-found" } };
      for (const again of [await add(), await rotate()]) expect(again).toMatchObject(refusal);
    });

    test("is one of five at most, and its deliveries are deleted after 30 days", async () => {
      const { endpoint } = await setup.listen(seller, "other");
      const url = "https://hook.example/";
      await setup.addEndpoint(seller, { url });
      const one = { url, events: ["order.paid"] };
      const sixth = await app.send("POST /api/developers/endpoints", seller, one);
      expect(sixth.body.code).toBe("developers.too-many-endpoints");
      const { id } = await pinged(endpoint.id);
      const ping = (who = seller) =>
        app.send("POST /api/developers/endpoints/:id/ping", who, { id: endpoint.id }, "ping");
      const replay = (who = seller) =>
        app.send("POST /api/developers/deliveries/:id/replay", who, { id }, "replay");
      expect([(await ping()).status, (await replay()).status]).toEqual([200, 200]);
      await app.drain();
      expect((await setup.deliveries(seller)).length).toBeGreaterThan(0);
      await app.advance(31 * DAY_MS);
      const back = await app.signInSeller(seller.person);
      expect(await setup.deliveries(back)).toEqual([]);
      const refusal = { status: 404, body: { code: "developers.delivery-not-found" } };
      for (const again of [await ping(back), await replay(back)]) {
        expect(again).toMatchObject(refusal);
      }
    });
  });

  /** Rows of deliveries and of accesses that the transaction has read so far. */
  const rowsRead = (tx: Db) =>
    readerOf(tx).values<number>`
      SELECT (seq_tup_read + idx_tup_fetch)::int FROM pg_stat_xact_user_tables
      WHERE relname IN ('webhook_deliveries', 'accesses') ORDER BY relname`;

  const MUCH = 10_000;
  const page = { cursor: null, limit: 31 };

  test("a seller with few rows, among others with many, reads them without a scan of the others'", async () => {
    const stranger = await app.seller({ plan: "premium" });
    const { endpoint } = await setup.listen(stranger, "much");
    const { id: sellerId } = await app.seller({ plan: "premium" });
    const tx = await app.db.startTransaction().execute();
    await sql`
      WITH events AS (
        INSERT INTO webhook_events (seller_id, type, subject, once_key, at, body)
        SELECT ${BigInt(stranger.id)}, 'order.paid', n, n, ${app.clock.now()}, '{}'
        FROM generate_series(1, ${MUCH}::int) AS n RETURNING id
      )
      INSERT INTO webhook_deliveries (endpoint_id, event_id, status, created_at)
      SELECT ${BigInt(endpoint.id)}, id, 'delivered', ${app.clock.now()} FROM events
    `.execute(tx);
    await sql`
      INSERT INTO accesses (person_id, group_id, status, ends_at, started_at, order_id, updated_at)
      SELECT -n, -1, 'inside', now(), now(), n, now() FROM generate_series(1, ${MUCH}::int) AS n
    `.execute(tx);
    await sql`ANALYZE webhook_deliveries, webhook_events, accesses`.execute(tx);
    const before = await rowsRead(tx);
    await listSellerDeliveries(tx, BigInt(sellerId), page);
    await listSellerAccesses(tx, BigInt(sellerId), page);
    const after = await rowsRead(tx);
    await tx.rollback().execute();
    expect(after).toHaveLength(2);
    for (const [nth, read] of after.entries()) expect(read - (before[nth] ?? 0)).toBeLessThan(100);
  });
});

const EXAMPLE = fileURLToPath(
  new URL("../../../../../examples/developer-api/sesame.mjs", import.meta.url),
);

/** Starts the example, and reads its output line by line. */
function run(env: Record<string, string>) {
  child = spawn(process.execPath, [EXAMPLE], { env, stdio: ["ignore", "pipe", "inherit"] });
  assert(child.stdout, "its words are piped");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => String((await lines.next()).value);
}

type Letter = { headers: Record<string, string>; body: Buffer; cut: number };

/** Sends the body in two chunks. → the status */
function sendInTwo(url: string, { headers, body, cut }: Letter): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: "POST", headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("error", reject);
    request.write(body.subarray(0, cut));
    request.end(body.subarray(cut));
  });
}

/** Starts a request and disconnects. */
function hangUp(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{", () =>
        socket.destroy(),
      );
    });
    socket.on("close", () => resolve());
  });
}

test("the example reads every order by pages, then receives the next one and verifies it", async () => {
  const seller = await app.seller({ plan: "premium" });
  const { product } = await openShelf(app, seller);
  const orders: string[] = [];
  for (let nth = 0; nth < 3; nth++) {
    orders.unshift(await buyProduct(app, await app.signInBuyer(), product.reference));
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { secret } = await setup.addEndpoint(seller, { url, events: ["order.paid"] });
  const { secret: key } = await setup.createKey(seller, ["orders:read"]);
  const next = run({
    SESAME_URL: app.url,
    SESAME_KEY: key,
    SESAME_WEBHOOK_SECRET: secret,
    PORT: String(port),
    // The tests' clock is on another day.
    TOLERANCE_S: "1e10",
  });
  for (const id of orders) expect(await next()).toBe(`order ${id} paid 5000 XOF`);
  expect(await next()).toBe("all orders read");
  expect(await next()).toBe(`listening ${port}`);
  await hangUp(port);
  const id = await buyProduct(app, await app.signInBuyer(), product.reference);
  expect(await next()).toBe(`event order.paid ${id} 5000`);
  // A character of two bytes may come in two chunks.
  const body = JSON.stringify({ type: "order.paid", data: { id: "7", amount: 5, name: "Aïssa" } });
  const cut = Buffer.from(body).indexOf("ï") + 1;
  const headers = signatureHeaders({ id: "msg_7", at: new Date(), body }, [secret]);
  expect(await sendInTwo(url, { headers, body: Buffer.from(body), cut })).toBe(204);
  expect(await next()).toBe("event order.paid 7 5");
  const forged = await fetch(url, {
    method: "POST",
    body: "{}",
    headers: { "webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": "v1,AAAA" },
  });
  expect(forged.status).toBe(401);
  expect(await next()).toBe("refused");
});
