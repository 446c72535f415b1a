import { MINUTE_MS } from "@sesame/kernel";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { OpenAPIV3_1 } from "openapi-types";
import { expect, test } from "vitest";
import { SEED } from "../../../tools/testing/seeded.ts";
import type { Parameter, Schema } from "../src/docs/docs.fr.ts";
import { callOf, openCallExamples } from "./call-examples.ts";
import { BUYER_BOT_TOKEN, SELLER_BOT_TOKEN, startTestApp } from "./harness.ts";
import { createPicker, forEach, HOSTILE_JSON, OWN_TO_STRING, pathsOf, plant } from "./hostile.ts";
import { signUser, type TestPerson } from "./http.ts";
import { openOrder, openShopIn, readOrder } from "./sales.ts";
import { stubSite } from "./stub-site.ts";

const LONG = process.env["LONG"] === "1";
/** R11 of the quality page: values for a route and a role, besides those never omitted; of a route for the signed ones. */
const DRAWN = LONG
  ? { own: Number.POSITIVE_INFINITY, headers: 50, signed: Number.POSITIVE_INFINITY }
  : { own: 2, headers: 1, signed: 50 };

const site = await stubSite();
const app = await startTestApp({ site });
const description = (await app.call<OpenAPIV3_1.Document>("GET", "/api/openapi.json")).body;
const examples = await openCallExamples(app);
const { buyer, seller, agent, operator } = examples.tokens;
const roleTokens = { none: null, buyer, seller, agent, operator, key: examples.key };
const lost = (await app.signInSeller()).token;
const callers: Readonly<Record<string, string | null>> = { ...roleTokens, "to be lost": lost };

/** They end the calling session or person: each gets one to lose. */
const ENDING = new Set(["POST /api/auth/logout", "POST /api/users/close", "POST /api/me/delete"]);

const sources = app.app.http.routeTable.map(({ method, url, route }) => {
  const item = description.paths?.[url.replaceAll(/:(\w+)/g, "{$1}")];
  const operation = item?.[method.toLowerCase() as "get"];
  return { method, url, route, operation: (operation ?? null) as Operation | null };
});

let signings = 0;

/** Init data signed as by Telegram, with either bot's token, in turn. */
function signed(user: string): string {
  const token = signings++ % 2 === 0 ? SELLER_BOT_TOKEN : BUYER_BOT_TOKEN;
  return signUser(user, { token, authDate: app.clock.now() });
}

type Operation = OpenAPIV3_1.OperationObject;
type RouteSource = (typeof sources)[number];
type Turn = Pick<RouteSource, "operation"> & { request: HostileRequest; role: string };

function turns(): Turn[] {
  const some = createPicker();
  const draw = (places: readonly Place[], count: number) => {
    const every = places.flatMap((place) => HOSTILE_JSON.map((each) => () => place(each)));
    return some(every, Math.min(count, every.length)).map((make) => make());
  };
  const all = sources.flatMap((source) => {
    const { operation } = source;
    const { own, headers, whole, signed: inInitData } = placesOf(source);
    const certain = [...own, ...inInitData].map((place) => place(OWN_TO_STRING)).concat(whole);
    const roles = isPage(source) ? ["none"] : Object.keys(roleTokens);
    const played = roles.flatMap((role) => {
      const requests = [
        ...(meetsAll(source, role) ? certain : []),
        ...draw(own, DRAWN.own),
        ...draw(headers, DRAWN.headers),
      ];
      const named = ENDING.has(`${source.method} ${source.url}`) ? "to be lost" : role;
      return requests.map((request) => ({ request, operation, role: named }));
    });
    const asTelegram = draw(inInitData, DRAWN.signed);
    return [...played, ...asTelegram.map((request) => ({ request, operation, role: "none" }))];
  });
  // In random order: no route is called so often in a row that its limit answers.
  return some(all, all.length);
}

