import { divideRate, KNOWN_PROVIDERS, type KnownProvider } from "@sesame/contract/checkout";
import { addMs, assert, MINUTE_MS } from "@sesame/kernel";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sellMany } from "../../../test/bulk-sales.ts";
import {
  openOrder,
  openShop,
  openShopIn,
  paymentIdOf,
  publishProduct,
  readOrder,
  type Shop,
} from "../../../test/sales.ts";
import { leaseChecks, type DueCheck } from "./checks.ts";
import { reserveOpening } from "./opening.ts";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { openTestApp, type SignedInBuyer, type TestApp } from "../../../test/harness.ts";
import { DEFAULT_SETTINGS } from "@sesame/contract/back-office";
import { isAggregatorKey } from "@sesame/contract/payment-accounts";
import { isDrawn } from "../../../../../tools/testing/seeded.ts";
import { createOwnAccountFixtures, sellByAll } from "../../../test/payments.ts";

let shop: Shop = await openShop();

const now = () => shop.app.clock.now();

function lease(
  paced: number,
  { limit = 400, provider = "moneroo" }: { limit?: number; provider?: KnownProvider } = {},
): Promise<DueCheck[]> {
  const leaseEnd = addMs(now(), 12_000);
  const rates = new Map<string, number>([[provider, paced]]);
  return leaseChecks(shop.app.db, { now: now(), leaseEnd, limit, except: [], paced: rates });
}

const ordersOf = (checks: readonly DueCheck[]) => checks.map(({ order_id }) => order_id);

describe("the leased checks", () => {
  beforeEach(async () => {
    await shop.app.sql`DELETE FROM payment_checks`;
    shop.app.clock.advance(10 * MINUTE_MS);
  });

  const sell = (orders: number) =>
    sellMany(shop.app.db, { sellers: 1, buyers: 1, orders, now: now() });

  test("are one order of each person in turn, oldest first, within the rate", async () => {
    const flood = await sell(20);
    const victim = await sell(1);
    expect(ordersOf(await lease(4))).toEqual([flood.orders[0], victim.orders[0], flood.orders[1]]);
    // The last call is left to persons without a lookup.
    expect(await lease(4)).toEqual([]);
    const newcomer = await sell(2);
    expect(ordersOf(await lease(4))).toEqual([newcomer.orders[0]]);
    shop.app.clock.advance(MINUTE_MS + 5_000);
    expect(ordersOf(await lease(4, { limit: 2 }))).toEqual([flood.orders[0], victim.orders[0]]);
  });

  test("have refused payments after pending ones, if twice as many calls are left to others", async () => {
    const { payments, orders } = await sell(12);
    const refused = payments.slice(0, 6);
    await shop.app.sql`UPDATE payments SET status = 'refused' WHERE id = ANY(${refused}::bigint[])`;
    expect(ordersOf(await lease(24))).toEqual([...orders.slice(6), ...orders.slice(0, 2)]);
  });

  test.each([1, 20])(
    "have refused payments at any rate, and KkiaPay's by %s reported ids",
    async (names) => {
      for (let paced = 9; paced <= 40; paced += 1) {
        await shop.app.sql`DELETE FROM payment_checks`;
        shop.app.clock.advance(10 * MINUTE_MS);
        const { payments } = await sell(1);
        const [payment] = payments;
        const provider = names === 1 ? "moneroo" : "kkiapay";
        await shop.app.sql`UPDATE payments SET status = 'refused', provider = ${provider}
          WHERE id = ${payment}`;
        await shop.app.sql`INSERT INTO reported_transactions
          SELECT ${payment}, 'name-' || n, ${now()} FROM generate_series(1, ${names}::int) AS n`;
        expect(await lease(paced, { provider })).toMatchObject([{ payment_id: payment }]);
      }
    },
  );

  test("are what fits, although the ids of another's payments do not", async () => {
    const flood = await sell(3);
    const refused = await sell(1);
    const ids = [...flood.payments, ...refused.payments];
    await shop.app.sql`UPDATE payments SET provider = 'kkiapay' WHERE id = ANY(${ids}::bigint[])`;
    await shop.app.sql`UPDATE payments SET status = 'refused' WHERE id = ${refused.payments[0]}`;
    await shop.app.sql`INSERT INTO reported_transactions
      SELECT p, 'name-' || p || '-' || n, ${now()}
      FROM unnest(${flood.payments}::bigint[]) AS p, generate_series(1, 20) AS n`;
    await shop.app.sql`
      INSERT INTO reported_transactions VALUES (${refused.payments[0]}, 'paid', ${now()})`;
    const asked = [
      await lease(54, { provider: "kkiapay" }),
      await lease(54, { provider: "kkiapay" }),
    ];
    expect(ordersOf(asked.flat())).toEqual([...flood.orders.slice(0, 2), refused.orders[0]]);
  });

  test("are as without counts, if a clock that was set back wrote the counts", async () => {
    const { orders } = await sell(1);
    await sell(1);
    await shop.app.sql`INSERT INTO person_calls SELECT 'moneroo', 0, 'scheduled', buyer_id, 20,
      ${addMs(now(), 60 * MINUTE_MS)} FROM orders WHERE id = ${orders[0]}`;
    expect(ordersOf(await lease(4, { limit: 1 }))).toEqual(orders);
  });

  test("have those of signed webhooks before all others, whatever the rate", async () => {
    const flood = await sell(20);
    const victim = await sell(2);
    const [, payment] = victim.payments;
    await shop.app.sql`UPDATE payment_checks SET reported = true WHERE payment_id = ${payment}`;
    expect((await lease(5))[0]).toMatchObject({ payment_id: payment, reported: true });
    const late = flood.payments[19];
    await shop.app.sql`UPDATE payment_checks SET reported = true WHERE payment_id = ${late}`;
    expect(await lease(5)).toMatchObject([{ payment_id: late }]);
  });

  test("stay within the rate when many workers lease at once", async () => {
    await sellMany(shop.app.db, { sellers: 1, buyers: 200, orders: 200, now: now() });
    const leases = await Promise.all(Array.from({ length: 12 }, () => lease(30)));
    const ids = leases.flat().map(({ payment_id }) => payment_id);
    expect(ids).toHaveLength(30);
    expect(new Set(ids).size).toBe(30);
    // Over any minute: a call 40 s ago counts, a call 65 s ago does not.
    shop.app.clock.advance(40_000);
    expect(await lease(30)).toHaveLength(0);
    shop.app.clock.advance(25_000);
    expect(await lease(30)).toHaveLength(30);
  });

  test("are not paced at a provider without a rate", async () => {
    await sell(150);
    const request = { now: now(), leaseEnd: addMs(now(), 12_000), limit: 400, except: [] };
    expect(await leaseChecks(shop.app.db, { ...request, paced: new Map() })).toHaveLength(150);
  });
});

