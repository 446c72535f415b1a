import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, DAY_MS, fcfa, MINUTE_MS, Outage, stoppedClock } from "@sesame/kernel";
import type {
  CreatedPayment,
  FetchedPayment,
  WebhookHeaders,
  PaymentName,
  PaymentProvider,
  PaymentRequest,
  ProviderId,
  ProviderPaymentStatus,
} from "@sesame/providers";
import { createCryptopay } from "@sesame/providers/cryptopay";
import { createFedapay } from "@sesame/providers/fedapay";
import { createKkiapay } from "@sesame/providers/kkiapay";
import { createMoneroo } from "@sesame/providers/moneroo";
import { createPaydunya } from "@sesame/providers/paydunya";
import { createStars } from "@sesame/providers/stars";
import fc from "fast-check";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { keepCharges } from "../../../../../packages/providers/src/stars/charges.test-keeper.ts";
import { eventually } from "../../../../../tools/testing/eventually.ts";
import { type Emulators, startEmulators } from "../../../../emulators/src/index.ts";
import { startReceiver } from "../../../../emulators/src/testing/receiver.ts";
import {
  BUYER_BOT_TOKEN,
  CRYPTOPAY_KEYS,
  EMULATED_KEYS,
  FEDAPAY_KEYS,
  KKIAPAY_KEYS,
  MONEROO_SECRET_KEY,
  MONEROO_WEBHOOK_SECRET,
  PAYDUNYA_KEYS,
} from "../../../test/harness.ts";
import { type BotGateway, createGateway } from "../../bot/gateway.ts";

/** Each adapter's answer, compared with the records of its emulated provider. */

const bench = await openAdapters();
afterEach(() => {
  for (const providerId of PROVIDER_IDS) bench.emulators.collectors[providerId].clearFaults();
});
afterAll(() => bench.close());

const PROVIDER_IDS = ["moneroo", "fedapay", "paydunya", "kkiapay", "cryptopay", "stars"] as const;
/** Providers that send webhooks. */
const WITH_WEBHOOKS = PROVIDER_IDS.filter((providerId) => providerId !== "stars");
/** Providers with a call that creates a payment. */
const MAKING = PROVIDER_IDS.filter((providerId) => providerId !== "kkiapay");

const collectorOf = (providerId: ProviderId) => bench.emulators.collectors[providerId];
const bookOf = ({ providerId, name }: Tried) => collectorOf(providerId).find(name.reference);

/** The status of the provider's records, in our words. */
const STATUSES = {
  pending: "pending",
  paid: "paid",
  failed: "refused",
  cancelled: "refused",
  refunded: "refunded",
} as const satisfies Record<string, ProviderPaymentStatus>;

/** The status in the provider's records. Telegram reports charges only, KkiaPay only attempts. */
function expected(tried: Tried): ProviderPaymentStatus {
  const { status: booked = "pending", transactionId = null } = bookOf(tried) ?? {};
  const silent =
    tried.providerId === "stars" || (tried.providerId === "kkiapay" && transactionId === null);
  const status = STATUSES[booked];
  return silent && status === "refused" ? "pending" : status;
}

async function agree(tried: Tried): Promise<FetchedPayment | null> {
  const said = await bench.ask(tried);
  expect(said?.status ?? "pending").toBe(expected(tried));
  return said;
}

async function outcomeOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch((error: unknown) => {
    if (error instanceof Outage) return "outage";
    throw error;
  });
}

