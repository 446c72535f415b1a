import { describe, expect, test } from "vitest";
import { WEBHOOK_LIMIT_BYTES } from "../src/http/webhook-guard.ts";
import { MONEROO_WEBHOOK_SECRET, startTestApp, type TestApp } from "./harness.ts";
import { hmac, openLine } from "./http.ts";
import { openShop } from "./sales.ts";

const TELEGRAM_SECRET = "a-webhook-secret";
const TELEGRAM_PATH = "/webhooks/telegram/seller";
const TELEGRAM_HEADER = `x-telegram-bot-api-secret-token: ${TELEGRAM_SECRET}`;

/** A server with Telegram's webhooks: the shop's own polls. */

const shop = await openShop();
const { app } = shop;
const env = { TELEGRAM_WEBHOOK_SECRET: TELEGRAM_SECRET, PUBLIC_URL: "https://sesame.example" };
const called = await startTestApp({ env });

const head = (path: string, length: number, headers: readonly string[]) =>
  [`POST ${path} HTTP/1.1`, "Host: x", `Content-Length: ${length}`, ...headers, "\r\n"].join(
    "\r\n",
  );

/** A whole webhook of Telegram's; `body` in Latin-1. */
const update = (body: string) =>
  Buffer.from(head(TELEGRAM_PATH, body.length, [TELEGRAM_HEADER]) + body, "latin1");

const wrong = `X-Moneroo-Signature: ${"0".repeat(64)}`;
const signed = (body: string) => `X-Moneroo-Signature: ${hmac(MONEROO_WEBHOOK_SECRET, body)}`;

/** What is answered to these bytes, on a connection of their own. */
async function statusOf(to: TestApp, bytes: string | Buffer): Promise<number> {
  const line = await openLine(to.url);
  line.socket.write(bytes);
  const { status } = await line.answer();
  line.socket.destroy();
  return status;
}

