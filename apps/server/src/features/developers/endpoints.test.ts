import type { AnswerOf } from "@sesame/contract/routes";
import { DAY_MS, HOUR_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkSignature } from "../../../../emulators/src/developer/developer.ts";
import { createDeveloperFixtures } from "../../../test/developers.ts";
import { type SignedInSeller, startTestApp, type TestApp } from "../../../test/harness.ts";
import { publishProduct } from "../../../test/sales.ts";
import { askWithdrawal, fundSeller } from "../../../test/withdrawals.ts";
import type { Db } from "../../postgres/database.ts";
import { createVault } from "../../secrets/vault.ts";
import { noteNews } from "../withdrawals/index.ts";
import { listSellerAccesses } from "./api.ts";
import { listSellerDeliveries } from "./deliveries.ts";
import { findEndpoint } from "./endpoints.ts";
import { openSecrets, rotateSecrets } from "./secrets.ts";

type EndpointSecretAnswer = AnswerOf<"POST /api/developers/endpoints">;

let app: TestApp;
let stage: ReturnType<typeof createDeveloperFixtures>;
let seller: SignedInSeller;

beforeAll(async () => {
  app = await startTestApp();
  stage = createDeveloperFixtures(app);
  seller = await stage.premiumSeller();
});
afterAll(() => app?.close());

const post = <T>(path: string, body?: unknown) =>
  app.call<T & { code?: string }>("POST", path, {
    token: seller.token,
    ...(body === undefined ? {} : { body }),
  });
/** Under one name each: a call that repeats itself. */
const repeatedBy = (who: SignedInSeller, name: string) => ({
  token: who.token,
  headers: { "idempotency-key": name },
});

describe("what a seller changes and is paid", () => {
  test("goes out too, with the object the API answers", async () => {
    const { hook } = await stage.listen(seller, "changes", ["product.updated", "withdrawal.paid"]);
    const group = await app.linkGroup(seller);
    const product = await publishProduct(app, { seller, group });
    const path = `/api/products/${product.id}`;
    await app.call("PUT", path, { token: seller.token, body: { status: "inactive" } });
    await fundSeller(app, seller, 5_000);
    const withdrawal = await askWithdrawal(app, seller);
    const news = { news: "paid", now: app.clock.now() } as const;
    await app.db.transaction().execute((tx) => noteNews(tx, BigInt(withdrawal.id), news));
    await app.drain();
    const told = hook.received.map(
      ({ body }) => JSON.parse(body) as { type: string; data: object },
    );
    expect(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          type: "product.updated",
          data: expect.objectContaining({ id: product.id, status: "inactive" }),
        }),
        expect.objectContaining({
          type: "withdrawal.paid",
          data: expect.objectContaining({ id: withdrawal.id, currency: "XOF" }),
        }),
      ]),
    );
  });
});

describe("a secret", () => {
  test("is changed without losing an event: both sign for a day, then the new one alone", async () => {
    const { endpoint, secret: old, hook } = await stage.listen(seller, "site");
    const rotated = await post<EndpointSecretAnswer>(
      `/api/developers/endpoints/${endpoint.id}/secret`,
    );
    expect(rotated.body.secret).not.toBe(old);
    await stage.ping(seller, endpoint.id);
    await app.drain();
    const [received] = hook.received;
    expect(received?.checked).toBe("good");
    const now = app.clock.now();
    const letter = { headers: received?.headers ?? {}, body: received?.body ?? "" };
    expect(checkSignature(letter, rotated.body.secret, now)).toBe("good");
    expect(checkSignature({ ...letter, body: `${letter.body} ` }, old, now)).toBe("wrong");
    app.clock.advance(DAY_MS);
    await stage.ping(seller, endpoint.id);
    await app.drain();
    expect(hook.received.at(-1)?.checked).toBe("wrong");
    hook.secret = rotated.body.secret;
    app.clock.advance(HOUR_MS);
    await app.drain();
    expect(hook.received.at(-1)?.checked).toBe("good");
  });
});