describe("openings of payments", () => {
  async function openings(
    buyers: number,
    each: number,
    { rate, provider = "moneroo" }: { rate: number; provider?: KnownProvider },
  ): Promise<string[]> {
    const account = { provider, keyId: null };
    const size = { sellers: 1, buyers, orders: buyers * each, now: now() };
    const { orders } = await sellMany(shop.app.db, size);
    await shop.app.sql`DELETE FROM payment_checks`;
    await shop.app.sql`DELETE FROM payments WHERE order_id = ANY(${[...orders]}::bigint[])`;
    const taken = await Promise.all(
      orders.map((orderId) =>
        reserveOpening(shop.app.db, { orderId, account, now: now(), rate, repeats: false }),
      ),
    );
    return taken.map(({ kind }) => kind);
  }

  test("use half of the rate at most, and leave the rest to verifying", async () => {
    shop.app.clock.advance(10 * MINUTE_MS);
    const kinds = await openings(80, 1, { rate: 120 });
    expect(kinds.filter((kind) => kind === "open")).toHaveLength(divideRate(120).openings);
    expect(kinds.filter((kind) => kind === "account-budget")).toHaveLength(20);
  });

  test("are twenty at once for one person, then one more every thirty seconds", async () => {
    shop.app.clock.advance(10 * MINUTE_MS);
    const kinds = await openings(1, 30, { rate: 100_000 });
    expect(kinds.filter((kind) => kind === "open")).toHaveLength(20);
    expect(kinds.filter((kind) => kind === "person-budget")).toHaveLength(10);
  });

  test.each([
    ["moneroo", 120, [20, 12, 6, 3, 2, 1, 1, 1]],
    ["fedapay", 60, [5, 3, 1, 1, 1, 1, 1, 1]],
    ["paydunya", 60, [11, 5, 3, 1, 1, 1, 1, 1]],
    ["paydunya", 10, [1, 1, 1, 1, 1, 0]],
    ["fedapay", 10, [1, 1, 0]],
  ] as const)(
    "at %s, at %i a minute, leave some to the next persons: %j",
    async (provider, rate, opened) => {
      shop.app.clock.advance(10 * MINUTE_MS);
      for (const most of opened) {
        const kinds = await openings(1, 21, { rate, provider });
        expect(kinds.filter((kind) => kind === "open")).toHaveLength(most);
      }
    },
  );
});