/** The roles that a route accepts get, in each of its places, the value that once broke a route. */
function meetsAll(source: RouteSource, role: string): boolean {
  const { url } = source;
  if (isPage(source)) return role === "none";
  return url.startsWith("/api/v1/") ? role === "key" : role === "seller" || role === "operator";
}

/** The count of each status: only refusals would prove nothing. */
const answered = new Map<number, number>();

/** Texts of a program or a query: none may ever leave the server. */
const INSIDES =
  /\n\s+at |node_modules|\.ts:\d|postgres|kysely|zod|SELECT |INSERT |violates|FST_ERR|Error:|ECONNRE|ECONNAB/i;

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const compiled = new Map<object, ValidateFunction>();

/** Checks an answer against the call's description: an undeclared status, or a body of another form. */
function wrongShape(
  { responses }: Operation,
  { status, headers }: Response,
  text: string,
): string | null {
  const declared = responses?.[status] as OpenAPIV3_1.ResponseObject | undefined;
  if (!declared) return "is declared nowhere";
  if (status < 400) {
    const schema = declared.content?.["application/json"]?.schema;
    if (!schema) return null;
    const known = compiled.get(schema);
    const validate = known ?? ajv.compile({ ...schema, components: description.components });
    compiled.set(schema, validate);
    return validate(JSON.parse(text)) ? null : JSON.stringify(validate.errors);
  }
  if (INSIDES.test(text)) return "shows the inside";
  const { success, code, message, ...more } = JSON.parse(text) as Record<string, unknown>;
  const isRefusal =
    headers.get("content-type") === "application/json; charset=utf-8" &&
    success === false &&
    /^[a-z]+\.[a-z-]+$/.test(String(code)) &&
    // A French sentence, no internal text.
    /^[A-ZÀÉ][^{}<>]+$/.test(String(message));
  return isRefusal && Object.keys(more).length === 0 ? null : "is no refusal";
}

/** Requests answered with a 5xx, in an undeclared form, or not at all. */
async function play({ request, role, operation }: Turn): Promise<string | null> {
  const token = callers[role] ?? null;
  const said = `${request.method} ${request.path.slice(0, 200)} ${(request.body ?? "").slice(0, 200)} by ${role}`;
  try {
    const response = await fetch(`${app.url}${request.path}`, {
      method: request.method,
      headers: { ...request.headers, ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: request.body,
      redirect: "manual",
    });
    const text = await response.text();
    answered.set(response.status, (answered.get(response.status) ?? 0) + 1);
    const isOurs = response.status >= 500;
    const wrong = isOurs ? "is our error" : operation && wrongShape(operation, response, text);
    return wrong === null ? null : `${said} → ${response.status} ${wrong}: ${text.slice(0, 2_000)}`;
  } catch (error) {
    return `${said} → ${String(error)}`;
  }
}

async function playAll(turns: readonly Turn[]): Promise<string[]> {
  let played = 0;
  const failures = await forEach(turns, (turn) => {
    // Refused tokens are limited a minute, by the clock of the tests.
    if (played++ % 200 === 0) app.clock.advance(MINUTE_MS);
    return play(turn);
  });
  return failures.filter((failure) => failure !== null);
}

/** Proves that the server still works. */
async function sellHonestly(): Promise<void> {
  const shop = await openShopIn(app);
  const order = await openOrder(shop);
  await app.pay("moneroo", order.paymentId);
  expect(await readOrder(shop, order.id)).toMatchObject({ status: "paid" });
  expect(await app.sumOfBooks()).toBe(0n);
}

test("hostile JSON in every place, by every role, is answered as declared or refused in French, and an honest sale still works", {
  timeout: 7_200_000,
}, async () => {
  const all = turns();

  expect(all.length).toBeGreaterThan(sources.length * 6);
  expect(await playAll(all), `SESAME_SEED=${SEED}`).toEqual([]);
  expect(answered.get(429) ?? 0).toBeLessThan(all.length / 20);
  for (const status of [200, 400, 404, 422]) expect(answered.get(status)).toBeGreaterThan(20);

  expect(app.takeErrors()).toEqual([]);
  expect(Object.fromEntries(app.app.guard.counts())).toEqual({});
  await sellHonestly();
});

type HostileRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
};