describe("a new SECRETS_KEY", () => {
  test("opens every secret, of before and of now, once they were put under it", async () => {
    const { endpoint, secret, hook } = await stage.listen(seller, "rotated");
    const before = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
    const vault = createVault({ current: Buffer.alloc(32, 7), previous: [before] });
    expect(
      await rotateSecrets(app.db, createVault({ current: vaultKey(9), previous: [] })),
    ).toEqual({ rewritten: 0, unreadable: expect.arrayContaining([BigInt(endpoint.id)]) });
    expect((await rotateSecrets(app.db, vault)).unreadable).toEqual([]);
    expect((await rotateSecrets(app.db, vault)).rewritten).toBe(0);
    const row = await findEndpoint(app.db, {
      sellerId: BigInt(seller.id),
      id: BigInt(endpoint.id),
    });
    expect(row && openSecrets(vault, { row, now: app.clock.now() })).toEqual([secret]);
    // This server has the old key alone: nothing goes out unsigned, and the record says why.
    const { id } = await stage.ping(seller, endpoint.id);
    await app.drain();
    expect(hook.received).toEqual([]);
    expect((await stage.delivery(seller, id)).log).toMatchObject([{ failure: "secret" }]);
    const back = createVault({ current: before, previous: [vaultKey(7)] });
    await rotateSecrets(app.db, back);
  });
});

const vaultKey = (byte: number) => Buffer.alloc(32, byte);

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
    const answer = await post("/api/developers/endpoints", body);
    expect(answer).toMatchObject({ status: 422, body: { code } });
  });

  test("that was deleted meanwhile is not there for the call that repeats itself", async () => {
    const body = { url: "https://hook.example/", events: ["order.paid"] };
    const add = () =>
      app.call<EndpointSecretAnswer & { code?: string }>("POST", "/api/developers/endpoints", {
        ...repeatedBy(seller, "add"),
        body,
      });
    const added = await add();
    expect((await add()).body).toEqual(added.body);
    const path = `/api/developers/endpoints/${added.body.endpoint.id}`;
    const rotate = () =>
      app.call<{ code?: string }>("POST", `${path}/secret`, repeatedBy(seller, "rotate"));
    expect((await rotate()).status).toBe(200);
    expect((await app.call("DELETE", path, seller)).status).toBe(200);
    for (const again of [await add(), await rotate()]) {
      expect(again).toMatchObject({
        status: 404,
        body: { code: "developers.endpoint-not-found" },
      });
    }
  });

  test("is one of five at most, and forgotten with what is older than 30 days", async () => {
    const { endpoint } = await stage.listen(seller, "other");
    const url = "https://hook.example/";
    for (let count = 4; count < 5; count++) await stage.addEndpoint(seller, { url });
    const sixth = await post("/api/developers/endpoints", { url, events: ["order.paid"] });
    expect(sixth.body.code).toBe("developers.too-many-endpoints");
    const { id } = await stage.ping(seller, endpoint.id);
    await app.drain();
    const ping = (who: SignedInSeller) =>
      app.call("POST", `/api/developers/endpoints/${endpoint.id}/ping`, repeatedBy(who, "ping"));
    const replay = (who: SignedInSeller) =>
      app.call("POST", `/api/developers/deliveries/${id}/replay`, repeatedBy(who, "replay"));
    expect([(await ping(seller)).status, (await replay(seller)).status]).toEqual([200, 200]);
    await app.drain();
    expect((await stage.deliveries(seller)).length).toBeGreaterThan(0);
    app.clock.advance(31 * DAY_MS);
    await app.drain();
    const back = await app.signInSeller(seller.person);
    expect(await stage.deliveries(back)).toEqual([]);
    for (const again of [await ping(back), await replay(back)]) {
      expect(again).toMatchObject({
        status: 404,
        body: { code: "developers.delivery-not-found" },
      });
    }
  });
});

/** What the transaction has read of a table so far, in rows. */
async function rowsRead(tx: Db, table: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT (seq_tup_read + idx_tup_fetch)::int AS n FROM pg_stat_xact_user_tables
    WHERE relname = ${table}
  `.execute(tx);
  return rows[0]?.n ?? 0;
}

describe("a seller with little, among others with much", () => {
  const MUCH = 10_000;
  const page = { cursor: null, limit: 31 };

  test("is shown it without a walk through theirs", async () => {
    const stranger = await stage.premiumSeller();
    const { endpoint } = await stage.listen(stranger, "much");
    const { id: sellerId } = await stage.premiumSeller();
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
    const before = [await rowsRead(tx, "webhook_deliveries"), await rowsRead(tx, "accesses")];
    await listSellerDeliveries(tx, BigInt(sellerId), page);
    await listSellerAccesses(tx, BigInt(sellerId), page);
    const after = [await rowsRead(tx, "webhook_deliveries"), await rowsRead(tx, "accesses")];
    await tx.rollback().execute();
    for (const [nth, read] of after.entries()) expect(read - (before[nth] ?? 0)).toBeLessThan(100);
  });
});
