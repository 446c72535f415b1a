import { afterEach, describe, expect, test, vi } from "vitest";
import { OPERATOR_ID, startTestApp } from "../../test/harness.ts";
import { DAY_MS, systemClock } from "@sesame/kernel";
import { sellMany } from "../../test/bulk-sales.ts";
import { settleConfirmed } from "../features/checkout/settle.ts";
import { createReadiness, type ReadinessOptions, registerHealth, STUCK_MS } from "./health.ts";
import { announceClosing, createHttpServer, drainConnections } from "./server.ts";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import Fastify from "fastify";
import { createBodyMeter } from "./bodies.ts";
import { readdirSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { addressKey, clientAddress } from "./callers.ts";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createRecent } from "./caches.ts";
import { createSplicedGzip, encodeOnce } from "./compress.ts";

const TOKEN = "metrics-token-of-the-tests";

const app = await startTestApp({ env: { LOG_LEVEL: "warn", METRICS_TOKEN: TOKEN } });
const { token } = await app.signInBuyer({ id: OPERATOR_ID, first_name: "Olga" });

describe("a call whose handler answers by itself", () => {
  test.each([
    "/api/desk/day/export?date=2026-11-16",
    "/api/desk/audit/export?from=2026-11-01&to=2026-11-30",
  ])("is answered once: %s", async (path) => {
    const answer = await app.call<string>("GET", path, { token });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-type")).toContain("text/csv");
    expect(app.takeErrors()).toEqual([]);
  });

  test("is answered once to a client that disconnects", async () => {
    const leaving = new AbortController();
    const path = `${app.url}/api/desk/audit/export?from=2026-11-01&to=2026-11-30`;
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(path, { headers, signal: leaving.signal });
    leaving.abort();
    await expect(response.text()).rejects.toThrow("aborted");
    await app.call("GET", "/api/desk", { token });
    expect(app.takeErrors()).toEqual([]);
  });
});

async function readMetrics(): Promise<string> {
  const answer = await app.call<string>("GET", "/metrics", { token: TOKEN });
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toContain("text/plain");
  return answer.body;
}

describe("/metrics", () => {
  test("is for the holder of its token", async () => {
    for (const options of [{}, { token: "another" }]) {
      const answer = await app.call("GET", "/metrics", options);
      expect(answer).toMatchObject({ status: 401, body: { success: false } });
    }
  });

  test("reports the state of the process and how fast each route answers", async () => {
    await app.call("GET", "/api/orders/12");
    await app.call("GET", "/no/such/path");
    const text = await readMetrics();
    expect(text).toContain("process_resident_memory_bytes");
    expect(text).toContain("nodejs_eventloop_lag_seconds");
    const count = "sesame_http_request_duration_seconds_count";
    expect(text).toContain(`${count}{method="GET",route="/api/orders/:id",status="401"} 1`);
    expect(text).toContain(`${count}{method="GET",route="none",status="404"} 1`);
  });

  test("counts waiting jobs by topic, payments to look up, updates", async () => {
    const now = app.clock.now();
    const { payments } = await sellMany(app.db, { sellers: 1, buyers: 3, orders: 3, now });
    const [paymentId = 0n] = payments;
    await settleConfirmed(app.db, [{ paymentId, occurredAt: now }], now);
    const text = await readMetrics();
    expect(text).toContain('sesame_outbox_jobs{topic="access.open",state="due"} 1');
    expect(text).toContain('sesame_outbox_oldest_seconds{topic="access.open"} 0');
    expect(text).toContain("sesame_payment_checks_due 2");
    expect(text).toContain("sesame_accesses_overdue 0");
    expect(text).toContain("sesame_database_up 1");
    app.clock.advance(31 * DAY_MS);
    expect(await readMetrics()).toContain("sesame_accesses_overdue 1");
  });
});

async function ask(path: string, { silentMs = 0, reason = null as "draining" | null } = {}) {
  const app = await createHttpServer({
    clock: systemClock,
    publicUrl: "http://localhost:3000",
    telegramWebOrigins: [],
    trustedProxies: 0,
    logLevel: "silent",
    metricsToken: null,
    authenticate: async () => null,
  });
  const readiness = { whyNot: async () => reason, drain: () => undefined };
  registerHealth(app, { readiness, silentMs: () => silentMs });
  const answer = await app.inject({ method: "GET", url: path });
  await app.close();
  return { status: answer.statusCode, body: answer.json<Record<string, string>>() };
}

