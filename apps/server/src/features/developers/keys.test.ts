import { randomBytes } from "node:crypto";
import { KEY_SCOPES, KEYS_MAX } from "@sesame/contract/developers";
import { DAY_MS } from "@sesame/kernel";
import { describe, expect, test } from "vitest";
import { createDeveloperFixtures } from "../../../test/developers.ts";
import { fundSeller } from "../../../test/funds.ts";
import { type SignedInSeller, startTestApp } from "../../../test/harness.ts";
import { pagesOf, type SomeBody } from "../../../test/http.ts";
import { buyProduct, openShelf, publishProduct } from "../../../test/sales.ts";
import { isKeyText } from "./keys.ts";

type Page = { readonly data: { readonly id: string }[]; readonly next_cursor: string | null };

const app = await startTestApp();
const { createKey } = createDeveloperFixtures(app);
const seller = await app.seller({ plan: "premium" });
const stranger = await app.seller({ plan: "premium" });
const shelf = await openShelf(app, seller);
const { product, reference } = shelf;
for (const title of ["Deux", "Trois"]) await publishProduct(app, shelf, { title });
const orderIds: string[] = [];
for (let nth = 0; nth < 3; nth++) {
  orderIds.unshift(await buyProduct(app, await app.signInBuyer(), reference));
}
const { secret } = await createKey(seller);
const { secret: strangerSecret } = await createKey(stranger);

const get = <T = SomeBody>(path: string, token: string) => app.call<T>("GET", path, { token });
const create = (who: SignedInSeller, body: object, key?: string) =>
  app.send("POST /api/developers/keys", who, body, key);
const revoke = (who: SignedInSeller, id: string) =>
  app.send("DELETE /api/developers/keys/:id", who, { id });
const ONE = { name: "a", scopes: ["orders:read"] };

describe("a key", () => {
  test("is displayed once, stored as a hash, and recognised by its form", async () => {
    const { key, secret: shown } = await createKey(seller, ["orders:read"]);
    expect(shown).toMatch(/^sk_sesame_[A-Za-z0-9]{36}[0-9a-z]{7}$/);
    expect(isKeyText(shown)).toBe(true);
    const changed = shown[20] === "x" ? "y" : "x";
    expect(isKeyText(shown.slice(0, 20) + changed + shown.slice(21))).toBe(false);
    expect(key.masked).toBe(`sk_sesame_…${shown.slice(-4)}`);
    const row = await app.value<string>`SELECT k::text FROM developer_keys k WHERE id = ${key.id}`;
    expect(row).not.toContain(shown.slice(10, 40));
    await app.drain();
    expect(app.lastTo(seller.person.id, "seller").text).toContain("Mon site");
    await revoke(seller, key.id);
    const auditEntries = await app.auditEntries(`seller:${seller.id}`);
    expect(auditEntries.slice(-2)).toEqual(["developer.key-create", "developer.key-revoke"]);
  });

  test("is created once for one request, whose repeat cannot show it", async () => {
    const key = "once-a-key";
    const first = await create(seller, ONE, key);
    const again = await create(seller, ONE, key);
    expect(first.body.secret).not.toBeNull();
    expect(again).toMatchObject({ status: 201, body: { key: first.body.key, secret: null } });
    const other = await create(seller, { ...ONE, name: "Autre" }, key);
    expect(other).toMatchObject({ status: 409, body: { code: "request.key-reused" } });
    await revoke(seller, first.body.key.id);
  });

  test.each([
    [{}, "developers.name-missing"],
    [{ name: " ", scopes: [] }, "developers.name-missing"],
    [{ name: "é".repeat(61), scopes: [] }, "developers.name-too-long"],
    [{ name: "a" }, "developers.scopes-wrong"],
    [{ name: "a", scopes: [] }, "developers.scopes-wrong"],
    [{ name: "a", scopes: ["orders:read", "everything"] }, "developers.scopes-wrong"],
    [{ name: ["a"], scopes: ["orders:read"] }, "developers.name-missing"],
  ])("is refused for %j: %s", async (body, code) => {
    expect(await create(seller, body)).toMatchObject({ status: 422, body: { code } });
  });

  test("is one of ten at most", async () => {
    const many = await app.seller({ plan: "premium" });
    for (let nth = 0; nth < KEYS_MAX; nth++) await createKey(many);
    const refused = await create(many, ONE);
    expect(refused).toMatchObject({ status: 409, body: { code: "developers.too-many-keys" } });
  });

  test("is premium: refused on the free plan, inactive after its end, working when it is back", async () => {
    const refusal = { status: 403, body: { code: "plans.premium-required" } };
    expect(await create(await app.signInSeller(), ONE)).toMatchObject(refusal);
    await fundSeller(app, stranger, 0, "free");
    expect(await get("/api/v1/orders", strangerSecret)).toMatchObject(refusal);
    const page = await app.read("GET /api/developers", stranger);
    expect(page).toMatchObject({ open: false, keys: [{ name: "Mon site" }] });
    await fundSeller(app, stranger, 0, "premium");
    expect((await get("/api/v1/orders", strangerSecret)).status).toBe(200);
  });

  test("opens nothing once revoked, and only its seller can revoke it", async () => {
    const { key, secret: own } = await createKey(seller);
    expect((await revoke(stranger, key.id)).status).toBe(404);
    expect((await get("/api/v1/orders", own)).status).toBe(200);
    expect((await revoke(seller, key.id)).status).toBe(200);
    const after = await get("/api/v1/orders", own);
    expect(after).toMatchObject({ status: 401, body: { code: "developers.key-refused" } });
    expect((await revoke(seller, key.id)).status).toBe(404);
  });

  test("shows the day of its last use", async () => {
    const { key, secret: own } = await createKey(seller);
    const read = async () => {
      const { keys } = await app.read("GET /api/developers", seller);
      return keys.find(({ id }) => id === key.id)?.last_used_on;
    };
    expect(await read()).toBeNull();
    await get("/api/v1/orders", own);
    expect(await read()).toBe(app.clock.now().toISOString().slice(0, 10));
  });
});

