import { describe, expect, test } from "vitest";
import { emulatorsEach, testEmulators } from "../testing/test-emulators.ts";

const { emulators, receiver } = emulatorsEach();

const setWebhook = (more: object = {}) =>
  emulators.call("buyer", "setWebhook", { url: receiver.url, secret_token: "s3cret_-", ...more });

test("a webhook ends polling until it is deleted, with the queued updates when that is requested", async () => {
  const to = { bot: "buyer" as const };
  emulators.telegram.sendMessage({ personId: emulators.buyer, to, text: "avant" });
  expect(await setWebhook()).toEqual({ ok: true, result: true });
  expect(await emulators.refusal("buyer", "getUpdates")).toBe(
    "409 Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to " +
      "delete the webhook first",
  );
  const deletion = await emulators.call("buyer", "deleteWebhook", { drop_pending_updates: true });
  expect(deletion).toEqual({ ok: true, result: true });
  expect((await emulators.call("buyer", "getUpdates")).result).toEqual([]);
  expect(await emulators.call("buyer", "deleteWebhook")).toEqual({ ok: true, result: true });
});

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
    const strict = await testEmulators({ publicUrl: "https://sesame.test" });
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
