import { createHmac } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MONEROO_WEBHOOK_SECRET } from "../../../test/harness.ts";
import { openOrder, openShop, type Shop } from "../../../test/sales.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop?.app.close());

const sign = (body: string | Uint8Array) =>
  createHmac("sha256", MONEROO_WEBHOOK_SECRET).update(body).digest("hex");

type Sending = { readonly signature?: string | null; readonly type?: string };

async function send(body: string | Uint8Array<ArrayBuffer>, { signature, type }: Sending = {}) {
  const headers = new Headers({ "content-type": type ?? "application/json" });
  const header = signature === undefined ? sign(body) : signature;
  if (header !== null) headers.set("x-moneroo-signature", header);
  const url = `${shop.app.url}/webhooks/moneroo`;
  const answer = await fetch(url, { method: "POST", headers, body });
  return { status: answer.status, text: await answer.text() };
}

/** About payments and about payouts: Moneroo's one door takes both. */
async function stored(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT ((SELECT count(*) FROM provider_notices) + (SELECT count(*) FROM payout_notices))::int
      AS count
  `.execute(shop.app.db);
  return rows[0]?.count ?? 0;
}

async function dueChecks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM payment_checks WHERE due_at <= ${shop.app.clock.now()}
  `.execute(shop.app.db);
  return rows[0]?.count ?? 0;
}

describe("a notice", () => {
  test("correctly signed is stored and answered 200 whatever it says, before anything is asked about it", async () => {
    const bodies = [
      '{"event":"payment.success","data":{"id":"py_nobody_knows","status":"success"}}',
      '{"event":"moon.landed","data":{}}',
      '{"event":"payout.success","data":{"id":"po_1"}}',
      "{ not json",
      "",
      "null",
      "[]",
      '{"data":{"id":"a\\u0000b"}}',
      '{"data":{"id":{"$ne":1}}}',
      `{"data":{"id":"${"x".repeat(5_000)}"}}`,
      Uint8Array.from([0, 255, 254, 0, 195, 40]),
    ];
    const before = await stored();
    const asked = { ...shop.app.emulators.collectors.moneroo.limit.counts };
    for (const body of bodies) expect(await send(body)).toMatchObject({ status: 200 });
    expect(await stored()).toBe(before + bodies.length);
    expect(shop.app.emulators.collectors.moneroo.limit.counts).toEqual(asked);
  });

  test("is taken whatever type it says its body has", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/xml"]) {
      expect(await send(`{"type":"${type}"}`, { type })).toMatchObject({ status: 200 });
    }
  });

  test("wrongly signed is answered 403 in French, and leaves nothing", async () => {
    const body = '{"event":"payment.success","data":{"id":"py_forged"}}';
    const before = await stored();
    const signatures = [null, "", "0".repeat(64), sign(`${body} `), sign(body).toUpperCase()];
    for (const signature of signatures) {
      const answer = await send(body, { signature });
      expect(answer.status).toBe(403);
      expect(JSON.parse(answer.text)).toMatchObject({
        success: false,
        code: "checkout.notice-not-signed",
      });
    }
    expect(await stored()).toBe(before);
  });

  test("repeated a hundred times at once is stored once, each answered 200", async () => {
    const body = '{"event":"payment.failed","data":{"id":"py_repeated"}}';
    const before = await stored();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await stored()).toBe(before + 1);
  });

  test("about an order not yet final makes us ask at once, each time it comes", async () => {
    const order = await openOrder(shop);
    await shop.app.drain();
    shop.app.emulators.collectors.moneroo.fault("fetch", "500", Infinity);
    const body = `{"event":"payment.failed","data":{"id":"${order.paymentId}"}}`;
    expect(await dueChecks()).toBe(0);
    await send(body);
    expect(await dueChecks()).toBe(1);
    await shop.app.drain();
    expect(await dueChecks()).toBe(0);
    await send(body);
    expect(await dueChecks()).toBe(1);
    shop.app.emulators.collectors.moneroo.clearFaults();
    await shop.app.drain();
  });

  test("in new words about a paid order asks once more, and in the same words not again", async () => {
    const order = await openOrder(shop, await shop.app.signInBuyer());
    shop.app.emulators.collectors.moneroo.settle(order.paymentId, "success");
    await shop.app.drain();
    const late = `{"event":"payment.failed","data":{"id":"${order.paymentId}"},"late":true}`;
    await send(late);
    expect(await dueChecks()).toBe(1);
    await shop.app.drain();
    expect(await dueChecks()).toBe(0);
    await send(late);
    expect(await dueChecks()).toBe(0);
  });
});
