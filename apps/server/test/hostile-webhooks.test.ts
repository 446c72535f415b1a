import { MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED } from "../../../tools/testing/seeded.ts";
import { ALLOWED_UPDATES } from "../src/bot/allowed-updates.ts";
import { startTestApp, type TestApp } from "./harness.ts";
import {
  createPicker,
  forEach,
  HOSTILE_JSON,
  OWN_TO_STRING,
  pathsOf,
  plant,
  LONG_AND_UNPATTERNED,
} from "./hostile-json.ts";
import { openOrder, openShopIn, readOrder } from "./sale.ts";
import { SAMPLE_UPDATES } from "./telegram-updates.ts";
import { WEBHOOKS } from "./signed-webhooks.ts";

const LONG = process.env["LONG"] === "1";
/** Of each place of a body, beside the value that is never left out. */
const DRAWN = LONG ? HOSTILE_JSON.length : 1;
const CERTAIN = [OWN_TO_STRING, LONG_AND_UNPATTERNED];
const picker = createPicker();

/** The whole body replaced, and each of its values: texts to send. */
function hostileBodies(sample: unknown): string[] {
  return pathsOf(sample).flatMap((path) =>
    [...CERTAIN, ...picker.some(HOSTILE_JSON, DRAWN)].map((each) => plant(sample, path, each)),
  );
}

async function post(
  app: TestApp,
  path: string,
  sent: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<string | null> {
  const answer = await app.call("POST", path, sent);
  return answer.status < 500 ? null : `${path} ${sent.body.slice(0, 300)} → ${answer.status}`;
}

describe("hostile JSON in every field of every provider's signed webhook", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app?.close());

  test("is known for each provider that sends webhooks", () => {
    const routes = app.app.http.routeTable.flatMap(({ url }) =>
      url.startsWith("/webhooks/") && !url.includes(":") ? [url.slice("/webhooks/".length)] : [],
    );
    expect(new Set(routes)).toEqual(new Set(Object.keys(WEBHOOKS)));
  });

  test.each(Object.entries(WEBHOOKS))("%s", { timeout: 600_000 }, async (provider, source) => {
    const shop = await openShopIn(app);
    const failures = await forEach(hostileBodies(source.sample), (body) =>
      post(app, `/webhooks/${provider}`, source.sign(body, app.clock.now())),
    );
    expect(
      failures.filter((each) => each !== null),
      `SESAME_SEED=${SEED}`,
    ).toEqual([]);
    const order = await openOrder(shop);
    app.world.collectors.moneroo.settle(order.paymentId, "success");
    await app.drain();
    expect(await readOrder(shop, order.id)).toMatchObject({ status: "paid" });
    expect(app.takeErrors()).toEqual([]);
  });
});

const SECRET = "a-webhook-secret";

describe("hostile JSON in every field of every update of Telegram's", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp({
      env: { TELEGRAM_WEBHOOK_SECRET: SECRET, PUBLIC_URL: "https://sesame.example" },
    });
  });
  afterAll(() => app?.close());

  const headers = { "content-type": "application/json", "x-telegram-bot-api-secret-token": SECRET };
  let updateId = 1_000;

  async function waitingUpdates(): Promise<bigint> {
    const { rows } = await sql<{ count: bigint }>`
      SELECT count(*) AS count FROM telegram_updates WHERE handled_at IS NULL`.execute(app.db);
    return rows[0]?.count ?? -1n;
  }

  /** Handles what came. What a handler cannot read is tried three times, then closed. */
  async function handleAll(): Promise<void> {
    const loops = app.app.loops.filter(({ name }) => name.startsWith("updates "));
    for (let round = 0; round < 60 && (await waitingUpdates()) > 0n; round++) {
      for (const loop of loops) await loop.drain();
      app.clock.advance(MINUTE_MS);
    }
  }

  test("is known for each type that is asked for", () => {
    expect(Object.keys(SAMPLE_UPDATES).sort()).toEqual([...ALLOWED_UPDATES].sort());
  });

  test.each(ALLOWED_UPDATES)("%s", { timeout: 1_200_000 }, async (type) => {
    const bodies = SAMPLE_UPDATES[type]
      .flatMap(hostileBodies)
      .map((inner) => `{"update_id":${++updateId},"${type}":${inner}}`);
    const [sample] = SAMPLE_UPDATES[type];
    const misnumbered = HOSTILE_JSON.map(
      (hostile) => `{"update_id":${hostile},"${type}":${JSON.stringify(sample)}}`,
    );
    const failures = await forEach([...bodies, ...misnumbered], (body) => {
      const bot = body.length % 2 === 0 ? "seller" : "buyer";
      return post(app, `/webhooks/telegram/${bot}`, { headers, body });
    });
    expect(
      failures.filter((each) => each !== null),
      `SESAME_SEED=${SEED}`,
    ).toEqual([]);
    await handleAll();
    expect(await waitingUpdates()).toBe(0n);
    // What no Telegram says may fail in its handler, logged and put aside; nothing else may.
    const others = app.takeErrors().filter((line) => !line.includes('"update failed"'));
    expect(others).toEqual([]);
    expect(Object.fromEntries(app.app.guard.counts())).toEqual({});
    const seller = await app.signInSeller();
    expect((await app.call("GET", "/api/channels", { token: seller.token })).status).toBe(200);
  });
});