describe.each(PROVIDER_IDS)("a payment at %s", (providerId) => {
  test("is in its records at the price, under our reference, and waits", async () => {
    const tried = await bench.make(providerId);
    const { created, name } = tried;
    expect(bookOf(tried)).toMatchObject({ status: "pending", reference: name.reference });
    const { amount = 5_000, currency = "XOF" } = created.quote ?? {};
    expect(String(bookOf(tried)?.amount)).toBe(String(amount));
    expect(bookOf(tried)?.currency).toBe(currency);
    expect(created.redirectUrl).toBe(
      providerId === "kkiapay" ? null : (bookOf(tried)?.payUrl ?? ""),
    );
    await agree(tried);
  });

  test("is paid when the provider reports it, at exactly the price", async () => {
    const tried = await bench.make(providerId, 12_345);
    await bench.settle(tried, "success");
    expect(await agree(tried)).toMatchObject({
      status: "paid",
      providerPaymentId: tried.name.providerPaymentId,
      reference: tried.name.reference,
      amount: fcfa(12_345),
      currency: "XOF",
    });
  });

  test("is refused or waits as in the provider's records, and a success after that counts", async () => {
    const tried = await bench.make(providerId);
    for (const outcome of ["failure", "cancel", "failure"] as const) {
      await bench.settle(tried, outcome);
      expect((await agree(tried))?.status).not.toBe("paid");
    }
    const isOver = providerId === "moneroo" || providerId === "paydunya";
    const retried = isOver ? await bench.make(providerId) : tried;
    await bench.settle(retried, "success");
    expect((await agree(retried))?.status).toBe("paid");
  });

  test("paid otherwise than ordered is reported as paid", async () => {
    const tried = await bench.make(providerId);
    await bench.settle(tried, "success");
    const { reference } = tried.name;
    const alter = async (change: object) => {
      collectorOf(providerId).alter(reference, change);
      const said = await bench.ask(tried);
      collectorOf(providerId).alter(reference, { amount: null, currency: null, reference: null });
      collectorOf(providerId).alter(reference, { environment: null, status: null });
      return said;
    };
    // Telegram never changes a charge of its list.
    if (providerId === "stars") return;
    expect((await alter({ amount: 4_999 }))?.amount ?? null).not.toBe(fcfa(5_000));
    expect(await alter({ amount: "4999.5" })).toMatchObject({ status: "paid", amount: null });
    expect((await alter({ currency: "USD" }))?.currency).toBe("USD");
    const another = await alter({ reference: "another" });
    expect(another?.reference ?? null).toBe(providerId === "kkiapay" ? null : "another");
    expect((await alter({ status: "never-heard-of" }))?.status).toBe("pending");
    // Documented by some providers; with the others the meaning is the same.
    const word = { kkiapay: "REVERTED" }[providerId as string] ?? "refunded";
    expect((await alter({ status: word }))?.status).toBe("refunded");
    await agree(tried);
  });

  test("is an outage while the provider is unavailable, and has its real status afterwards", async () => {
    const tried = await bench.make(providerId);
    await bench.settle(tried, "success");
    const faults = ["timeout-before", "timeout-after", "500", "500-after", "429", "nonsense"];
    for (const kind of [...faults, "down", "keys"] as const) {
      collectorOf(providerId).fault("fetch", kind as "500");
      expect(await outcomeOf(bench.ask(tried))).toBe("outage");
      collectorOf(providerId).clearFaults();
      // Telegram requires a wait, and the bot waits.
      bench.wait();
    }
    if (providerId !== "stars") {
      collectorOf(providerId).fault("fetch", "not-found");
      expect(await bench.ask(tried)).toBeNull();
    }
    expect((await agree(tried))?.status).toBe("paid");
  });

  test("can be checked with valid keys only", async () => {
    expect(await bench.providers[providerId].verifyKeys()).toBe("accepted");
    if (providerId === "stars") return;
    expect(await bench.strangers[providerId].verifyKeys()).toBe("refused");
    const tried = await bench.make(providerId);
    await bench.settle(tried, "success");
    expect(await outcomeOf(bench.strangers[providerId].fetchPayment(tried.name))).toBe("outage");
  });
});