describe("one account that never pays", () => {
  // A new shop each time: Moneroo's minute begins with the first call, and must not be another test's.
  beforeEach(async () => {
    shop = await openShopIn(await openTestApp());
  });
  afterEach(() => shop?.app.close());

  const order = (buyer: SignedInBuyer, reference: string, key: string) =>
    shop.app.send("POST /api/orders", buyer, { reference, provider: "moneroo" }, key);

  test("one person ordering at full rate delays nobody, with Moneroo limited to 120 calls a minute", async () => {
    const { app } = shop;
    const { limit } = app.emulators.collectors.moneroo;
    limit.perMinute = 120;
    const references = [shop.product.reference];
    for (let made = 0; made < 4; made += 1) {
      references.push((await publishProduct(app, shop)).reference);
    }
    const attacker = await app.signInBuyer();
    const [paying, ordering] = [await app.signInBuyer(), await app.signInBuyer()];
    const paid = await openOrder(shop, paying);
    const before = { ...limit.counts };
    const flood = async (minute: number, waves = 1) => {
      for (let wave = 0; wave < waves; wave += 1) {
        const calls = Array.from({ length: 50 }, (_, n) =>
          order(attacker, references[n % 5] ?? "", `flood-${minute}-${wave}-${n}`),
        );
        await Promise.all(calls);
      }
    };
    await flood(0, 3);
    const seen: Record<string, number> = { opened: limit.counts.initialize - before.initialize };
    // The clock stands still: only what needs no later call of the provider can finish.
    const ordered = await order(ordering, shop.product.reference, "victim");
    expect(ordered.status).toBe(201);
    await app.pay("moneroo", paid.paymentId);
    expect(await readOrder(shop, paid.id, paying)).toMatchObject({ status: "paid" });
    // The flood continues, and the second buyer pays without any webhook: found by scheduled lookups.
    const payment = paymentIdOf(ordered.body.payment_url);
    app.emulators.collectors.moneroo.settle(payment, "success", { silent: true });
    let waited = 0;
    while ((await readOrder(shop, ordered.body.id, ordering)).status !== "paid" && waited < 60) {
      app.clock.advance(2_000);
      waited += 2;
      if (waited % 20 === 0) await flood(waited);
      await app.drain();
    }
    expect(waited).toBeLessThanOrEqual(10);
    for (; waited < 180; waited += 6) {
      app.clock.advance(6_000);
      if (waited % 30 === 0) await flood(waited);
      await app.drain();
    }
    seen["refused by Moneroo"] = limit.counts.refused - before.refused;
    seen["verified in 3 minutes"] = limit.counts.verify - before.verify;
    process.stdout.write(`one attacker at full rate: ${JSON.stringify(seen)}\n`);
    expect(seen).toMatchObject({ opened: 20, "refused by Moneroo": 0 });
  }, 600_000);

  test("a provider that refuses the rate of scheduled lookups still answers after a signed webhook", async () => {
    const { app } = shop;
    const { limit } = app.emulators.collectors.moneroo;
    const [buyer, paying] = [await app.signInBuyer(), await app.signInBuyer()];
    await openOrder(shop, buyer);
    const paid = await openOrder(shop, paying);
    // Webhooks report both openings: they are looked up now, and this status is not sent again.
    await app.drain();
    limit.perMinute = 0;
    const before = { ...limit.counts };
    // Both get a scheduled lookup, which is refused: scheduled lookups wait for the required minute.
    await app.advance(11_000);
    expect(limit.counts.refused).toBeGreaterThan(before.refused);
    limit.perMinute = null;
    await app.advance(5_000);
    expect(limit.counts.verify).toBe(before.verify);
    app.emulators.collectors.moneroo.settle(paid.paymentId, "success");
    // The webhook comes by HTTP: perhaps only after a loop that found nothing to do.
    await eventually(async () => {
      await app.drain();
      expect(await readOrder(shop, paid.id, paying)).toMatchObject({ status: "paid" });
    });
    expect(limit.counts.verify).toBe(before.verify + 1);
  });
});