/** Every call of the developer API with the scope it needs. */
const CALLS = [
  ["GET", "/api/v1/products", "products:read"],
  ["GET", "/api/v1/products/1", "products:read"],
  ["PATCH", "/api/v1/products/1", "products:write"],
  ["GET", "/api/v1/orders", "orders:read"],
  ["GET", "/api/v1/orders/1", "orders:read"],
  ["GET", "/api/v1/accesses", "accesses:read"],
  ["GET", "/api/v1/statistics", "statistics:read"],
] as const;

describe("who may call the developer API", () => {
  test("is in a table that has every call", () => {
    const listed = CALLS.map(([method, path]) => `${method} ${path.replace("/1", "/:id")}`);
    const routes = app.app.http.routeTable.filter(({ access }) => access === "key");
    expect(routes.map(({ method, url }) => `${method} ${url}`).sort()).toEqual(listed.sort());
  });

  test.each(CALLS)("%s %s needs %s and nothing less", async (method, path, scope) => {
    const others = KEY_SCOPES.filter((each) => each !== scope);
    const { secret: without, key } = await createKey(stranger, others);
    const body = method === "PATCH" ? { body: { status: "active" } } : {};
    const refused = await app.call(method, path, { token: without, ...body });
    expect(refused).toMatchObject({ status: 403, body: { code: "developers.scope-missing" } });
    const { secret: enough, key: second } = await createKey(stranger, [scope]);
    const passed = await app.call(method, path, { token: enough, ...body });
    expect([200, 404]).toContain(passed.status);
    for (const { id } of [key, second]) await revoke(stranger, id);
  });

  test("a key opens no call of the app, whatever its scopes", async () => {
    for (const { method, url, access } of app.app.http.routeTable) {
      if (!["person", "buyer", "seller", "agent", "operator"].includes(access)) continue;
      const path = url.replaceAll(/:\w+/g, "1");
      const body = method === "GET" ? undefined : {};
      const { status } = await app.call(method, path, { token: secret, body });
      expect(status, `${method} ${url}`).toBe(401);
    }
  });

  test("a forged key is no key", async () => {
    const random = `sk_sesame_${randomBytes(40).toString("hex").slice(0, 43)}`;
    for (const forged of [`${secret.slice(0, -1)}!`, secret.toLowerCase(), `${secret}a`, random]) {
      expect((await get("/api/v1/orders", forged)).status).toBe(401);
    }
  });

  test("another seller's rows are as absent as those that never existed", async () => {
    for (const [method, path, body] of [
      ["GET", `/api/v1/products/${product.id}`],
      ["PATCH", `/api/v1/products/${product.id}`, {}],
      ["GET", `/api/v1/orders/${orderIds[0]}`],
    ] as const) {
      const options = { token: strangerSecret, body };
      const foreign = await app.call(method, path, options);
      const absent = await app.call(method, path.replace(/\d+$/, "999999999"), options);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(absent.body);
    }
    for (const path of ["orders", "products", "accesses"]) {
      const page = await get<Page>(`/api/v1/${path}`, strangerSecret);
      expect(page.body).toEqual({ data: [], next_cursor: null });
    }
  });

  test("too many calls are refused by key, and another key still works", async () => {
    const { secret: busy } = await createKey(seller);
    const answers = await Promise.all(
      Array.from({ length: 260 }, () => get("/api/v1/accesses?limit=1", busy)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBe(20);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await get("/api/v1/accesses?limit=1", secret)).status).toBe(200);
  });
});