describe("a provider's webhook is accepted or refused by its head, before its body is awaited", () => {
  test.each([
    ["of an unknown provider", "/webhooks/nobody", [wrong], 404],
    ["of an unknown account", "/webhooks/moneroo/999999", [wrong], 404],
    ["of an account that is no number", "/webhooks/moneroo/abc", [wrong], 404],
    ["without a signature", "/webhooks/moneroo", [], 403],
    ["with a malformed signature", "/webhooks/moneroo", ["X-Moneroo-Signature: abc"], 403],
    ["with two signatures", "/webhooks/moneroo", [wrong, wrong], 403],
    ["of FedaPay without a signature", "/webhooks/fedapay", [], 403],
    ["of FedaPay from another day", "/webhooks/fedapay", ["X-FEDAPAY-SIGNATURE: t=1,s=ab"], 403],
    ["of KkiaPay with a wrong secret", "/webhooks/kkiapay", ["x-kkiapay-secret: guess"], 403],
    ["of Crypto Pay without a signature", "/webhooks/cryptopay", [], 403],
  ])("%s", async (...[, path, headers, status]) => {
    const line = await openLine(app.url);
    line.socket.write(head(path, 1_000, headers));
    expect((await line.answer()).status).toBe(status);
    // The rest is discarded, and the connection serves the next request.
    line.socket.write("x".repeat(1_000));
    line.socket.write("GET /health HTTP/1.1\r\nHost: x\r\n\r\n");
    expect((await line.answer()).status).toBe(200);
    line.socket.destroy();
  });

  test("declared as larger than 64 KiB is answered 413 at once, whatever its signature", async () => {
    for (const header of [wrong, "x: y"]) {
      const bytes = head("/webhooks/moneroo", WEBHOOK_LIMIT_BYTES + 1, [header]);
      expect(await statusOf(app, bytes)).toBe(413);
    }
  });

  test("that grows beyond 64 KiB in chunks is answered 413 while it is received", async () => {
    const line = await openLine(app.url);
    line.socket.write(
      `POST /webhooks/moneroo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n${wrong}\r\n\r\n`,
    );
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
    for (let count = 0; count < 5; count++) line.socket.write(chunk);
    expect((await line.answer()).status).toBe(413);
    // Its last bytes are read too: the sender is not reset while it still writes.
    line.socket.write(`${chunk}0\r\n\r\nGET /health HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect((await line.answer()).status).toBe(200);
    line.socket.destroy();
  });

  test("of exactly 64 KiB and well signed is answered 200, with a wrong signature 403", async () => {
    const body = "x".repeat(WEBHOOK_LIMIT_BYTES);
    const answerTo = (header: string) =>
      statusOf(app, head("/webhooks/moneroo", body.length, [header]) + body);
    expect(await answerTo(signed(body))).toBe(200);
    expect(await answerTo(wrong)).toBe(403);
  });

  test("of PayDunya is received first, since its proof is in its body, and an empty probe is 200", async () => {
    const paydunya = (body: string) =>
      app.call("POST", "/webhooks/paydunya", {
        body,
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
    expect((await paydunya("")).status).toBe(200);
    expect((await paydunya("data[hash]=wrong")).status).toBe(403);
    expect((await paydunya("x".repeat(WEBHOOK_LIMIT_BYTES + 1))).status).toBe(413);
  });
});

test("a slow request has an end: the server waits a limited time for its head and for its body", () => {
  const { server } = app.app.http;
  expect(server.requestTimeout).toBeGreaterThanOrEqual(10_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(30_000);
  expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
});

describe("a webhook of Telegram", () => {
  test("without the secret is answered 403 before its body is awaited", async () => {
    expect(await statusOf(called, head(TELEGRAM_PATH, 1_000, []))).toBe(403);
  });

  test("may be four times as large as a provider's, and no larger", async () => {
    const ofLength = (length: number) => {
      const body = JSON.stringify({ update_id: 77, message: { text: "" } });
      return update(body.replace('""', `"${"x".repeat(length - body.length)}"`));
    };
    expect(await statusOf(called, ofLength(4 * WEBHOOK_LIMIT_BYTES))).toBe(200);
    expect(await statusOf(called, ofLength(4 * WEBHOOK_LIMIT_BYTES + 1))).toBe(413);
  });

  test.each([
    ["no JSON", "{ not json"],
    ["nothing", ""],
    ["no update", "[]"],
    ["an update without a number", '{"message":{}}'],
    ["a number no database holds", '{"update_id":1e300}'],
    [
      "an update of another shape",
      `{"update_id":7,"message":{"chat":{"id":"1","type":"private"}}}`,
    ],
    ["a name with NUL", '{"update_id":5,"a\\u0000b":1}'],
    ["a tower of brackets", `{"update_id":6,"a":${"[".repeat(20_000)}${"]".repeat(20_000)}}`],
    ["bytes that are no text", "\u00ff\u00fe\u0000"],
  ])(
    "that is %s is stored as unreadable and answered 200, each time it comes",
    async (_what, body) => {
      expect(await statusOf(called, update(body))).toBe(200);
      expect(await statusOf(called, update(body))).toBe(200);
      const handled = await called.values<boolean>`
        SELECT handled_at IS NOT NULL FROM telegram_updates
        WHERE last_error LIKE ${`unreadable: ${body.length} bytes`}`;
      expect(handled).toEqual([true]);
    },
  );

  test("with the messages of a group is not stored, not even as unreadable", async () => {
    const message = { chat: { id: -9, type: "of a later day" }, text: "Mot-Hapax entre nous" };
    const body = JSON.stringify({ update_id: 8, message });
    expect(await statusOf(called, update(body))).toBe(200);
    const stored = await called.sql`
      SELECT FROM telegram_updates WHERE body::text || coalesce(last_error, '') LIKE '%Mot-Hapax%'`;
    expect(stored).toEqual([]);
  });
});
