import { DEFAULT_SETTINGS, type ProviderRates } from "@sesame/contract/back-office";
import { KNOWN_PROVIDERS, type KnownProvider, type OrderAnswer } from "@sesame/contract/checkout";
import { isAggregatorKey } from "@sesame/contract/payment-accounts";
import { assert, MINUTE_MS } from "@sesame/kernel";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isDrawn } from "../../../../../tools/testing/seeded.ts";
import { type SignedInBuyer, startTestApp, type TestApp } from "../../../test/harness.ts";
import { callOrder, createOwnAccountFixtures, sellByAll } from "../../../test/payments.ts";
import { publishProduct } from "../../../test/sales.ts";

/** People who order and never pay, beside people who buy: at every provider, held to its rate. */

const LOWEST_RATE = 10;

let app: TestApp;

const ACCOUNTS = ["the instance's", "a seller's own", "two sellers' one"] as const;

/** Products for sale; `key` is the public key of their account at KkiaPay, if it is their own. */
type Stall = { readonly references: readonly string[]; readonly key: string | undefined };

async function openStall(account: (typeof ACCOUNTS)[number], at: KnownProvider): Promise<Stall> {
  const stage = createOwnAccountFixtures(app);
  const own =
    account !== "the instance's" && isAggregatorKey(at) ? { at, ...stage.openAccount(at) } : null;
  const references: string[] = [];
  const shops = account === "two sellers' one" ? 2 : 1;
  for (let shop = 0; shop < shops; shop += 1) {
    const seller = await stage.sellerOn("premium");
    await sellByAll(app, seller.id);
    if (own) {
      const { body } = await stage.put(seller, own.at, { keys: own.keys });
      app.emulators.merchants[own.at].pointNotices(own.id, body.aggregator.own?.webhookUrl ?? "");
    }
    const group = await app.linkGroup(seller);
    for (let made = 0; made < 4 / shops; made += 1) {
      references.push((await publishProduct(app, { seller, group })).reference);
    }
  }
  return { references, key: own?.keys["publicKey"] };
}

type Scene = {
  readonly provider: KnownProvider;
  readonly account: (typeof ACCOUNTS)[number];
  readonly rate: number;
  readonly attackers: number;
  readonly attack: "orders" | "dead pages" | "webhooks";
};

type Page = {
  readonly id: bigint;
  readonly reference: string;
  readonly provider_payment_id: string;
  readonly amount: bigint;
};

/** The person's payments, each opened as a browser does. */
async function pagesOf(buyer: SignedInBuyer, { provider }: Scene, stall: Stall): Promise<Page[]> {
  const { rows } = await sql<Page>`
    SELECT p.id, p.reference, p.provider_payment_id, p.amount
    FROM payments p JOIN orders o ON o.id = p.order_id
    WHERE o.buyer_id = ${buyer.id} AND p.provider = ${provider} ORDER BY p.id`.execute(app.db);
  for (const { reference, amount } of provider === "kkiapay" ? rows : []) {
    if (app.emulators.kkiapay.find(reference)) continue;
    const config = { amount: Number(amount), data: reference, partnerId: reference };
    app.emulators.kkiapay.open({ ...config, key: stall.key });
  }
  return rows;
}

/** As what a browser tells (`POST /api/payments/:secret/heard`). */
async function hear(payment: bigint, names: readonly string[]): Promise<void> {
  const now = app.clock.now();
  await sql`
    WITH told AS (
      INSERT INTO payment_rumours (payment_id, transaction_id, heard_at)
      SELECT ${payment}, name, ${now} FROM unnest(${[...names]}::text[]) AS name
      ON CONFLICT DO NOTHING RETURNING 1
    )
    UPDATE payment_checks SET due_at = ${now}
    WHERE payment_id = ${payment} AND EXISTS (SELECT FROM told)`.execute(app.db);
}

/** Each orders all that may be open, and spoils it; again each time it is called. */
function createFlood(scene: Scene, stall: Stall, attackers: readonly SignedInBuyer[]) {
  const { provider, attack, rate } = scene;
  const desk = app.emulators.collectors[provider];
  const madeUp = Array.from({ length: rate === LOWEST_RATE ? 3 : 10 }, (_, n) => `made-up-${n}`);
  const order = (buyer: SignedInBuyer, product: string, nth: number) =>
    app.call("POST", "/api/orders", {
      token: buyer.token,
      body: { reference: product, provider },
      headers: { "idempotency-key": `${product}-${nth}` },
    });
  return async () => {
    for (const buyer of attackers) {
      await Promise.all(
        stall.references.flatMap((product) =>
          Array.from({ length: 5 }, (_, nth) => order(buyer, product, nth)),
        ),
      );
      for (const { id, provider_payment_id: page } of await pagesOf(buyer, scene, stall)) {
        if (provider === "kkiapay") await hear(id, madeUp);
        const isOpen = desk.find(page)?.status === "pending";
        if (attack === "webhooks") desk.settle(page, "failure");
        else if (attack === "dead pages" && isOpen) desk.settle(page, "cancel");
      }
    }
  };
}

type How = "told" | "asked" | "asked later" | "refused first";

/**
 * Seconds from having paid until the order is: a webhook is asked about at once; without one it is
 * found 10 s after the page was opened, and what is paid later by the next question, 18 s on; what was
 * refused at first, like another.
 */
const BOUNDS = { told: 0, asked: 10, "asked later": 20, "refused first": 10 } as const;