test("/health names the version and the commit that run", async () => {
  const version = expect.stringMatching(/^\d+\.\d+\.\d+/);
  const body = { status: "ok", version, commit: expect.any(String) };
  expect(await ask("/health")).toEqual({ status: 200, body });
});

test("/health is 503 stuck once the database has answered nobody for thirty seconds", async () => {
  expect((await ask("/health", { silentMs: STUCK_MS - 1 })).status).toBe(200);
  const body = { status: "stuck", version: expect.any(String) };
  expect(await ask("/health", { silentMs: STUCK_MS })).toMatchObject({ status: 503, body });
});

test("/ready gives the reason why it is not", async () => {
  expect(await ask("/ready")).toEqual({ status: 200, body: { status: "ready" } });
  const body = { status: "not ready", reason: "draining" };
  expect(await ask("/ready", { reason: "draining" })).toEqual({ status: 503, body });
});

afterEach(() => vi.useRealTimers());

test("an answer comes within the promised second, whatever the database does", async () => {
  vi.useFakeTimers();
  const silent = new Promise<never>(() => {});
  const database = {} as ReadinessOptions["database"];
  const readiness = createReadiness({ database, schemaVersion: () => silent });
  let said: unknown = "nothing";
  void readiness.whyNot().then((why) => (said = why));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(said).toBe("database-silent");
});

/** A server that gets half a request, of which the other half never comes. */
async function openDrippedServer(drainSeconds: number) {
  const server = Fastify();
  drainConnections(server, drainSeconds);
  server.post("/", () => "heard");
  await server.listen({ port: 0, host: "127.0.0.1" });
  const { port } = server.server.address() as AddressInfo;
  const dripping = connect(port, "127.0.0.1");
  const received = once(server.server, "request");
  dripping.write(
    "POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 9\r\n\r\n1",
  );
  await received;
  return { server, dripping };
}

test.each([
  [6_000, 0],
  [3_000, 3],
  [1_000, 9],
])("a slow sender is cut off %i ms after %i s of warning", async (patienceMs, drainSeconds) => {
  const { server, dripping } = await openDrippedServer(drainSeconds);
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"] });
  let isClosed = false;
  dripping.on("error", () => {});
  const cut = once(dripping, "close");
  const closed = server.close().then(() => (isClosed = true));
  await vi.advanceTimersByTimeAsync(patienceMs - 1);
  expect([isClosed, dripping.closed]).toEqual([false, false]);
  await vi.advanceTimersByTimeAsync(1);
  await cut;
  await closed;
});

test("the warning lasts the given seconds, none when there are none", async () => {
  const server = Fastify();
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  await announceClosing(server.server, 0);
  let isOver = false;
  const over = announceClosing(server.server, 3).then(() => (isOver = true));
  await vi.advanceTimersByTimeAsync(2_999);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await over;
});

/** Bodies that record how they were cut. */
function open(limits: { perKeyBytes: number; allBytes: number }) {
  const meter = createBodyMeter(limits);
  const cut: string[] = [];
  const begin = (name: string, key: string) =>
    meter.open(key, (reason) => cut.push(`${name}: ${reason}`));
  return { meter, cut, begin };
}

