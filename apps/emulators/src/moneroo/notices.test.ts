import { MINUTE_MS } from "@sesame/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { type Receiver, startReceiver } from "../testing/receiver.ts";
import {
  SECRET_KEY,
  testEmulators,
  type TestEmulators,
  WEBHOOK_SECRET,
} from "../testing/test-emulators.ts";
import { sign } from "./moneroo.ts";

const provider = "moneroo";
let emulators: TestEmulators;
let receiver: Receiver;

beforeEach(async () => {
  receiver = await startReceiver();
  emulators = await testEmulators({ notifyUrl: `${receiver.url}/webhooks/moneroo` });
});

afterEach(async () => {
  await emulators.close();
  await receiver.close();
});

async function newPayment(): Promise<string> {
  const answer = await fetch(`${emulators.apiRoot}/v1/payments/initialize`, {
    method: "POST",
    headers: { authorization: `Bearer ${SECRET_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({
      amount: 5000,
      currency: "XOF",
      description: "VIP",
      return_url: "https://app.example/",
      customer: { email: "awa@example.com", first_name: "Awa", last_name: "Diàllo/Bâ" },
    }),
  });
  return ((await answer.json()) as { data: { id: string } }).data.id;
}

const noticeAt = (index: number) => emulators.collectors.moneroo.noticeViews()[index];
const eventOf = (index: number) =>
  (JSON.parse(receiver.received[index]?.body ?? "{}") as { event?: string }).event;

describe("a notice", () => {
  test("is compact, signed over its bytes, and delivered by exactly 200", async () => {
    const id = await newPayment();
    emulators.collectors.moneroo.settle(id, "success");
    await receiver.until(1);
    const { body = "", headers } = receiver.received[0] ?? {};
    expect(body).toBe(JSON.stringify(JSON.parse(body)));
    expect(JSON.parse(body)).toMatchObject({
      event: "payment.success",
      data: {
        id,
        amount: 5000,
        currency: "XOF",
        status: "success",
        customer: { firstName: "Awa" },
      },
    });
    expect(headers?.["x-moneroo-signature"]).toBe(sign(body, WEBHOOK_SECRET));
    await eventually(() => noticeAt(0)?.state === "delivered");
  });

  test("is sent for each failed attempt, and for the success after it", async () => {
    const id = await newPayment();
    for (const outcome of ["failure", "failure", "success"] as const) {
      emulators.collectors.moneroo.settle(id, outcome);
    }
    await receiver.until(3);
    expect([0, 1, 2].map(eventOf).sort()).toEqual([
      "payment.failed",
      "payment.failed",
      "payment.success",
    ]);
  });

  test("is tried three times more, ten minutes apart, then given up", async () => {
    receiver.answer = () => ({ status: 201 });
    emulators.collectors.moneroo.settle(await newPayment(), "success");
    for (const tries of [1, 2, 3]) {
      await eventually(() => noticeAt(0)?.state === "held" && noticeAt(0)?.tries === tries);
      emulators.clock.advance(10 * MINUTE_MS - 1);
      expect(receiver.received.length).toBe(tries);
      emulators.clock.advance(1);
      await receiver.until(tries + 1);
    }
    await eventually(() => noticeAt(0)?.state === "failed");
    emulators.clock.advance(60 * MINUTE_MS);
    expect(receiver.received.length).toBe(4);
  });

  test("is not sent for a change that is silent or dropped", async () => {
    emulators.collectors.moneroo.settle(await newPayment(), "success", { silent: true });
    emulators.panel.setPaymentNotices({ provider, drop: true });
    emulators.collectors.moneroo.settle(await newPayment(), "success");
    expect(emulators.collectors.moneroo.noticeViews().map((notice) => notice.state)).toEqual([
      "dropped",
    ]);
    expect(receiver.received.length).toBe(0);
  });

  test("can be late", async () => {
    emulators.panel.setPaymentNotices({ provider, delayMs: 60_000 });
    emulators.collectors.moneroo.settle(await newPayment(), "success");
    emulators.clock.advance(59_999);
    expect(receiver.received.length).toBe(0);
    emulators.clock.advance(1);
    await receiver.until(1);
  });

  test("can come several times, and again later byte for byte", async () => {
    emulators.panel.setPaymentNotices({ provider, copies: 3 });
    emulators.collectors.moneroo.settle(await newPayment(), "success");
    await receiver.until(3);
    emulators.panel.repeatPaymentNotice({ provider, noticeId: 1 });
    await receiver.until(4);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  });

  test("can change places with the next one", async () => {
    const id = await newPayment();
    emulators.panel.setPaymentNotices({ provider, reorder: true });
    emulators.collectors.moneroo.settle(id, "failure");
    await Promise.resolve();
    expect(receiver.received.length).toBe(0);
    emulators.collectors.moneroo.settle(id, "success");
    await receiver.until(2);
    expect(eventOf(0)).toBe("payment.success");
    expect(eventOf(1)).toBe("payment.failed");
  });

  test("can be forged, or well signed over unusual spaces and escapes", async () => {
    emulators.panel.setPaymentNotices({ provider, forgeSignature: true });
    emulators.collectors.moneroo.settle(await newPayment(), "failure");
    await receiver.until(1);
    const forged = receiver.received[0];
    expect(forged?.headers["x-moneroo-signature"]).not.toBe(
      sign(forged?.body ?? "", WEBHOOK_SECRET),
    );
    emulators.panel.setPaymentNotices({ provider, forgeSignature: false, unusualSpacing: true });
    emulators.collectors.moneroo.settle(await newPayment(), "success");
    await receiver.until(2);
    const { body = "", headers } = receiver.received[1] ?? {};
    expect(headers?.["x-moneroo-signature"]).toBe(sign(body, WEBHOOK_SECRET));
    expect(body).not.toBe(JSON.stringify(JSON.parse(body)));
    expect(body).toContain("Di\\u00e0llo\\/B");
    expect(JSON.parse(body)).toMatchObject({ data: { customer: { lastName: "Diàllo/Bâ" } } });
  });
});
