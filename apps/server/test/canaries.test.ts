import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { type CreateOrderAnswer, PROVIDERS } from "@sesame/contract/checkout";
import { AGGREGATOR_KEYS, type AggregatorKey } from "@sesame/contract/payment-accounts";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { REALTIME_CHANNEL } from "../src/realtime/events.store.ts";
import { exampleBody } from "./call-examples.ts";
import { createDeveloperFixtures } from "./developers.ts";
import {
  AGENT_ID,
  MONEROO_SECRET_KEY,
  MONEROO_WEBHOOK_SECRET,
  OPERATOR_ID,
  type SignedInSeller,
  startTestApp,
  type TestApp,
  EMULATED_KEYS,
} from "./harness.ts";
import { forEach } from "./hostile.ts";
import { listen } from "../../../tools/testing/listen.ts";
import { forward, sendJson } from "./http.ts";
import { createOwnAccountFixtures } from "./payments.ts";
import { openShelf } from "./sales.ts";

/** R13 of the quality page. */
const AT_LEAST = 500;
const SELLERS = 48;
const METRICS_TOKEN = "metrics-token-of-the-canaries";
const ROOTS = ["MONEROO", "FEDAPAY", "KKIAPAY", "PAYDUNYA", "CRYPTOPAY"];

/** Secrets that nobody may see again, and the texts in which they are searched. */
const canaries = new Set<string>([
  MONEROO_SECRET_KEY,
  MONEROO_WEBHOOK_SECRET,
  METRICS_TOKEN,
  ...Object.values(EMULATED_KEYS.paydunya),
  ...Object.values(EMULATED_KEYS.cryptopay),
  ...secretsOf("fedapay", EMULATED_KEYS.fedapay),
  ...secretsOf("kkiapay", EMULATED_KEYS.kkiapay),
]);
/** Each text once: many answers are the same. */
const answers = new Set<string>();
const events: string[] = [];
const log: string[] = [];

let answered = 0;
const sellers: SignedInSeller[] = [];

function secretsOf(provider: AggregatorKey, keys: Readonly<Record<string, string>>): string[] {
  const secret = PROVIDERS[provider].keys.filter((rule) => rule.secret).map(({ name }) => name);
  return secret.flatMap((name) => keys[name] ?? []);
}

function plant<K extends Readonly<Record<string, string>>>(provider: AggregatorKey, keys: K): K {
  for (const secret of secretsOf(provider, keys)) canaries.add(secret);
  return keys;
}

const parrot = await startParrot();
const roots = Object.fromEntries(ROOTS.map((name) => [`${name}_API_ROOT`, parrot.root]));
const app = await startTestApp({ env: { ...roots, METRICS_TOKEN, LOG_LEVEL: "trace" } });
parrot.target = app.emulators.apiRoot;
const { pathOf, openAccount } = createOwnAccountFixtures(app);
const ear = new pg.Client({ connectionString: app.databaseUrl });
ear.on("notification", ({ payload = "" }) => events.push(payload));
await ear.connect();
await ear.query(`LISTEN ${REALTIME_CHANNEL}`);
afterAll(async () => {
  keepLog();
  await ear.end();
  await parrot.close();
});

const keepLog = () => log.push(...app.takeErrors());

/** Calls, and stores the whole answer. */
async function ask<T>(...[method, path, options]: Parameters<TestApp["call"]>): Promise<T> {
  const { status, headers, body } = await app.call<T>(method, path, options);
  answered += 1;
  answers.add(JSON.stringify(body));
  for (const [name, value] of headers) {
    if (!/^(date|x-ratelimit)/.test(name)) answers.add(`${status} ${name}: ${value}`);
  }
  return body;
}

const put = (seller: SignedInSeller, key: string, body: unknown) =>
  ask<{ success: boolean }>("PUT", pathOf(seller, key), { token: seller.token, body });

async function giveKeys(seller: SignedInSeller): Promise<void> {
  for (const provider of AGGREGATOR_KEYS) {
    const { keys } = openAccount(provider);
    const saved = await put(seller, provider, { isActive: true, keys: plant(provider, keys) });
    expect(saved.success).toBe(true);
  }
}