describe("a meter of bodies in progress", () => {
  test("cuts the oldest body of a sender that holds too much, and nobody else's", () => {
    const { cut, begin, meter } = open({ perKeyBytes: 3_000, allBytes: 100_000 });
    const slow = begin("slow", "a");
    const neighbour = begin("neighbour", "b");
    neighbour.add(2_000);
    slow.add(1_500);
    begin("next", "a").add(1_500);
    expect(cut).toEqual(["slow: key"]);
    expect(meter.heldBytes).toBe(2_000 + 1_500 + 2 * 256);
  });

  test("cuts the oldest body of all when all senders together hold too much", () => {
    const { cut, begin, meter } = open({ perKeyBytes: 3_000, allBytes: 5_500 });
    for (const name of ["a", "b", "c", "d", "e"]) begin(name, name).add(1_500);
    expect(cut).toEqual(["a: all", "b: all"]);
    expect(meter.heldBytes).toBeLessThanOrEqual(5_500);
  });

  test("never cuts a complete body: the one that still comes is cut", () => {
    const { cut, begin } = open({ perKeyBytes: 3_000, allBytes: 3_000 });
    const whole = begin("whole", "a");
    whole.add(2_500);
    whole.received();
    begin("coming", "b").add(1_000);
    expect(cut).toEqual(["coming: all"]);
  });

  test("counts a piece of one byte as more than its byte", () => {
    const { cut, begin } = open({ perKeyBytes: 10_000, allBytes: 10_000 });
    const trickle = begin("trickle", "a");
    for (let piece = 0; piece < 100; piece++) trickle.add(1);
    expect(cut).toEqual(["trickle: key"]);
  });

  test("releases a body once, however often it is called", () => {
    const { meter, begin } = open({ perKeyBytes: 10_000, allBytes: 10_000 });
    const body = begin("body", "a");
    body.add(500);
    body.release();
    body.release();
    body.add(500);
    expect(meter.heldBytes).toBe(0);
  });
});

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["not an address", "not an address"],
  ["", ""],
])("addressKey counts %s as %s", (address, key) => expect(addressKey(address)).toBe(key));

test("every limit by address uses it", () => {
  const root = join(import.meta.dirname, "..");
  const odd = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    // The address of a host that we call is no caller's.
    .filter((name) => ![join("http", "callers.ts"), join("outbound", "post.ts")].includes(name))
    .flatMap((name) =>
      readFileSync(join(root, name), "utf8")
        .split("\n")
        .filter((line) => /request\.ip\b|\.remoteAddress\b/.test(line))
        .filter((line) => !/addressKey\((?:request\.ip|request\.socket\.remoteAddress)/.test(line))
        .map((line) => `${name}: ${line.trim()}`),
    );
  expect(odd).toEqual([]);
});

test.each([
  [undefined, 0, "10.0.0.1"],
  [undefined, 2, "10.0.0.1"],
  ["1.1.1.1", 0, "10.0.0.1"],
  ["9.9.9.9, 1.1.1.1", 1, "1.1.1.1"],
  ["9.9.9.9, 1.1.1.1", 2, "9.9.9.9"],
  ["9.9.9.9, 1.1.1.1", 7, "9.9.9.9"],
  [" , ,1.1.1.1 ,", 1, "1.1.1.1"],
])("clientAddress of X-Forwarded-For %j behind %i proxies is %s", (forwarded, proxies, address) => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const request = { socket: { remoteAddress: "10.0.0.1" }, headers } as unknown as IncomingMessage;
  expect(clientAddress(request, proxies)).toBe(address);
});

test("a gzip whose beginning is compressed once decompresses to beginning and end, whatever they contain", () => {
  const beginnings = ["", "a", "la même chose ".repeat(5_000), "\u0000\u00ff"];
  const ends = ["", "x", "la même chose ".repeat(300), '{"id":"12"}</script>'];
  for (const beginning of beginnings) {
    const splice = createSplicedGzip(Buffer.from(beginning));
    for (const end of ends) {
      expect(gunzipSync(splice(Buffer.from(end))).toString()).toBe(beginning + end);
    }
  }
});

test("a body that is encoded once is created in the requested encoding, and only once", async () => {
  const plain = Buffer.from("le même texte ".repeat(1_000));
  const bodyIn = encodeOnce(plain, 5);
  expect(await bodyIn("identity")).toBe(plain);
  const brotli = await bodyIn("br");
  expect(brotliDecompressSync(brotli)).toEqual(plain);
  expect(await bodyIn("br")).toBe(brotli);
  expect(gunzipSync(await bodyIn("gzip"))).toEqual(plain);
});

test("a recent result is created once while it is used, and the one unused for longest is dropped", () => {
  const made: string[] = [];
  const recent = createRecent<string>(2);
  const get = (key: string) =>
    recent.get(key, () => {
      made.push(key);
      return key.toUpperCase();
    });
  expect([get("a"), get("b"), get("a"), get("c"), get("a"), get("b")].join("")).toBe("ABACAB");
  expect(made).toEqual(["a", "b", "c", "b"]);
});