describe.each(MAKING)("a payment that is not created at %s", (providerId) => {
  test("is an outage where the result is unknown, a refusal where the provider refuses", async () => {
    const make = () =>
      outcomeOf(bench.providers[providerId].createPayment(bench.request(providerId)));
    for (const kind of ["timeout-before", "500", "429", "nonsense", "down"] as const) {
      collectorOf(providerId).fault("create", kind);
      expect(await make()).toBe("outage");
      collectorOf(providerId).clearFaults();
      bench.wait();
    }
    collectorOf(providerId).fault("create", "refuse");
    expect(await make()).toMatchObject({ ok: false, refusal: { kind: "request" } });
    collectorOf(providerId).fault("create", "keys");
    // Telegram refuses the bot's token: an outage.
    const keys = providerId === "stars" ? "outage" : { ok: false, refusal: { kind: "keys" } };
    expect(await make()).toEqual(keys);
    collectorOf(providerId).clearFaults();
    expect(await make()).toMatchObject({ ok: true });
  });

  test("although the provider created it, because the answer was lost, is found or never opened to anybody", async () => {
    for (const kind of ["timeout-after", "500-after"] as const) {
      const request = bench.request(providerId);
      collectorOf(providerId).fault("create", kind);
      const made = await outcomeOf(bench.providers[providerId].createPayment(request));
      const there = collectorOf(providerId)
        .list()
        .filter(({ reference }) => reference === request.reference);
      expect(there).toHaveLength(1);
      if (providerId === "fedapay") {
        expect(made).toMatchObject({ ok: true, value: { providerPaymentId: there[0]?.id } });
      } else expect(made).toBe("outage");
      bench.wait();
    }
  });
});

describe.each(WITH_WEBHOOKS)("a webhook of %s", (providerId) => {
  const last = () => {
    const webhook = bench.webhooks.at(-1);
    const headers: WebhookHeaders = webhook?.headers ?? {};
    return { headers, body: Buffer.from(webhook?.body ?? "") };
  };

  test("is trusted and names the payment; one of another sender is not", async () => {
    const { webhooks } = collectorOf(providerId);
    for (const unusualSpacing of [false, true]) {
      webhooks.unusualSpacing = unusualSpacing;
      const tried = await bench.make(providerId);
      await bench.untilQuiet();
      await bench.settle(tried, "success");
      await bench.untilQuiet();
      const { headers, body } = last();
      expect(bench.providers[providerId].readWebhook(headers, body)).toMatchObject({
        trusted: true,
        providerPaymentId: tried.name.providerPaymentId,
      });
      const stranger = bench.strangers[providerId].readWebhook(headers, body);
      expect(stranger).toEqual({ trusted: false });
    }
    webhooks.unusualSpacing = false;
  });

  test("that is forged is refused", async () => {
    const { webhooks } = collectorOf(providerId);
    webhooks.forgeSignature = true;
    const tried = await bench.make(providerId);
    await bench.untilQuiet();
    await bench.settle(tried, "success");
    await bench.untilQuiet();
    webhooks.forgeSignature = false;
    const { headers, body } = last();
    expect(bench.providers[providerId].readWebhook(headers, body)).toEqual({ trusted: false });
  });
});

describe.each(["kkiapay", "stars"] as const)("a refund by %s", (providerId) => {
  const refund = async (tried: Tried) => {
    const transactionId = (await bench.ask(tried))?.transactionId ?? null;
    const { providerPaymentId, amount } = tried.name;
    const telegramId = BigInt(bench.personId);
    const request = { providerPaymentId, transactionId, amount, telegramId };
    return outcomeOf(bench.providers[providerId].refund?.(request) ?? Promise.resolve());
  };
  const paid = async () => {
    const tried = await bench.make(providerId);
    await bench.settle(tried, "success");
    return tried;
  };

  test("moves money once, however often it is requested", async () => {
    const tried = await paid();
    expect(await refund(tried)).toEqual({ kind: "done" });
    expect(bookOf(tried)?.status).toBe("refunded");
    expect(await refund(tried)).toEqual({ kind: "done" });
    await agree(tried);
  });

  test("is unknown after a lost answer, and a repeat is harmless", async () => {
    for (const kind of ["timeout-before", "timeout-after", "500", "500-after"] as const) {
      const tried = await paid();
      collectorOf(providerId).fault("refund", kind);
      expect(["outage", { kind: "done" }]).toContainEqual(await refund(tried));
      expect(await refund(tried)).toEqual({ kind: "done" });
      expect(bookOf(tried)?.status).toBe("refunded");
      await agree(tried);
    }
  });

  test("is refused in the provider's words when there is nothing to refund", async () => {
    const tried = await paid();
    collectorOf(providerId).fault("refund", "refuse");
    expect(await refund(tried)).toMatchObject({ kind: "refused", message: expect.any(String) });
    expect(bookOf(tried)?.status).toBe("paid");
    await agree(tried);
  });
});