/** People who order without paying, beside people who buy: at every provider, at its rate. */

const LOWEST_RATE = 10;

let app: TestApp;

const ACCOUNTS = ["the instance's", "a seller's own", "two sellers' one"] as const;

/** Products for sale; `key` is the public key of their seller's own account at KkiaPay, if any. */
type Stall = { readonly references: readonly string[]; readonly key: string | undefined };

async function openStall(account: (typeof ACCOUNTS)[number], at: KnownProvider): Promise<Stall> {
  const setup = createOwnAccountFixtures(app);
  const own =
    account !== "the instance's" && isAggregatorKey(at) ? { at, ...setup.openAccount(at) } : null;
  const references: string[] = [];
  const shops = account === "two sellers' one" ? 2 : 1;
  for (let shop = 0; shop < shops; shop += 1) {
    const seller = await app.seller({ plan: "premium" });
    await sellByAll(app, seller);
    if (own) {
      const { body } = await setup.put(seller, own.at, { keys: own.keys });
      app.emulators.merchants[own.at].pointWebhooks(own.id, body.aggregator.own?.webhookUrl ?? "");
    }
    const group = await app.linkGroup(seller);
    for (let made = 0; made < 4 / shops; made += 1) {
      references.push((await publishProduct(app, { seller, group })).reference);
    }
  }
  return { references, key: own?.keys["publicKey"] };
}

type Scenario = {
  readonly provider: KnownProvider;
  readonly account: (typeof ACCOUNTS)[number];
  readonly rate: number;
  readonly attackers: number;
  readonly attack: "orders" | "dead pages" | "webhooks";
};

type Page = { id: bigint; reference: string; provider_payment_id: string; amount: bigint };

/** The person's payments, each opened as a browser does. */
async function pagesOf(buyer: SignedInBuyer, { provider }: Scenario, stall: Stall) {
  const rows = await app.sql<Page>`
    SELECT p.id, p.reference, p.provider_payment_id, p.amount
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE o.buyer_id = ${buyer.id} AND p.provider = ${provider} ORDER BY p.id`;
  for (const { reference, amount } of provider === "kkiapay" ? rows : []) {
    if (app.emulators.kkiapay.find(reference)) continue;
    const config = { amount: Number(amount), data: reference, partnerId: reference };
    app.emulators.kkiapay.open({ ...config, key: stall.key });
  }
  return rows;
}

/** Reports ids as a browser does (`POST /api/payments/:secret/reported-transactions`). */
async function reportNames(payment: bigint, names: readonly string[]): Promise<void> {
  const now = app.clock.now();
  await app.sql`
    WITH reported AS (
      INSERT INTO reported_transactions (payment_id, transaction_id, reported_at)
      SELECT ${payment}, name, ${now} FROM unnest(${[...names]}::text[]) AS name
      ON CONFLICT DO NOTHING RETURNING 1
    )
    UPDATE payment_checks SET due_at = ${now}
    WHERE payment_id = ${payment} AND EXISTS (SELECT FROM reported)`;
}

/** Each attacker orders as much as possible and pays nothing; once more at each call. */
function createFlood(scenario: Scenario, stall: Stall, attackers: readonly SignedInBuyer[]) {
  const { provider, attack, rate } = scenario;
  const collector = app.emulators.collectors[provider];
  const madeUp = Array.from({ length: rate === LOWEST_RATE ? 3 : 10 }, (_, n) => `made-up-${n}`);
  const order = (buyer: SignedInBuyer, product: string, nth: number) =>
    app.send("POST /api/orders", buyer, { reference: product, provider }, `${product}-${nth}`);
  return async () => {
    for (const buyer of attackers) {
      await Promise.all(
        stall.references.flatMap((product) =>
          Array.from({ length: 5 }, (_, nth) => order(buyer, product, nth)),
        ),
      );
      for (const { id, provider_payment_id: page } of await pagesOf(buyer, scenario, stall)) {
        if (provider === "kkiapay") await reportNames(id, madeUp);
        const isOpen = collector.find(page)?.status === "pending";
        if (attack === "webhooks") collector.settle(page, "failure");
        else if (attack === "dead pages" && isOpen) collector.settle(page, "cancel");
      }
    }
  };
}