/** One place of a route, as a function of the hostile value. */
type Place = (hostile: string) => HostileRequest;

const JSON_TYPE = { "content-type": "application/json" };
const HEADERS = [
  "accept",
  "accept-encoding",
  "accept-language",
  "content-type",
  "idempotency-key",
  "if-none-match",
  "x-forwarded-for",
  "x-telegram-init-data",
];
/** Query parameters of pages, which no route declares. */
const QUERY_OF_PAGES = [
  "tgWebAppStartParam",
  "reference",
  "idVendeur",
  "idProduit",
  "order",
  "app",
  "paymentId",
  "payment_id",
  "transaction_id",
  "transactionId",
  "id",
  "token",
];
const ODD_QUERIES = "x=1 __proto__=1 cursor[]=1 limit=1&limit=2 %00=%00 = %".split(" ");
const ODD_SEGMENTS = ["%00", "%E0%A4%A", "%", "%ff", "a%2Fb"];
/** Bodies of other types, cut off, or not of their declared type. */
const ODD_BODIES: readonly (readonly [type: string, body: string])[] = [
  ["application/json; charset=utf-16", `{"a":`],
  ["multipart/form-data", "a=1&b=2"],
  [
    "multipart/form-data; boundary=x",
    `--x\r\ncontent-disposition: form-data; name="title"\r\n\r\ncut`,
  ],
  ["x", "<a/>"],
];
const PERSON: Required<TestPerson> = {
  id: 7_001,
  first_name: "Awa",
  last_name: "Koné",
  username: "awa",
  language_code: "fr",
  allows_write_to_pm: true,
  photo_url: "https://t.me/i/userpic/320/awa.svg",
};

/**
 * `own`: parameters, query, the body and each of its fields. `whole`: requests with each allowed value
 * of a place, and with addresses and bodies that no client would write. `headers`: those that the
 * server reads of each request. `signed`: the person's JSON of signed init data, and each of its fields.
 */
function placesOf(source: RouteSource) {
  const { method, url, operation } = source;
  const { path, body: sound = {} } = callOf(source, examples);
  const [address = "", query] = path.split("?");
  const asPage = isPage(source);
  const sent = { method, path, headers: JSON_TYPE };
  const body = method === "GET" ? null : JSON.stringify(sound);
  const read: HostileRequest["headers"] = asPage ? { accept: "text/html" } : {};
  const withBody = { ...sent, body, headers: body === null ? read : JSON_TYPE };
  const names = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name ?? "");
  const naming = (name: string, segment: string): HostileRequest => ({
    ...withBody,
    path: url.replaceAll(/:(\w+)/g, (_, each: string) => (each === name ? segment : "1")),
  });
  const inPath: Place[] = names.map((name) => (hostile) => naming(name, segmentOf(hostile)));
  const declared = ((operation?.parameters ?? []) as Parameter[]).filter(
    (each) => each.in === "query",
  );
  const asking = (name: string, rest: string): HostileRequest => {
    const others = new URLSearchParams(query);
    others.delete(name);
    return { ...withBody, path: `${address}?${others}&${rest}` };
  };
  const asked = asPage ? QUERY_OF_PAGES : declared.map(({ name }) => name);
  const inQuery: Place[] = asked.flatMap((name) =>
    [`${name}=`, `${name}=1&${name}=`, `${name}[toString]=`].map(
      (start) => (hostile: string) => asking(name, start + segmentOf(hostile)),
    ),
  );
  const whole = [
    ...declared.flatMap(({ name, schema }) =>
      allowedBy(schema).map((value) =>
        asking(name, `${name}=${encodeURIComponent(String(value))}`),
      ),
    ),
    ...ODD_QUERIES.map((odd) => asking("", odd)),
    ...names.flatMap((name) => ODD_SEGMENTS.map((odd) => naming(name, odd))),
  ];
  const headers: Place[] = HEADERS.map((name) => (hostile) => ({
    ...withBody,
    headers: { ...withBody.headers, [name]: headerOf(hostile) },
  }));
  const signed = source.route?.access === "init-data" ? placesInInitData(withBody) : [];
  const inAddress = [...inPath, ...inQuery];
  if (method === "GET") return { own: inAddress, headers, signed, whole };
  const asBody: Place = (hostile) => ({ ...sent, body: hostile });
  const fields: Place[] = fieldsOf(operation).map((path) => (hostile) => ({
    ...sent,
    body: plant(sound, path, hostile),
  }));
  const own = [...inAddress, asBody, ...fields, ...formPlaces(source, address)];
  const inBody = Object.entries(contentOf(operation)["application/json"]?.properties ?? {});
  const allowed = inBody.flatMap(([name, field]) =>
    allowedBy(field).map((value) => plant(sound, [name], JSON.stringify(value))),
  );
  whole.push(
    ...allowed.map((each) => ({ ...sent, body: each })),
    ...ODD_BODIES.map(([type, odd]) => ({ ...sent, headers: { "content-type": type }, body: odd })),
  );
  return { own, headers, signed, whole };
}

