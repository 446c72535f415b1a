import { KNOWN_PROVIDERS, type KnownProvider } from "@sesame/contract/checkout";
import { MINUTE_MS } from "@sesame/kernel";
import { check } from "@sesame/ledger";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { PaymentFault } from "../../../../emulators/src/index.ts";
import {
  mendAll,
  type Outcome,
  outcomeOf,
  sellByAll,
  settleAt,
  tellHeard,
  type Tried,
  tryAt,
} from "../../../test/payments.ts";
import { openShop, type Shop } from "../../../test/sales.ts";
import { brokenAccesses, brokenSales } from "../../upkeep/books.view.ts";

/**
 * What an order, the ledger, its access and the desk are:
 *   paid     paid by one sale in the ledger, access open
 *   waits    pending, no franc anywhere, no access; asked on
 *   failed   the provider said no: the same, and a late yes still counts
 *   alarm    pending, no franc anywhere, no access; the desk hears of what came and does not match
 *   returned the provider gave it back before we knew: failed, and the desk hears
 */
type Cell = "paid" | "waits" | "failed" | "alarm" | "returned";

type Row = {
  /** As soon as everything that was set going has ended. */
  readonly now: Readonly<Partial<Record<KnownProvider, Cell>>>;
  /** Once the trouble is over and some minutes have passed; as before when absent. */
  readonly later?: Readonly<Partial<Record<KnownProvider, Cell>>>;
};

function all(cell: Cell, others: Row["now"] = {}): Row["now"] {
  return { ...Object.fromEntries(KNOWN_PROVIDERS.map((id) => [id, cell])), ...others };
}

/** Those that make a payment, or ask for one, by a call; KkiaPay's is made in the browser. */
function byCall(cell: Cell): Row["now"] {
  const { kkiapay: _made, ...others } = all(cell);
  return others;
}

/** Those whose answers have a word for what became of it; Telegram lists what was paid. */
function worded(cell: Cell): Row["now"] {
  const { stars: _listed, ...others } = all(cell);
  return others;
}

/** Telegram and Crypto Pay tell nothing of what was not paid. */
const SILENT_NO = { stars: "waits", cryptopay: "waits" } as const;

const MATRIX = {
  success: { now: all("paid") },
  refusal: { now: all("failed", SILENT_NO) },
  // KkiaPay's and FedaPay's widgets are closed without a word to anybody.
  dismissed: { now: all("failed", { ...SILENT_NO, kkiapay: "waits" }) },
  // KkiaPay's is found by what the browser heard.
  "notice lost": { now: all("waits"), later: all("paid") },
  "told three times, and again later": { now: all("paid") },
  "success after failure": { now: all("paid") },
  // A charge in Telegram's list is what it is for ever.
  "amount changed": { now: all("alarm"), later: all("paid", { stars: "alarm" }) },
  // An update in another currency is none of ours; Telegram's list counts in Stars alone.
  "currency changed": { now: all("alarm", { stars: "waits" }), later: all("paid") },
  // What names another order of ours is no answer about this one where they find it by a name.
  "reference changed": {
    now: all("alarm", { kkiapay: "waits", stars: "waits" }),
    later: all("paid"),
  },
  "word unknown": { now: worded("waits"), later: worded("paid") },
  "given back before we asked": {
    now: { fedapay: "returned", kkiapay: "returned", paydunya: "returned" },
  },
  "creation breaks before": { now: byCall("waits"), later: byCall("paid") },
  "creation breaks after": { now: byCall("waits"), later: byCall("paid") },
  "creation 500": { now: byCall("waits"), later: byCall("paid") },
  "creation 429": { now: byCall("waits"), later: byCall("paid") },
  "creation nonsense": { now: byCall("waits"), later: byCall("paid") },
  "question breaks": { now: all("waits"), later: all("paid") },
  "question 500": { now: all("waits"), later: all("paid") },
  "question 429": { now: all("waits"), later: all("paid") },
  "question nonsense": { now: all("waits"), later: all("paid") },
  "question not found": { now: all("waits"), later: all("paid") },
  "question refused by keys": { now: all("waits"), later: all("paid") },
  // Telegram's updates are a rumour like the others: its list is asked, and has the true charge.
  // The last row: FedaPay tells nothing more to an address that refused it often.
  "told by nobody we know": { now: all("waits", { stars: "paid" }), later: all("paid") },
} as const satisfies Readonly<Record<string, Row>>;

type CaseName = keyof typeof MATRIX;

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

const deskOf = ({ provider }: Tried) => shop.app.emulators.collectors[provider];
const fault =
  (call: "create" | "fetch", kind: PaymentFault, times = 1) =>
  (id: KnownProvider) =>
    shop.app.emulators.collectors[id].fault(call, kind, times);

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
    before: (id) => Object.assign(shop.app.emulators.collectors[id].notices, { drop: true }),
    act: pays,
  },
  "told three times, and again later": {
    before: (id) => Object.assign(shop.app.emulators.collectors[id].notices, { copies: 3 }),
    act: pays,
    mend: (tried) => {
      const told = deskOf(tried).noticeViews().at(-1);
      if (told) deskOf(tried).repeatNotice(told.id);
    },
  },
  "told by nobody we know": {
    before: (id) =>
      Object.assign(shop.app.emulators.collectors[id].notices, { forgeSignature: true }),
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