describe("what the developer API answers", () => {
  test("pages that contain each row once, newest first", async () => {
    for (const path of ["orders", "products", "accesses"]) {
      const read = async (cursor: string) =>
        (await get<Page>(`/api/v1/${path}?limit=2&cursor=${cursor}`, secret)).body;
      const seen = (await pagesOf(read)).flatMap(({ data }) => data.map(({ id }) => id));
      expect(new Set(seen).size).toBe(3);
      expect(seen).toEqual(seen.toSorted((a, b) => Number(b) - Number(a)));
    }
  });

  test("an order with its split, its buyer and its instants", async () => {
    const order = await get(`/api/v1/orders/${orderIds[0]}`, secret);
    expect(order.body).toMatchObject({
      id: orderIds[0],
      status: "paid",
      amount: 5_000,
      fee: 0,
      net: 5_000,
      currency: "XOF",
      provider: "moneroo",
      buyer: { name: "Awa" },
      paid_at: app.clock.now().toISOString(),
    });
    const paid = await get<Page>("/api/v1/orders?status=paid", secret);
    expect(paid.body.data.map(({ id }) => id)).toEqual(orderIds);
    expect((await get<Page>("/api/v1/orders?status=failed", secret)).body.data).toEqual([]);
    expect((await get("/api/v1/orders?status=nonsense", secret)).status).toBe(400);
    expect((await get("/api/v1/orders?cursor=abc", secret)).status).toBe(400);
  });

  test("a product, switched off and on", async () => {
    const path = `/api/v1/products/${product.id}`;
    const patch = (status: unknown) => app.call("PATCH", path, { token: secret, body: { status } });
    expect((await get(path, secret)).body).toMatchObject({ id: product.id, status: "active" });
    expect((await patch("inactive")).body).toMatchObject({ status: "inactive" });
    expect((await patch("active")).body).toMatchObject({ status: "active" });
    expect((await patch("pending")).status).toBe(400);
  });

  test("the figures of the seller's own screens", async () => {
    const own = await app.read("GET /api/statistics", seller, { periode: "month" });
    const shown = await get("/api/v1/statistics?period=month", secret);
    expect(shown.body).toMatchObject({
      period: "month",
      gross: { value: own.brut.valeur, previous: 0 },
      sales: { value: 3, previous: 0 },
      subscriptions: { active: own.avancees?.abonnes },
    });
  });

  test("nothing for a key whose seller has closed his account", async () => {
    const gone = await app.seller({ plan: "premium" });
    const { secret: own } = await createKey(gone);
    expect((await get("/api/v1/orders", own)).status).toBe(200);
    await app.sql`UPDATE sellers SET closed_at = ${app.clock.now()} WHERE id = ${BigInt(gone.id)}`;
    expect((await get("/api/v1/orders", own)).status).toBe(401);
    app.clock.advance(DAY_MS);
  });
});
