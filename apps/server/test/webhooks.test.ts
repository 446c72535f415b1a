import fc from "fast-check";
import { expect, test } from "vitest";
import { startTestApp } from "./harness.ts";
import { HOSTILE_TEXTS } from "./hostile.ts";

const SECRET = "a-webhook-secret";
const RUNS = process.env["LONG"] === "1" ? 5_000 : 60;

const app = await startTestApp({
  env: { TELEGRAM_WEBHOOK_SECRET: SECRET, PUBLIC_URL: "https://sesame.example" },
});

type Webhook = { readonly type: string; readonly body: string };

async function notify(path: string, { type, body }: Webhook, secret: string): Promise<number> {
  const headers = { "content-type": type, "x-telegram-bot-api-secret-token": secret };
  return (await app.call("POST", path, { body, headers })).status;
}

const text = fc.oneof(fc.constantFrom(...HOSTILE_TEXTS, "\0", "\ud800"), fc.string());
const json = fc.jsonValue({ stringUnit: "binary", depthSize: "small" });

/** In Telegram's form, with any value in the places that a handler reads. */
const update = fc
  .record({
    update_id: fc.integer({ min: 1, max: 1e9 }),
    kind: fc.constantFrom("message", "callback_query", "my_chat_member", "chat_join_request", "x"),
    from: fc.record({ id: fc.integer({ min: 1 }), is_bot: fc.boolean(), first_name: text }),
    chat: fc.record({ id: fc.integer(), type: fc.constantFrom("private", "group"), title: text }),
    text,
    extra: json,
  })
  .map(({ update_id, kind, from, chat, text: said, extra }) => {
    const body = { message_id: 1, date: 1, from, chat, text: said, extra };
    return JSON.stringify({ update_id, [kind]: body });
  });

const webhooks: fc.Arbitrary<Webhook> = fc.record({
  type: fc.constantFrom(
    "application/json",
    "application/json; charset=utf-8",
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
  ),
  body: fc.oneof(
    update,
    json.map((value) => JSON.stringify(value)),
    text,
  ),
});

test("whatever Telegram's webhooks get is stored or refused, with the secret and without", {
  timeout: 3_600_000,
}, async () => {
  for (const path of ["/webhooks/telegram/seller", "/webhooks/telegram/buyer"]) {
    await fc.assert(
      fc.asyncProperty(webhooks, async (webhook) => {
        expect(await notify(path, webhook, "another-secret")).toBe(403);
        expect([200, 400]).toContain(await notify(path, webhook, SECRET));
      }),
      { numRuns: RUNS },
    );
  }
  expect(app.takeErrors()).toEqual([]);
});

test("whatever Moneroo's webhook gets without its signature is refused, and nothing is stored", async () => {
  await fc.assert(
    fc.asyncProperty(webhooks, async ({ type, body }) => {
      const headers = { "content-type": type, "x-moneroo-signature": "0".repeat(64) };
      const answer = await app.call("POST", "/webhooks/moneroo", { body, headers });
      expect(answer).toMatchObject({ status: 403, body: { success: false } });
    }),
    { numRuns: RUNS },
  );
  expect(app.takeErrors()).toEqual([]);
});
