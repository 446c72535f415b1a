import { describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { emulatorsEach, testEmulators } from "../testing/test-emulators.ts";
import type { Update } from "./bot-api.ts";

const { emulators, receiver } = emulatorsEach();

function say(personId: number, text: string): void {
  emulators.telegram.sendMessage({ personId, to: { bot: "buyer" }, text });
}

function texts(): (string | undefined)[] {
  return receiver.received.map(({ body }) => (JSON.parse(body) as Update).message?.text);
}

const setWebhook = (more: object = {}) =>
  emulators.call("buyer", "setWebhook", { url: receiver.url, secret_token: "s3cret_-", ...more });

async function pending(): Promise<unknown> {
  return (await emulators.call("buyer", "getWebhookInfo")).result?.pending_update_count;
}

describe("a webhook", () => {
  test("gets each update with the secret, those that waited first", async () => {
    say(emulators.buyer, "avant");
    expect(await setWebhook()).toEqual({ ok: true, result: true });
    await receiver.until(1);
    say(emulators.buyer, "après");
    await receiver.until(2);
    expect(texts()).toEqual(["avant", "après"]);
    expect(receiver.received[0]?.headers["x-telegram-bot-api-secret-token"]).toBe("s3cret_-");
    await eventually(() => emulators.telegram.bots().length > 0);
    expect(await emulators.refusal("buyer", "getUpdates")).toBe(
      "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to " +
        "delete the webhook first",
    );
  });

  test("that fails is tried again at once, then after 2, 4 and 8 s of the emulators", async () => {
    receiver.answer = () => ({ status: 500 });
    await setWebhook();
    say(emulators.buyer, "x");
    await receiver.until(2);
    for (const [seconds, count] of [
      [2, 3],
      [4, 4],
      [8, 5],
    ] as const) {
      await waitsFor(count - 1);
      emulators.clock.advance(seconds * 1000 - 1);
      expect(receiver.received.length).toBe(count - 1);
      emulators.clock.advance(1);
      await receiver.until(count);
    }
    expect((await emulators.call("buyer", "getWebhookInfo")).result).toMatchObject({
      pending_update_count: 1,
      last_error_message: "Wrong response from the webhook: 500 Internal Server Error",
    });
    receiver.answer = () => ({ status: 204 });
    await waitsFor(5);
    emulators.clock.advance(16_000);
    await receiver.until(6);
    await eventually(() => texts().length === 6);
  });

  test("is deleted with the queued updates, when that is requested", async () => {
    receiver.answer = () => ({ status: 500 });
    await setWebhook();
    say(emulators.buyer, "x");
    await receiver.until(1);
    await emulators.call("buyer", "deleteWebhook", { drop_pending_updates: true });
    expect(await pending()).toBe(0);
    expect(await emulators.call("buyer", "deleteWebhook")).toEqual({ ok: true, result: true });
  });
});

/** The retry is written down only after the answer was read. */
async function waitsFor(count: number): Promise<void> {
  await receiver.until(count);
  let info: unknown;
  while (info === undefined) {
    info = (await emulators.call("buyer", "getWebhookInfo")).result?.last_error_message;
  }
}

describe("the real rules of setWebhook", () => {
  test.each([
    [{ url: "http://sesame.ci/hook" }, "bad webhook: An HTTPS URL must be provided for webhook"],
    [
      { url: "https://sesame.ci:3000/hook" },
      "bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443",
    ],
    [{ url: "https://localhost/hook" }, "bad webhook: IP address 127.0.0.1 is reserved"],
    [
      { url: "https://sesame.ci/hook", secret_token: "é" },
      "secret token contains unallowed characters",
    ],
  ])("refuse %o", async (params, complaint) => {
    const strict = await testEmulators({ allowLocalAddresses: false });
    expect(await strict.refusal("buyer", "setWebhook", params)).toBe(
      `400 Bad Request: ${complaint}`,
    );
    await strict.close();
  });

  test("allow one a second", async () => {
    await setWebhook();
    expect(await setWebhook()).toMatchObject({ error_code: 429, parameters: { retry_after: 1 } });
    emulators.clock.advance(1_000);
    expect(await setWebhook()).toEqual({ ok: true, result: true });
  });
});