type How = "reported" | "asked" | "asked later" | "refused first";

/**
 * The maximum of seconds between a payment and its settlement. After a webhook: at once. Without one:
 * the first lookup, 10 s after the page was opened; for a later payment the next lookup, 18 s later;
 * for one refused at first, the same.
 */
const BOUNDS = { reported: 0, asked: 10, "asked later": 20, "refused first": 10 } as const;

/** → for each buyer: seconds until the payment page was open, and from the payment until the order was paid. */
async function play(scenario: Scenario, stall: Stall, buyers: readonly How[]) {
  const { provider } = scenario;
  const attackers = await Promise.all(
    Array.from({ length: scenario.attackers }, () => app.signInBuyer()),
  );
  const flood = createFlood(scenario, stall, attackers);
  let steps = 0;
  const pass = async (ms: number) => {
    app.clock.advance(ms);
    steps += 1;
    if (steps % 4 === 0) await flood();
    await app.drain();
  };
  const until = async (isTrue: () => Promise<boolean>, stepMs: number) => {
    for (let waited = 0; ; waited += stepMs) {
      if ((await isTrue()) || waited >= MINUTE_MS) return waited / 1_000;
      await pass(stepMs);
    }
  };
  const buy = async (how: How) => {
    const buyer = await app.signInBuyer();
    // Of two sellers, the one whose account gets the webhooks.
    const product = stall.references.at(-1) ?? "";
    let orderId: string | undefined;
    const ordered = await until(async () => {
      const { status, body } = await (orderId === undefined
        ? app.send("POST /api/orders", buyer, { reference: product, provider })
        : app.send("POST /api/orders/:id/payment", buyer, { id: orderId, provider }));
      orderId = body.id ?? body.order_id;
      return status === 201;
    }, 500);
    for (let age = 0; how === "asked later" && age < 11; age += 1) await pass(1_000);
    const [page] = await pagesOf(buyer, scenario, stall);
    assert(page, "a payment is open");
    const collector = app.emulators.collectors[provider];
    if (how === "refused first") {
      collector.settle(page.provider_payment_id, "failure");
      await app.drain();
    }
    const { transactionId } = collector.settle(page.provider_payment_id, "success", {
      silent: how !== "reported",
      personId: buyer.person.id,
    });
    // Only a browser's report makes KkiaPay's payment known without a webhook.
    if (how !== "reported" && provider === "kkiapay")
      await reportNames(page.id, [transactionId ?? ""]);
    await app.drain();
    const paid = await until(async () => {
      const { body } = await app.send("GET /api/orders/:id", buyer, { id: orderId });
      return body.status === "paid";
    }, 1_000);
    return { how, ordered, paid };
  };
  await flood();
  const seen: Awaited<ReturnType<typeof buy>>[] = [];
  for (const how of buyers) seen.push(await buy(how));
  return seen;
}

const LONG = process.env["LONG"] === "1";

/**
 * Each commit plays all attacks at the instance's account where an opening costs two calls, and one
 * attack at a third of the other accounts. Not played: several attackers at the lowest rate.
 */
function playedOf(scenarios: readonly Scenario[]): Scenario[] {
  const possible = scenarios.filter(({ rate, attackers }) => rate > LOWEST_RATE || attackers === 1);
  const isWhole = ({ provider, account, rate }: Scenario) =>
    account === "the instance's" && provider === "fedapay" && rate > LOWEST_RATE;
  const others = possible.filter((scenario) => {
    const { account, rate, attackers, attack } = scenario;
    if (isWhole(scenario) || (!LONG && (attackers > 1 || attack !== "webhooks"))) return false;
    return (
      LONG || account === "the instance's" || (account !== "a seller's own" && rate > LOWEST_RATE)
    );
  });
  return [...possible.filter(isWhole), ...others.filter((_, nth) => isDrawn(nth))];
}