/** The allowed values of a schema with a closed set. */
function allowedBy({ enum: values, anyOf, type }: Schema): unknown[] {
  if (anyOf) return anyOf.flatMap(allowedBy);
  return values ?? (type === "boolean" ? [true, false] : []);
}

/** Pages and their files, which accept no token: the description omits them. */
const isPage = ({ method, operation }: RouteSource) => operation === null && method === "GET";

/** In the person that Telegram's signature confirms: the whole, and each field. */
function placesInInitData(request: HostileRequest): Place[] {
  return pathsOf(PERSON).map((path) => (hostile) => ({
    ...request,
    headers: { ...request.headers, "x-telegram-init-data": signed(plant(PERSON, path, hostile)) },
  }));
}

/** Paths of a JSON body's fields, two levels deep. */
function fieldsOf(operation: Operation | null): string[][] {
  const schema = contentOf(operation)["application/json"];
  const outer = Object.entries(schema?.properties ?? {});
  return outer.flatMap(([name, field]) => [
    [name],
    ...Object.keys(field.properties ?? field.anyOf?.[0]?.properties ?? {}).map((inner) => [
      name,
      inner,
    ]),
  ]);
}

function contentOf(operation: Operation | null): Record<string, Schema> {
  const body = operation?.requestBody as OpenAPIV3_1.RequestBodyObject | undefined;
  const content = Object.entries(body?.content ?? {});
  return Object.fromEntries(content.map(([type, { schema }]) => [type, (schema ?? {}) as Schema]));
}

const BOUNDARY = "----hostile";

/** For a call with a form: each field, sent as text and as a file, once and twice. */
function formPlaces({ method, operation }: RouteSource, path: string): Place[] {
  const schema = contentOf(operation)["multipart/form-data"];
  const names = [...Object.keys(schema?.properties ?? {}), "__proto__", "toString"];
  if (!schema) return [];
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}` };
  const part = (name: string, value: string, file: string) =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  return names.flatMap((name): Place[] =>
    ["", `; filename="x.png"\r\ncontent-type: image/png`].map((file) => (hostile) => {
      const parts = part(name, hostile, file) + part(name, hostile, "");
      return { method, path, headers, body: `${parts}--${BOUNDARY}--\r\n` };
    }),
  );
}

/** A text unchanged, anything else as its JSON; no longer than an address may be. */
const segmentOf = (hostile: string) => encodeURIComponent(textIn(hostile).slice(0, 1_500)) || "%00";

/** Unchanged, where a header can contain it. */
function headerOf(hostile: string): string {
  const text = textIn(hostile).slice(0, 500);
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text) ? text : encodeURIComponent(text);
}

const textIn = (hostile: string): string =>
  (hostile.startsWith('"') ? (JSON.parse(hostile) as string) : hostile).toWellFormed();
