import { KNOWN_PROVIDERS, type KnownProvider } from "@sesame/contract/checkout";
import { MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { PaymentFault } from "../../../../world/src/index.ts";
import {
  mendAll,
  type Outcome,
  outcomeOf,
  sellByAll,
  settleAt,
  tellHeard,
  type Tried,
  tryAt,
} from "../../../test/collecting.ts";
import { openShop, type Shop } from "../../../test/sale.ts";
import { brokenAccesses, brokenSales } from "../../upkeep/books.view.ts";
import { type CaseName, type Cell, MATRIX, type Row } from "./provider-matrix.table.ts";

let shop: Shop;

beforeAll(async () => {
  shop = await openShop();
  await sellByAll(shop.app, shop.seller.id);
});
afterEach(() => mendAll(shop.app));
afterAll(async () => {
  expect(await check(shop.app.db)).toEqual([]);
  expect(await brokenSales(shop.app.db, 10)).toEqual([]);
  expect(await brokenAccesses(shop.app.db, 10)).toEqual([]);
  await shop.app.close();
});

const NOTHING = { sales: 0, suspended: 0n, accesses: 0 };

const OUTCOMES: Readonly<Record<Cell, Outcome>> = {
  paid: { order: "paid", sales: 1, suspended: 0n, accesses: 1, alerts: [] },
  waits: { order: "pending", ...NOTHING, alerts: [] },
  failed: { order: "failed", ...NOTHING, alerts: [] },
  alarm: { order: "pending", ...NOTHING, alerts: ["payment.mismatch"] },
  returned: { order: "failed", ...NOTHING, alerts: ["payment.refunded-there"] },
};

/** An alert stays on the desk once the matter has come right. */
function cellOf(outcome: Outcome, alarmed: boolean): string {
  const { alerts, ...facts } = outcome;
  for (const [cell, known] of Object.entries(OUTCOMES)) {
    const { alerts: expected, ...same } = known;
    const alike = Object.entries(same).every(([name, value]) =>
      Object.is(facts[name as keyof typeof facts], value),
    );
    const heard = alarmed && cell === "paid" ? alerts : expected;
    if (alike && String(alerts) === String(heard)) return cell;
  }
  return JSON.stringify(outcome, (_key, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  );
}

const deskOf = ({ provider }: Tried) => shop.app.world.collectors[provider];
const fault =
  (call: "create" | "fetch", kind: PaymentFault, times = 1) =>
  (id: KnownProvider) =>
    shop.app.world.collectors[id].fault(call, kind, times);

type Play = {
  /** Before the order is made. */
  readonly before?: (provider: KnownProvider) => void;
  readonly act: (tried: Tried) => unknown;
  /** The trouble is over. */
  readonly mend?: (tried: Tried) => unknown;
};

const pays = (tried: Tried) => settleAt(shop.app, tried, "success");
const altered =
  (change: Parameters<ReturnType<typeof deskOf>["alter"]>[1]): Play["act"] =>
  (tried) => {
    pays(tried);
    deskOf(tried).alter(tried.reference ?? "", change);
  };
const straight = (change: Parameters<ReturnType<typeof deskOf>["alter"]>[1]): Play["mend"] => {
  const truth = Object.fromEntries(Object.keys(change).map((name) => [name, null]));
  return (tried) => deskOf(tried).alter(tried.reference ?? "", truth);
};

/** Their words for money that went back. */
const RETURNED: Readonly<Partial<Record<KnownProvider, string>>> = {
  fedapay: "refunded",
  kkiapay: "REVERTED",
  paydunya: "refunded",
};

const asking = (kind: PaymentFault): Play => ({
  act: (tried) => {
    deskOf(tried).fault("fetch", kind, 20);
    pays(tried);
  },
  mend: (tried) => deskOf(tried).clearFaults(),
});

const creating = (kind: PaymentFault): Play => ({
  before: fault("create", kind),
  // FedaPay is asked for what it made by our reference, so a lost answer is no loss there.
  act: ({ provider, reference }) => provider === "fedapay" || expect(reference).toBeNull(),
  // Who was asked to wait (429) is asked again in its time.
  mend: async (tried) => {
    if (tried.reference !== null) return pays(tried);
    const { buyer, provider, orderId } = tried;
    return pays(await tryAt(shop.app, { buyer, provider, orderId }));
  },
});

const PLAYS: Readonly<Record<CaseName, Play>> = {
  success: { act: pays },
  refusal: { act: (tried) => settleAt(shop.app, tried, "failure") },
  dismissed: { act: (tried) => settleAt(shop.app, tried, "cancel") },
  "notice lost": {
    before: (id) => Object.assign(shop.app.world.collectors[id].notices, { drop: true }),
    act: pays,
  },
  "told three times, and again later": {
    before: (id) => Object.assign(shop.app.world.collectors[id].notices, { copies: 3 }),
    act: pays,
    mend: (tried) => {
      const told = deskOf(tried).noticeViews().at(-1);
      if (told) deskOf(tried).repeatNotice(told.id);
    },
  },
  "told by nobody we know": {
    before: (id) => Object.assign(shop.app.world.collectors[id].notices, { forgeSignature: true }),
    act: pays,
  },
  "success after failure": {
    act: async (tried) => {
      settleAt(shop.app, tried, "failure");
      await shop.app.drain();
      pays(tried);
    },
  },
  "amount changed": { act: altered({ amount: 100 }), mend: straight({ amount: 100 }) },
  "currency changed": { act: altered({ currency: "NGN" }), mend: straight({ currency: "NGN" }) },
  "reference changed": { act: altered({ reference: "999999" }), mend: straight({ reference: "" }) },
  "word unknown": { act: altered({ status: "mystery" }), mend: straight({ status: "" }) },
  "given back before we asked": {
    act: (tried) => altered({ status: RETURNED[tried.provider] ?? null })(tried),
  },
  "creation breaks before": creating("timeout-before"),
  "creation breaks after": creating("timeout-after"),
  "creation 500": creating("500"),
  "creation 429": creating("429"),
  "creation nonsense": creating("nonsense"),
  "question breaks": asking("timeout-before"),
  "question 500": asking("500"),
  "question 429": asking("429"),
  "question nonsense": asking("nonsense"),
  "question not found": asking("not-found"),
  "question refused by keys": asking("keys"),
};

async function cellsOf(all: readonly Tried[], row: Row): Promise<Record<string, string>> {
  const alarmed = Object.values(row.now).includes("alarm");
  const cells: Record<string, string> = {};
  for (const { provider, orderId } of all) {
    cells[provider] = cellOf(await outcomeOf(shop.app, orderId), alarmed);
  }
  return cells;
}

async function pass(minutes: number): Promise<void> {
  shop.app.clock.advance(minutes * MINUTE_MS);
  await shop.app.drain();
}

describe("each provider, and", () => {
  test.each(Object.entries(MATRIX) as [CaseName, Row][])("%s", async (name, row) => {
    const play = PLAYS[name];
    const providers = KNOWN_PROVIDERS.filter((id) => row.now[id] !== undefined);
    const product = shop.product.reference;
    for (const provider of providers) play.before?.(provider);
    const all = await Promise.all(
      providers.map(async (provider) =>
        tryAt(shop.app, { buyer: await shop.app.signInBuyer(), provider, product }),
      ),
    );
    for (const tried of all) await play.act(tried);
    await shop.app.drain();
    expect(await cellsOf(all, row)).toEqual(row.now);
    if (!play.mend && !("later" in row)) return;
    mendAll(shop.app);
    // Who said 429 to a creation is left alone for a while.
    if (play.before && all.some((tried) => tried.reference === null)) await pass(2);
    for (const tried of all) {
      await play.mend?.(tried);
      const { transactionId = null } = deskOf(tried).find(tried.reference ?? "") ?? {};
      if (tried.provider === "kkiapay" && transactionId) {
        await tellHeard(shop.app, tried, transactionId);
      }
    }
    await shop.app.drain();
    await pass(5);
    expect(await cellsOf(all, row)).toEqual(row.later ?? row.now);
  });
});
