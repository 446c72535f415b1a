import { rm } from "node:fs/promises";
import { setTimeout as pace } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "../../../../tools/postgres/embedded.ts";
import { ownFolder } from "../../../../tools/postgres/leftovers.ts";
import { eventually } from "../../../../tools/testing/eventually.ts";
import { orderProduct } from "../sales.ts";
import { listenTo } from "./sockets.ts";
import {
  findLost,
  openOutside,
  openShop,
  type Outside,
  pay,
  personOf,
  seeOrder,
  SELLER_TOKEN,
  sendWebhook,
  sendWebhooks,
  signIn,
  untilLink,
} from "./stranger.ts";

const CHAT = -1_001_000_001_111;
const HOUR_MS = 3_600_000;

describe("a database restarted under load", () => {
  let folder: string;
  let database: EmbeddedPostgres;

  beforeAll(async () => {
    folder = ownFolder("outage");
    database = await startEmbeddedPostgres({ dataDir: folder, durable: false });
  });
  afterAll(async () => {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(database.dataDir, { recursive: true, force: true });
  });

  test("answers 503 in French meanwhile, then everything again, and loses no acknowledged webhook", async () => {
    const out = await openOutside({ env: { DATABASE_URL: database.url } });
    const { seller, product } = await openShop(out, 1_101, CHAT);
    const buyer = await signIn(out, 1_102, "acheteur");
    const ear = await listenTo(out.url, { token: seller.token });
    const made = await orderProduct(out, buyer, product.reference);
    const statusOf = async (path: string) => (await out.call("GET", path)).status;
    const webhooks = sendWebhooks(out, "restarted");
    await webhooks.goesOn();
    const seen = new Set<number>();
    const load = { on: true };
    const workers = Array.from({ length: 4 }, async () => {
      while (load.on) {
        for (const path of ["/api/channels", `/api/orders/${made.id}`, "/ready"]) {
          seen.add((await out.call("GET", path, seller)).status);
          // Slowly enough for the limit of calls a minute.
          await pace(100);
        }
      }
    });
    await database.stop();
    const during = await out.call("POST", "/api/orders", {
      token: buyer.token,
      body: { reference: product.reference, provider: "moneroo" },
    });
    expect(during.status).toBe(503);
    expect(during.body).toEqual({
      success: false,
      code: "outage",
      message: "Le service est momentanément indisponible. Veuillez réessayer dans un instant.",
    });
    expect(await statusOf("/health")).toBe(200);
    await eventually(async () => expect(await statusOf("/ready")).toBe(503));
    expect((await sendWebhook(out, "{}")).status).toBe(503);
    database = await startEmbeddedPostgres({ dataDir: folder, durable: false });
    await eventually(async () => expect(await statusOf("/ready")).toBe(200));
    await webhooks.goesOn();
    await webhooks.stop();
    expect(await findLost(database.url, webhooks.acknowledged)).toEqual([]);
    load.on = false;
    await Promise.all(workers);
    expect([...seen].filter((status) => ![200, 404, 503].includes(status))).toEqual([]);

    // Everything works as before, the bots and, once it listens again, realtime included.
    const namesReceived = () => ear.received.map(({ name }) => name);
    await eventually(() => expect(namesReceived()).toContain("resync"));
    retitle(out, "Club");
    await eventually(() => expect(namesReceived()).toContain("chatadd"));
    await pay(out, made);
    out.telegram.ask(CHAT, 1_102, await untilLink(out, buyer, made.id));
    await eventually(() => {
      expect(out.telegram.isInside(CHAT, 1_102)).toBe(true);
      expect(namesReceived()).toContain("payment_received");
    });
    ear.close();
    expect(out.program.child.exitCode).toBeNull();
    await out.close();
  });
});

function retitle(out: Outside, title: string): void {
  const chat = { id: CHAT, type: "supergroup", title };
  const message = { message_id: 1, date: 1, chat, from: personOf(1_101), new_chat_title: title };
  out.telegram.push(SELLER_TOKEN, { message });
}

test("with Telegram out for an hour the sale is settled, the link is created when it is back, the request answered", async () => {
  const out = await openOutside({ clock: true });
  const { product } = await openShop(out, 1_101, CHAT);
  const buyer = await signIn(out, 1_103, "acheteur");
  const made = await orderProduct(out, buyer, product.reference);
  const see = () => seeOrder(out, buyer, made.id);
  out.telegram.trouble = { status: 502, body: "<html>Bad Gateway</html>" };
  await pay(out, made);
  await eventually(async () =>
    expect(await see()).toMatchObject({ status: "paid", access: { status: "waiting" } }),
  );
  for (let minutes = 0; minutes < 60; minutes += 10) out.clock.advance(HOUR_MS / 6);
  expect((await see()).access?.invite_link).toBeNull();
  out.telegram.trouble = null;
  const link = await eventually(async () => {
    // With each check, so that a call that failed in the outage is made again.
    out.clock.advance(60_000);
    await pace(250);
    return (await see()).access?.invite_link ?? false;
  });
  out.telegram.ask(CHAT, 1_103, link);
  await eventually(() => expect(out.telegram.isInside(CHAT, 1_103)).toBe(true));
  await out.close();
});