/** Keys that are mistyped, of another account, in a wrong place, or of another seller. */
async function giveWrongly(seller: SignedInSeller, other: SignedInSeller): Promise<void> {
  for (const provider of AGGREGATOR_KEYS) {
    const { keys } = openAccount(provider);
    const wrong = plant(
      provider,
      Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, `${key}wrong`])),
    );
    const [one = ""] = secretsOf(provider, wrong);
    await put(seller, provider, { keys: wrong });
    await put(seller, provider, { keys: { ...wrong, token: `${one} spaced` } });
    await put(seller, "nonsense", { keys: wrong, apiKey: one, secretKey: one });
    await put(seller, provider, { isActive: one, keys: wrong });
    await put(other, provider, { apiKey: one, secretKey: [one] });
    const { token } = other;
    await ask("PUT", pathOf(seller, provider), { token, body: { keys: wrong } });
    await ask("PUT", pathOf(seller, provider), { token, body: `{"keys": "${one}` });
    await ask("GET", `/IndexPaiement?id=${provider}&key=${one}`, { token });
    await ask("POST", `/webhooks/${provider}/1`, { body: wrong, headers: { "x-key": one } });
  }
}

/** A key of the developer API and a webhook's secret, each displayed once, then used rightly and wrongly. */
async function useDeveloperSecrets(seller: SignedInSeller, other: SignedInSeller): Promise<void> {
  const developers = createDeveloperFixtures(app);
  const { secret: key } = await developers.createKey(seller);
  const { endpoint, secret, hook } = await developers.listen(seller, "canaries");
  for (const planted of [key, secret, secret.slice("whsec_".length)]) canaries.add(planted);
  hook.manner = { kind: "status", status: 500 };
  await developers.ping(seller, endpoint.id);
  for (const path of ["orders", "products", "accesses", "statistics"]) {
    await ask("GET", `/api/v1/${path}`, { token: key });
    await ask("GET", `/api/v1/${path}?cursor=${key}`, { token: `${key}x` });
  }
  await ask("GET", "/api/developers", { token: seller.token });
  await ask("GET", "/api/developers", { token: key });
  const { token } = other;
  await ask("DELETE", `/api/developers/keys/${key}`, { token });
  await ask("POST", "/api/developers/keys", { token, body: { name: key, scopes: [secret] } });
  const body = { url: `https://${key}@example.com/?${secret}`, events: [] };
  await ask("POST", "/api/developers/endpoints", { token, body });
  await app.drain();
}

/** Every call, by everybody, with a body it accepts. */
async function playAll(seller: SignedInSeller, reference: string, orderId: string): Promise<void> {
  const operator = await app.signInSeller({ id: OPERATOR_ID, first_name: "Opérateur" });
  const agent = await app.signInSeller({ id: AGENT_ID, first_name: "Agent" });
  const { token: buyer } = await app.signInBuyer();
  const other = sellers[1]?.token ?? "";
  const tokens = [seller.token, other, agent.token, operator.token, buyer, null];
  const skipped = ["POST /api/auth/logout", "POST /api/users/close"];
  await forEach(app.app.http.routeTable, async ({ method, url, route }) => {
    if (skipped.includes(`${method} ${url}`)) return;
    const pattern = url.replaceAll(/:(\w+)/g, "{$1}");
    const body = exampleBody(route, reference);
    const path = pattern
      .replaceAll(/\{(userId|id|idVendeur)\}/g, /user|seller/i.test(pattern) ? seller.id : orderId)
      .replaceAll("{key}", "fedapay")
      .replaceAll("{provider}", "fedapay")
      .replaceAll("{keyId}", "1")
      .replaceAll("{reference}", reference)
      .replaceAll(/\{\w+\}/g, orderId);
    for (const token of tokens) {
      const sent = method === "GET" ? {} : { body: body ?? {} };
      await ask(method, path, token === null ? sent : { ...sent, token });
    }
  });
}

async function sellWhileTheyParrot(seller: SignedInSeller, reference: string): Promise<void> {
  const sayings: Parroting[] = ["500", "400", "401", "422", "nonsense", "cut"];
  for (const says of sayings) {
    const { token } = await app.signInBuyer();
    parrot.says = "honest";
    const open = await ask<CreateOrderAnswer>("POST", "/api/orders", {
      token,
      body: { reference, provider: "moneroo" },
    });
    parrot.says = says;
    await forEach(AGGREGATOR_KEYS, async (provider) => {
      await put(seller, provider, { keys: {} });
      await ask("POST", `${pathOf(seller, provider)}/trial`, { token: seller.token });
      // With the instance's own account too.
      for (const plan of ["payant", undefined]) {
        const body = { provider, ...(plan ? { plan } : { reference }) };
        await ask("POST", "/api/orders", { token: plan ? seller.token : token, body });
      }
    });
    await app.advance(120_000);
    await ask("GET", `/api/orders/${open.id}`, { token });
  }
  parrot.says = "honest";
  await app.advance(3_600_000);
}