const scenariosAt = (rateOf: (provider: KnownProvider) => number): Scenario[] =>
  KNOWN_PROVIDERS.flatMap((provider) =>
    ACCOUNTS.filter((account) => account === "the instance's" || isAggregatorKey(provider)).flatMap(
      (account) =>
        [1, 5].flatMap((attackers) =>
          (["webhooks", "orders", "dead pages"] as const).map(
            (attack): Scenario => ({
              provider,
              account,
              rate: rateOf(provider),
              attackers,
              attack,
            }),
          ),
        ),
    ),
  );

/**
 * The lowest rate has room for one attacker and one buyer; five attackers have more openings than the rate can look up as
 * often.
 */
function buyersOf({ rate, attackers }: Scenario): How[][] {
  if (rate === LOWEST_RATE) return [["reported"], ["asked"]];
  if (attackers === 1) return [["reported", "asked", "asked later"], ["refused first"]];
  return [["reported", "asked"]];
}

const lowest = Object.fromEntries(
  KNOWN_PROVIDERS.map((provider) => [provider, LOWEST_RATE]),
) as typeof DEFAULT_SETTINGS.provider_rates;

describe.each([
  { rates: "the documented rate", settings: DEFAULT_SETTINGS.provider_rates },
  { rates: "the lowest rate that may be set", settings: lowest },
])("at $rates", ({ settings }) => {
  const stalls = new Map<string, Stall>();

  beforeAll(async () => {
    app = await openTestApp();
    await app.sql`INSERT INTO settings (key, value, changed_at)
      VALUES ('provider_rates', ${JSON.stringify(settings)}, ${app.clock.now()})`;
  });
  beforeEach(async () => {
    await app.sql`DELETE FROM payment_checks`;
    app.clock.advance(5 * MINUTE_MS);
  });
  afterAll(() => app?.close());

  const scenarios = scenariosAt((provider) => settings[provider]);
  test.each(
    playedOf(scenarios).flatMap((scenario) =>
      buyersOf(scenario).map((buyers) => ({ ...scenario, buyers })),
    ),
  )(
    "$attackers by $attack at $provider, $account account: nobody is delayed who is $buyers",
    async ({ buyers, ...scenario }) => {
      const { account, provider } = scenario;
      const name = account === "the instance's" ? account : `${account} ${provider}`;
      const stall = stalls.get(name) ?? (await openStall(account, provider));
      stalls.set(name, stall);
      const { limit } = app.emulators.collectors[provider];
      limit.perMinute = scenario.rate;
      const before = limit.counts.refused;
      const seen = await play(scenario, stall, buyers);
      limit.perMinute = null;
      const refused = limit.counts.refused - before;
      process.stdout.write(`${JSON.stringify({ ...scenario, seen, refused })}\n`);
      for (const { how, ordered, paid } of seen) {
        expect(ordered).toBeLessThanOrEqual(2);
        expect(paid).toBeLessThanOrEqual(BOUNDS[how]);
      }
      expect(refused).toBe(0);
    },
    600_000,
  );

  // KkiaPay is not called before its page is used.
  const alone = settings === lowest ? [] : (["moneroo", "fedapay", "paydunya"] as const);
  test.each(alone)(
    "one person alone at %s is served at the whole rate, for all orders that may be open",
    async (provider) => {
      const scenario = scenarios.find(
        (one) => one.provider === provider && one.attack === "orders",
      );
      assert(scenario, "a scenario");
      const buyer = await app.signInBuyer();
      await createFlood(scenario, await openStall(scenario.account, provider), [buyer])();
      const asked = new Map<bigint, number[]>();
      let due = new Map<bigint, number>();
      for (let second = 0; second <= 60; second += 1) {
        await app.drain();
        const rows = await app.sql<{ id: bigint; at: Date }>`
          SELECT payment_id AS id, due_at AS at FROM payment_checks`;
        for (const { id, at } of rows) {
          const moved = due.has(id) && due.get(id) !== at.getTime();
          if (moved && second >= 10) asked.set(id, [...(asked.get(id) ?? []), second]);
        }
        due = new Map(rows.map(({ id, at }) => [id, at.getTime()]));
        app.clock.advance(1_000);
      }
      expect(asked.size).toBe({ moneroo: 20, fedapay: 5, paydunya: 11 }[provider]);
      for (const times of asked.values()) {
        expect(times[0]).toBe(10);
        const gaps = [...times, 60].map((second, n) => second - (times[n - 1] ?? second));
        expect(Math.max(...gaps)).toBeLessThanOrEqual(20);
      }
    },
    600_000,
  );
});