afterEach(() => {
  const { modes, webhooks } = bench.emulators.collectors.kkiapay;
  Object.assign(modes, { emptyPartnerId: false, stateAsText: false, otherAmount: false });
  Object.assign(webhooks, { drop: false, copies: 1 });
  bench.emulators.collectors.stars.webhooks.drop = false;
});

const withReported = (tried: Tried, ...names: string[]): Tried => ({
  ...tried,
  name: { ...tried.name, reportedTransactionIds: [...tried.name.reportedTransactionIds, ...names] },
});

test("Moneroo's payment is read alike in the two shapes that Moneroo documents", async () => {
  const tried = await bench.make("moneroo");
  await bench.settle(tried, "success");
  const { merchants, apiRoot } = bench.emulators;
  const keys = merchants.moneroo.get()?.keys;
  assert(keys, "the app has an account");
  // Requests the page "retrieve" in place of "verify".
  const flat = createServer(({ url = "" }, response) => {
    const headers = { authorization: `Bearer ${keys.secretKey}` };
    void fetch(apiRoot + url.replace(/\/verify$/, ""), { headers })
      .then((answer) => answer.text())
      .then((text) => response.end(text));
  });
  await new Promise<void>((done) => flat.listen(0, "127.0.0.1", done));
  const { port } = flat.address() as AddressInfo;
  const retrieving = createMoneroo({ ...keys, apiRoot: `http://127.0.0.1:${port}` });
  const said = await retrieving.fetchPayment(tried.name);
  flat.closeAllConnections();
  flat.close();
  expect(said).toMatchObject({ status: "paid" });
  expect(said).toEqual(await bench.ask(tried));
});

describe("KkiaPay", () => {
  test.each(["emptyPartnerId", "stateAsText"] as const)(
    "finds a payment in whatever form our reference comes back: %s",
    async (mode) => {
      bench.emulators.collectors.kkiapay.modes[mode] = true;
      const tried = await bench.make("kkiapay");
      await bench.untilQuiet();
      await bench.settle(tried, "success");
      await bench.untilQuiet();
      const { headers, body } = bench.webhooks.at(-1) ?? { headers: {}, body: "" };
      const reading = bench.providers.kkiapay.readWebhook(headers, Buffer.from(body));
      const { reference, reportedTransactionIds: names } = tried.name;
      expect(reading).toMatchObject({
        reportedTransaction: { reference, transactionId: names[0] },
      });
      expect(await bench.ask(tried)).toMatchObject({ status: "paid", amount: fcfa(5_000) });
    },
  );

  test("reports an amount changed in the browser as paid", async () => {
    bench.emulators.collectors.kkiapay.modes.otherAmount = true;
    const tried = await bench.make("kkiapay");
    await bench.settle(tried, "success");
    expect(await bench.ask(tried)).toMatchObject({ status: "paid", amount: fcfa(100) });
  });

  test("ignores a reported id that is a stranger's, or nobody's", async () => {
    const stranger = await bench.make("kkiapay");
    await bench.settle(stranger, "success");
    const tried = await bench.make("kkiapay");
    const planted = withReported(
      tried,
      ...stranger.name.reportedTransactionIds,
      "forged-1",
      "x".repeat(64),
    );
    expect(await bench.ask(planted)).toBeNull();
    await bench.settle(tried, "success");
    const both = withReported(tried, ...stranger.name.reportedTransactionIds);
    expect(await bench.ask(both)).toMatchObject({
      status: "paid",
      transactionId: tried.name.reportedTransactionIds[0],
    });
  });

  test("paid twice in two widgets of one reference reports the second", async () => {
    const tried = await bench.make("kkiapay");
    await bench.settle(tried, "success");
    const { reference } = tried.name;
    bench.emulators.collectors.kkiapay.open({ amount: 5_000, data: reference });
    await bench.settle(tried, "success");
    const [first = "", second = ""] = tried.name.reportedTransactionIds;
    expect(await bench.ask(tried)).toMatchObject({
      status: "paid",
      transactionId: first,
      extraTransactionIds: [second],
    });
  });
});