/** Each row of each table as text; bytes as hex, as in a dump. */
async function dump(): Promise<string[]> {
  const tables = await app.values<string>`
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;
  const texts: string[] = [];
  for (const name of tables)
    texts.push(...(await app.values<string>`SELECT t::text FROM ${sql.table(name)} t`));
  return texts;
}

/** As text, as a dump writes bytes, as a header or an address writes text. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const coded = [bytes.toString("hex"), bytes.toString("base64").replaceAll("=", "")];
  return [secret, encodeURIComponent(secret), ...coded];
}

/** All secrets at once: one pass through long texts. */
function found(texts: readonly string[]): string[] {
  const any = new RegExp([...canaries].flatMap(formsOf).map(RegExp.escape).join("|"), "g");
  const seen = new Set(texts.join("\n").match(any));
  return [...canaries].filter((secret) => formsOf(secret).some((form) => seen.has(form)));
}

function builtFiles(): string[] {
  const folder = join(import.meta.dirname, "../../web/dist");
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}

describe("500 planted secrets", () => {
  test("are given, mistyped, refused, used, repeated in providers' errors", async () => {
    sellers.push(...(await forEach(Array.from({ length: SELLERS }), () => app.signInSeller())));
    await app.sql`UPDATE sellers SET plan = 'premium'`;
    await forEach(sellers, giveKeys);
    const [seller, other] = sellers;
    if (!seller || !other) throw new Error("sellers were made");
    await giveWrongly(seller, other);
    await useDeveloperSecrets(seller, other);
    const { product } = await openShelf(app, seller);
    const { token } = await app.signInBuyer();
    const body = { reference: product.reference, provider: "moneroo" };
    const order = await ask<CreateOrderAnswer>("POST", "/api/orders", { token, body });
    await sellWhileTheyParrot(seller, product.reference);
    await playAll(seller, product.reference, order.id);
    await ask("DELETE", pathOf(seller, "fedapay"), { token: seller.token });
    await app.drain();
    keepLog();
    expect(canaries.size).toBeGreaterThanOrEqual(AT_LEAST);
    expect(answered).toBeGreaterThan(1_000);
    expect(log.length).toBeGreaterThan(10);
    expect(events.length).toBeGreaterThan(100);
  });

  test.each<[string, () => string[] | Promise<string[]>]>([
    ["answer", () => [...answers]],
    ["event", () => events],
    ["log line", () => log],
    [
      "message of the bots",
      () => app.emulators.state().dialogs.map((each) => JSON.stringify(each)),
    ],
    ["row of the database", dump],
    ["built file", builtFiles],
  ])("are in no %s", async (_place, read) => {
    const texts = await read();
    expect(found(texts)).toEqual([]);
    // The search finds a secret that is there, in any form.
    const [one = "", two = ""] = [...canaries].slice(-2);
    const planted = [`key=${one}`, `\\x00${Buffer.from(two).toString("hex")}ff`];
    expect(found([...texts, ...planted])).toEqual([one, two]);
  });
});

/** How the parrot answers: like the provider, or with everything it received in its text. */
type Parroting = "honest" | "500" | "400" | "401" | "422" | "nonsense" | "cut";

/** A proxy before the providers: careless ones repeat a caller's keys in their errors. */
async function startParrot() {
  const state = { target: "", says: "honest" as Parroting };
  const { url: root, close } = await listen(async (request, response) => {
    const body = await buffer(request);
    if (state.says === "honest") {
      const passed = await forward(state.target, request, body);
      return response.writeHead(passed.status, { "content-type": passed.type }).end(passed.body);
    }
    if (state.says === "cut") return response.destroy();
    const words = `Invalid: ${JSON.stringify(request.headers)} ${request.url} ${body.toString()}`;
    if (state.says === "nonsense") return response.writeHead(200).end(words);
    sendJson(response, Number(state.says), {
      message: words,
      error: words,
      response_code: words,
      response_text: words,
      errors: { key: [words] },
      data: { message: words, id: words },
    });
  });
  return Object.assign(state, { root, close });
}