/** → seconds of the clock until each could pay, and from then until the order was paid. */
async function play(scene: Scene, stall: Stall, buyers: readonly How[]) {
  const { provider } = scene;
  const attackers = await Promise.all(
    Array.from({ length: scene.attackers }, () => app.signInBuyer()),
  );
  const flood = createFlood(scene, stall, attackers);
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
      const wish = orderId === undefined ? { product } : { orderId };
      const { status, body } = await callOrder(app, { buyer, provider, ...wish });
      orderId = body.id ?? body.order_id;
      return status === 201;
    }, 500);
    for (let age = 0; how === "asked later" && age < 11; age += 1) await pass(1_000);
    const [page] = await pagesOf(buyer, scene, stall);
    assert(page, "a payment is open");
    const desk = app.emulators.collectors[provider];
    if (how === "refused first") {
      desk.settle(page.provider_payment_id, "failure");
      await app.drain();
    }
    const { transactionId } = desk.settle(page.provider_payment_id, "success", {
      silent: how !== "told",
      personId: buyer.person.id,
    });
    // Nothing else says that there is something to ask KkiaPay about.
    if (how !== "told" && provider === "kkiapay") await hear(page.id, [transactionId ?? ""]);
    await app.drain();
    const { token } = buyer;
    const paid = await until(async () => {
      const { body } = await app.call<OrderAnswer>("GET", `/api/orders/${orderId}`, { token });
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
 * Each commit plays all attacks at the instance's account where two calls open a page, and one attack
 * at a third of the other accounts. Not played: several who attack at the lowest rate.
 */
function playedOf(scenes: readonly Scene[]): Scene[] {
  const possible = scenes.filter(({ rate, attackers }) => rate > LOWEST_RATE || attackers === 1);
  const isWhole = ({ provider, account, rate }: Scene) =>
    account === "the instance's" && provider === "fedapay" && rate > LOWEST_RATE;
  const others = possible.filter((scene) => {
    const { account, rate, attackers, attack } = scene;
    if (isWhole(scene) || (!LONG && (attackers > 1 || attack !== "webhooks"))) return false;
    return (
      LONG || account === "the instance's" || (account !== "a seller's own" && rate > LOWEST_RATE)
    );
  });
  return [...possible.filter(isWhole), ...others.filter((_, nth) => isDrawn(nth))];
}

const scenesAt = (rateOf: (provider: KnownProvider) => number): Scene[] =>
  KNOWN_PROVIDERS.flatMap((provider) =>
    ACCOUNTS.filter((account) => account === "the instance's" || isAggregatorKey(provider)).flatMap(
      (account) =>
        [1, 5].flatMap((attackers) =>
          (["webhooks", "orders", "dead pages"] as const).map(
            (attack): Scene => ({ provider, account, rate: rateOf(provider), attackers, attack }),
          ),
        ),
    ),
  );

/** The lowest rate has room for one who attacks and one who buys; five have opened more than can be asked about as often. */
function buyersOf({ rate, attackers }: Scene): How[][] {
  if (rate === LOWEST_RATE) return [["told"], ["asked"]];
  if (attackers === 1) return [["told", "asked", "asked later"], ["refused first"]];
  return [["told", "asked"]];
}

const lowest = Object.fromEntries(KNOWN_PROVIDERS.map((provider) => [provider, LOWEST_RATE]));

describe.each([
  { rates: "the documented rate", settings: DEFAULT_SETTINGS.provider_rates },
  { rates: "the lowest rate that may be set", settings: lowest as ProviderRates },
])("at $rates", ({ settings }) => {
  const stalls = new Map<string, Stall>();

  beforeAll(async () => {
    app = await startTestApp();
    await sql`INSERT INTO settings (key, value, changed_at)
      VALUES ('provider_rates', ${JSON.stringify(settings)}, ${app.clock.now()})`.execute(app.db);
  });
  beforeEach(async () => {
    await sql`DELETE FROM payment_checks`.execute(app.db);
    app.clock.advance(5 * MINUTE_MS);
  });
  afterAll(() => app?.close());

  const scenes = scenesAt((provider) => settings[provider]);
  test.each(
    playedOf(scenes).flatMap((scene) => buyersOf(scene).map((buyers) => ({ ...scene, buyers }))),
  )(
    "$attackers by $attack at $provider, $account account: nobody is held up who is $buyers",
    async ({ buyers, ...scene }) => {
      const { account, provider } = scene;
      const name = account === "the instance's" ? account : `${account} ${provider}`;
      const stall = stalls.get(name) ?? (await openStall(account, provider));
      stalls.set(name, stall);
      const { limit } = app.emulators.collectors[provider];
      limit.perMinute = scene.rate;
      const before = limit.counts.refused;
      const seen = await play(scene, stall, buyers);
      limit.perMinute = null;
      const refused = limit.counts.refused - before;
      process.stdout.write(`${JSON.stringify({ ...scene, seen, refused })}\n`);
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
    "one person alone at %s is asked about at the whole pace, for all that may be open",
    async (provider) => {
      const scene = scenes.find((one) => one.provider === provider && one.attack === "orders");
      assert(scene, "a scene");
      const buyer = await app.signInBuyer();
      await createFlood(scene, await openStall(scene.account, provider), [buyer])();
      const asked = new Map<bigint, number[]>();
      let due = new Map<bigint, number>();
      for (let second = 0; second <= 60; second += 1) {
        await app.drain();
        const { rows } = await sql<{ id: bigint; at: Date }>`
          SELECT payment_id AS id, due_at AS at FROM payment_checks`.execute(app.db);
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