describe("Telegram Stars", () => {
  test("are found in Telegram's list when no update reported them", async () => {
    bench.emulators.collectors.stars.webhooks.drop = true;
    const tried = await bench.make("stars");
    expect(await bench.ask(tried)).toBeNull();
    await bench.settle(tried, "success");
    expect(await bench.ask(tried)).toMatchObject({ status: "paid", amount: fcfa(5_000) });
  });

  test("are looked up again when a reported charge is in no list", async () => {
    const tried = await bench.make("stars");
    await bench.settle(tried, "success");
    const planted = withReported(tried, "stxForged");
    expect(await bench.ask(planted)).toMatchObject({ status: "paid" });
    expect(await bench.ask(withReported(await bench.make("stars"), "stxForged"))).toBeNull();
  });

  test("paid twice by one link are two charges, and only the second is refunded", async () => {
    const tried = await bench.make("stars");
    const latest = () => bench.emulators.collectors.stars.find(tried.name.reference)?.transactionId;
    await bench.settle(tried, "success");
    const first = latest() ?? "";
    await bench.settle(tried, "success");
    const second = latest() ?? "";
    expect(second).not.toBe(first);
    const both = withReported(tried, first, second);
    const paid = { status: "paid", transactionId: first };
    expect(await bench.ask(both)).toMatchObject({ ...paid, extraTransactionIds: [second] });
    const { providerPaymentId, amount } = tried.name;
    const refund = { providerPaymentId, amount, transactionId: second, telegramId: 1n };
    expect(await bench.providers.stars.refund?.(refund)).toEqual({ kind: "done" });
    const left = await bench.ask(both);
    expect(left).toMatchObject(paid);
    expect(left?.extraTransactionIds).toBeUndefined();
  });
});

test("after some time a FedaPay transaction and a Crypto Pay invoice expire, and the first settles", async () => {
  const [fedapay, cryptopay] = [await bench.make("fedapay"), await bench.make("cryptopay")];
  const paid = await bench.make("fedapay");
  await bench.settle(paid, "success");
  bench.emulators.clock.advance(DAY_MS + 1);
  expect(await bench.ask(fedapay)).toMatchObject({ status: "refused", word: "expired" });
  expect(await bench.ask(cryptopay)).toMatchObject({ status: "refused", word: "expired" });
  bench.emulators.clock.advance(3 * DAY_MS);
  expect(await bench.ask(paid)).toMatchObject({ status: "paid", word: "transferred" });
});

describe("a seller's own account", () => {
  const OWN = ["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay"] as const;
  const now = () => bench.emulators.clock.now();
  const open = (providerId: (typeof OWN)[number]) => {
    const { merchants, apiRoot } = bench.emulators;
    const widgetUrl = `${apiRoot}/widget.js`;
    switch (providerId) {
      case "moneroo":
        return createMoneroo({ ...merchants.moneroo.open().keys, apiRoot });
      case "fedapay":
        return createFedapay({ ...merchants.fedapay.open().keys, apiRoot, widgetUrl, now });
      case "kkiapay": {
        const { keys } = merchants.kkiapay.open();
        return createKkiapay({ ...keys, apiRoot, widgetUrl, sandbox: false });
      }
      case "paydunya":
        return createPaydunya({ ...merchants.paydunya.open().keys, apiRoot });
      case "cryptopay":
        return createCryptopay({ ...merchants.cryptopay.open().keys, apiRoot, now });
    }
  };

  test.each(OWN)(
    "at %s opens by its keys, and finds nothing of the instance's",
    async (providerId) => {
      const own = open(providerId);
      expect(await own.verifyKeys()).toBe("accepted");
      const tried = await bench.make(providerId);
      await bench.settle(tried, "success");
      expect(await own.fetchPayment(tried.name)).toBeNull();
      expect((await bench.ask(tried))?.status).toBe("paid");
    },
  );
});

