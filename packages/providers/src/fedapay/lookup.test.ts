import { readFileSync } from "node:fs";
import { fcfa } from "@sesame/kernel";
import { afterEach, describe, expect, test } from "vitest";
import {
  hostProvider,
  outageOf,
  type ProviderHost,
  type ScriptedAnswer,
} from "../provider.test-host.ts";
import { createFedapayPayouts } from "./index.ts";

const recorded = (name: string): Record<string, unknown> =>
  JSON.parse(readFileSync(new URL("./recorded/answers.json", import.meta.url), "utf8"))[name];

let host: ProviderHost | null = null;

afterEach(async () => {
  await host?.close();
  host = null;
});

const KEYS = { secretKey: "sk_live_1", webhookSecret: "wh", now: () => new Date(0) };

/** By the longest beginning of the call that is named. */
async function answering(answers: Record<string, ScriptedAnswer>, options: object = {}) {
  const starts = Object.keys(answers).sort((one, other) => other.length - one.length);
  const started = await hostProvider(({ call }) => {
    const start = starts.find((name) => call.startsWith(name));
    return (start && answers[start]) || { status: 404, body: { message: "Not found" } };
  });
  host = started;
  return createFedapayPayouts({ ...KEYS, apiRoot: started.apiRoot, timeoutMs: 60_000, ...options });
}

const callsMade = () => host?.calls.map(({ call }) => call);

const BY_ID = "GET /v1/payouts/55";
const BY_REFERENCE = "GET /v1/payouts/merchant/wd-17-1";
const LIST = "GET /v1/payouts?";

const payout = (change: object) => {
  const { "v1/payout": made } = recorded("created");
  return { body: { "v1/payout": { ...(made as object), ...change } } };
};
const noSuch = { status: 404, body: { message: "Not found" } };

describe("looking a payout up", () => {
  const name = { reference: "wd-17-1", handle: null, providerPayoutId: null };

  test("goes by its id, and tells amount, fees, reference and its word", async () => {
    const fedapay = await answering({ [BY_ID]: payout({ status: "sent", fees: 150.0 }) });
    expect(await fedapay.lookup({ ...name, handle: "55" })).toMatchObject({
      verdict: "succeeded",
      providerPayoutId: "55",
      word: "sent",
      cost: fcfa(150),
      amount: fcfa(5000),
      reference: "wd-17-1",
      environment: "live",
    });
  });

  test("goes by our reference without an id, through the list where they have no such call", async () => {
    const fedapay = await answering({ [LIST]: { body: recorded("list") } });
    expect(await fedapay.lookup(name)).toMatchObject({ providerPayoutId: "55", currency: "XOF" });
    expect(callsMade()).toEqual([BY_REFERENCE, "GET /v1/payouts?page=1&per_page=100"]);
    expect(await fedapay.lookup({ ...name, reference: "wd-18-1" })).toBeNull();
  });

  test("is null for one they do not know, an outage for another's answer", async () => {
    const fedapay = await answering({ [BY_ID]: noSuch });
    expect(await fedapay.lookup({ ...name, handle: "55" })).toBeNull();
    await host?.close();
    const odd = await answering({ [BY_ID]: payout({ id: 56 }) });
    await outageOf(odd.lookup({ ...name, handle: "55" }));
  });

  test.each([
    { status: 500, body: {} },
    { status: 401, body: {} },
    { status: 200, body: "nonsense" },
    { status: 200, body: { "v1/payout": { id: 55 } } },
  ])("is an outage on %j", async (answer) => {
    const fedapay = await answering({ [BY_ID]: answer });
    expect((await outageOf(fedapay.lookup({ ...name, handle: "55" }))).party).toBe("fedapay");
  });
});

describe("their list", () => {
  const line = (id: number, createdAt: string) => ({
    id,
    status: "sent",
    amount: 1000,
    merchant_reference: `wd-${id}-1`,
    created_at: createdAt,
  });
  const SINCE = new Date("2026-11-01T00:00:00Z");

  test("is read page after page until it is older than asked", async () => {
    const pages = [
      [line(5, "2026-11-03T00:00:00Z"), line(4, "2026-11-02T00:00:00Z")],
      [line(3, "2026-11-01T00:00:00Z"), line(2, "2026-10-31T00:00:00Z")],
      [line(1, "2026-10-30T00:00:00Z"), line(0, "2026-10-29T00:00:00Z")],
      [line(9, "2026-11-03T00:00:00Z")],
    ];
    const fedapay = await answering(
      Object.fromEntries(
        pages.map((page, at) => [
          `${LIST}page=${at + 1}&`,
          { body: { "v1/payouts": page, meta: { total_pages: 4 } } },
        ]),
      ),
    );
    const listed = await fedapay.list?.(SINCE);
    expect(listed?.map(({ reference }) => reference)).toEqual(["wd-5-1", "wd-4-1", "wd-3-1"]);
    expect(host?.calls).toHaveLength(3);
  });

  test("is read whole where it is the oldest first, and once where pages are ignored", async () => {
    const page = [line(1, "2026-10-30T00:00:00Z"), line(2, "2026-11-02T00:00:00Z")];
    const fedapay = await answering({ [LIST]: { body: page } });
    expect((await fedapay.list?.(SINCE))?.map(({ providerPayoutId }) => providerPayoutId)).toEqual([
      "2",
    ]);
    expect(host?.calls).toHaveLength(2);
  });

  test("with a line that says nothing readable proves nothing: an outage", async () => {
    const body = { "v1/payouts": [line(1, "2026-11-02T00:00:00Z"), { id: null }] };
    const fedapay = await answering({ [LIST]: { body } });
    await outageOf(Promise.resolve(fedapay.list?.(SINCE)));
  });
});