test("whatever customers do, no adapter reports paid where no record does, or less than the record", async () => {
  const providerIds: ProviderId[] = ["moneroo", "fedapay", "paydunya", "kkiapay", "cryptopay"];
  const outcome = fc.constantFrom("success", "failure", "cancel");
  const story = fc.tuple(fc.constantFrom(...providerIds), fc.array(outcome, { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(story, async ([providerId, outcomes]) => {
      const tried = await bench.make(providerId);
      for (const one of outcomes) {
        // A paid payment refuses another.
        await bench.settle(tried, one as "success").catch(() => undefined);
        const book = bench.emulators.collectors[providerId].find(tried.name.reference)?.status;
        const said = (await bench.ask(tried))?.status;
        expect(said === "paid").toBe(book === "paid");
      }
    }),
    { numRuns: 40 },
  );
});

/** A payment as its adapter created it, with what is stored of it. */
type Tried = { readonly providerId: ProviderId; readonly created: CreatedPayment } & {
  name: PaymentName;
};

type Adapters = Awaited<ReturnType<typeof openAdapters>>;

const FRANCS_PER_STAR = 8;

function isSending({ collectors }: Emulators): boolean {
  return Object.values(collectors).some((collector) =>
    collector.webhookViews().some(({ state }) => state === "sending"),
  );
}

/** Every adapter with its emulator, without the application. */
async function openAdapters() {
  const clock = stoppedClock(new Date("2026-11-16T09:00:00.000Z"));
  const receiver = await startReceiver();
  const emulators = await startEmulators({
    port: 0,
    appUrl: receiver.url,
    clock,
    announceInitiated: false,
    ...EMULATED_KEYS,
  });
  const end = new AbortController();
  const { apiRoot } = emulators;
  const gatewayOf = (token: string) =>
    createGateway({ bot: "buyer", token, apiRoot, messageSpacingMs: 0, clock, end: end.signal });
  const gateway = gatewayOf(BUYER_BOT_TOKEN);
  const now = () => clock.now();
  const at = { apiRoot, now };
  const { id: personId } = emulators.telegram.createPerson({ firstName: "Awa" });
  const adapters = {
    emulators,
    providers: providersOf({ ...at, gateway, wrong: "" }),
    /** The same accounts with wrong keys. */
    strangers: providersOf({ ...at, gateway: gatewayOf("7000000009:nobody"), wrong: "-wrong" }),
    /** The webhooks received at our address. */
    webhooks: receiver.received,
    personId,
    make: (providerId: ProviderId, amount?: number): Promise<Tried> =>
      makePayment(adapters, providerId, amount),
    /** A payment to create, with a reference of its own. */
    request: (providerId: ProviderId, amount = 5_000): PaymentRequest => ({
      reference: randomUUID().slice(0, 13),
      amount: fcfa(amount),
      description: "Accès au groupe",
      returnUrl: "https://app.example/paiement/retour/abc",
      webhookUrl: `${receiver.url}/webhooks/${providerId}`,
      customer: { email: "awa@app.example", firstName: "Awa", lastName: "Diop" },
    }),
    /** Acts as the customer; Stars are paid to the end. */
    async settle(tried: Tried, outcome: "success" | "failure" | "cancel"): Promise<void> {
      if (tried.providerId === "stars" && outcome === "success")
        return payStars(adapters, gateway, tried);
      emulators.collectors[tried.providerId].settle(tried.name.reference, outcome);
      noteReported(adapters, tried);
    },
    ask: (tried: Tried): Promise<FetchedPayment | null> =>
      adapters.providers[tried.providerId].fetchPayment(tried.name),
    /** Waits until no webhook is in transit. */
    untilQuiet: async () => void (await eventually(() => !isSending(emulators))),
    /** A minute: the longest wait that a provider requires. */
    wait: () => clock.advance(MINUTE_MS),
    async close() {
      end.abort();
      await emulators.close();
      await receiver.close();
    },
  };
  return adapters;
}

type Place = { apiRoot: string; now: () => Date; gateway: BotGateway; wrong: string };

function providersOf({ apiRoot, now, gateway, wrong }: Place): Record<ProviderId, PaymentProvider> {
  return {
    moneroo: createMoneroo({
      secretKey: `${MONEROO_SECRET_KEY}${wrong}`,
      webhookSecret: `${MONEROO_WEBHOOK_SECRET}${wrong}`,
      apiRoot,
    }),
    fedapay: createFedapay({
      ...FEDAPAY_KEYS,
      secretKey: `${FEDAPAY_KEYS.secretKey}${wrong}`,
      webhookSecret: `${FEDAPAY_KEYS.webhookSecret}${wrong}`,
      widgetUrl: `${apiRoot}/fedapay/checkout.js`,
      apiRoot,
      now,
    }),
    paydunya: createPaydunya({
      ...PAYDUNYA_KEYS,
      masterKey: `${PAYDUNYA_KEYS.masterKey}${wrong}`,
      apiRoot,
    }),
    kkiapay: createKkiapay({
      ...KKIAPAY_KEYS,
      secretKey: `${KKIAPAY_KEYS.secretKey}${wrong}`,
      webhookSecret: `${KKIAPAY_KEYS.webhookSecret}${wrong}`,
      widgetUrl: `${apiRoot}/kkiapay/k.js`,
      sandbox: false,
      apiRoot,
    }),
    cryptopay: createCryptopay({ token: `${CRYPTOPAY_KEYS.token}${wrong}`, apiRoot, now }),
    stars: createStars({
      call: (method, params) => gateway.call(method, params as never),
      charges: keepCharges(),
      francsPerStar: async () => FRANCS_PER_STAR,
    }),
  };
}

async function makePayment(
  adapters: Adapters,
  providerId: ProviderId,
  francs?: number,
): Promise<Tried> {
  const request = adapters.request(providerId, francs);
  const { reference, amount } = request;
  const created = await adapters.providers[providerId].createPayment(request);
  assert(created.ok, `${providerId} made no payment: ${JSON.stringify(created)}`);
  const { providerPaymentId, quote } = created.value;
  if (providerId === "kkiapay") {
    const config = { amount: Number(amount), data: reference, partnerId: reference };
    adapters.emulators.collectors.kkiapay.open(config);
  }
  return {
    providerId,
    created: created.value,
    name: { providerPaymentId, reference, amount, quote, reportedTransactionIds: [] },
  };
}

/** What a widget's callback or a webhook would have reported. */
function noteReported({ emulators }: Adapters, tried: Tried): void {
  const { name, providerId } = tried;
  const reported = emulators.collectors[providerId].find(name.reference)?.transactionId;
  if (providerId !== "kkiapay" || !reported) return;
  tried.name = {
    ...name,
    reportedTransactionIds: [...new Set([...name.reportedTransactionIds, reported])],
  };
}

/** Opens the link, lets the bot accept, and waits until Telegram has reported the result. */
async function payStars(adapters: Adapters, gateway: BotGateway, { created }: Tried) {
  const { emulators, personId } = adapters;
  assert(created.redirectUrl, "an invoice has a link");
  emulators.panel.setStars({ personId, stars: 1_000_000 });
  let ended = false;
  const paying = emulators.telegram.payInvoice({ personId, link: created.redirectUrl });
  void paying.finally(() => {
    ended = true;
  });
  for (let offset = 0; !ended; ) {
    const updates = await gateway.call("getUpdates", { offset, timeout: 0 });
    assert(updates.ok, "the bot hears its updates");
    for (const { update_id: id, pre_checkout_query: query } of updates.value) {
      offset = id + 1;
      if (!query) continue;
      await gateway.call("answerPreCheckoutQuery", { pre_checkout_query_id: query.id, ok: true });
    }
  }
  const { status } = await paying;
  assert(status === "paid", `the Stars were ${status}`);
}
