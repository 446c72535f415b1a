import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, DAY_MS, fcfa, MINUTE_MS, Outage, stoppedClock } from "@sesame/kernel";
import type {
  CreatedPayment,
  FetchedPayment,
  NoticeHeaders,
  PaymentName,
  PaymentProvider,
  PaymentRequest,
  ProviderId,
  Verdict,
} from "@sesame/providers";
import { createCryptopay } from "@sesame/providers/cryptopay";
import { createFedapay } from "@sesame/providers/fedapay";
import { createKkiapay } from "@sesame/providers/kkiapay";
import { createMoneroo } from "@sesame/providers/moneroo";
import { createPaydunya } from "@sesame/providers/paydunya";
import { createStars } from "@sesame/providers/stars";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
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

/** What each adapter says, against the books of the provider it asks. */

let bench: Adapters;

beforeAll(async () => {
  bench = await openAdapters();
});
afterEach(() => {
  for (const lane of LANES) bench.emulators.collectors[lane].clearFaults();
});
afterAll(() => bench.close());

const LANES = ["moneroo", "fedapay", "paydunya", "kkiapay", "cryptopay", "stars"] as const;
/** Those who tell by the web. */
const TELLING = LANES.filter((lane) => lane !== "stars");
/** Those who are asked to make a payment. */
const MAKING = LANES.filter((lane) => lane !== "kkiapay");

const deskOf = (lane: ProviderId) => bench.emulators.collectors[lane];
const bookOf = ({ lane, name }: Tried) => deskOf(lane).find(name.reference);

/** Their book's word in ours. */
const VERDICTS = {
  pending: "pending",
  paid: "paid",
  failed: "refused",
  cancelled: "refused",
  refunded: "refunded",
} as const satisfies Record<string, Verdict>;

/** What their own book says. Telegram tells of charges alone, KkiaPay of what was tried. */
function expected(tried: Tried): Verdict {
  const { status = "pending", transactionId = null } = bookOf(tried) ?? {};
  const silent = tried.lane === "stars" || (tried.lane === "kkiapay" && transactionId === null);
  const verdict = VERDICTS[status];
  return silent && verdict === "refused" ? "pending" : verdict;
}

async function agree(tried: Tried): Promise<FetchedPayment | null> {
  const said = await bench.ask(tried);
  expect(said?.verdict ?? "pending").toBe(expected(tried));
  return said;
}

async function outcomeOf(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch((error: unknown) => {
    if (error instanceof Outage) return "outage";
    throw error;
  });
}

describe.each(LANES)("a payment at %s", (lane) => {
  test("stands in their book at the price, under our reference, and waits", async () => {
    const tried = await bench.make(lane);
    const { created, name } = tried;
    expect(bookOf(tried)).toMatchObject({ status: "pending", reference: name.reference });
    const { amount = 5_000, currency = "XOF" } = created.quote ?? {};
    expect(String(bookOf(tried)?.amount)).toBe(String(amount));
    expect(bookOf(tried)?.currency).toBe(currency);
    expect(created.redirectUrl).toBe(lane === "kkiapay" ? null : (bookOf(tried)?.payUrl ?? ""));
    await agree(tried);
  });

  test("is paid when they say so, at exactly the price", async () => {
    const tried = await bench.make(lane, 12_345);
    await bench.settle(tried, "success");
    expect(await agree(tried)).toMatchObject({
      verdict: "paid",
      providerPaymentId: tried.name.providerPaymentId,
      reference: tried.name.reference,
      amount: fcfa(12_345),
      currency: "XOF",
    });
  });

  test("is refused or waits as in their book, and a success after that is one", async () => {
    const tried = await bench.make(lane);
    for (const outcome of ["failure", "cancel", "failure"] as const) {
      await bench.settle(tried, outcome);
      expect((await agree(tried))?.verdict).not.toBe("paid");
    }
    const isOver = lane === "moneroo" || lane === "paydunya";
    const retried = isOver ? await bench.make(lane) : tried;
    await bench.settle(retried, "success");
    expect((await agree(retried))?.verdict).toBe("paid");
  });

  test("paid otherwise than asked is told as it is", async () => {
    const tried = await bench.make(lane);
    await bench.settle(tried, "success");
    const { reference } = tried.name;
    const alter = async (change: object) => {
      deskOf(lane).alter(reference, change);
      const said = await bench.ask(tried);
      deskOf(lane).alter(reference, { amount: null, currency: null, reference: null });
      deskOf(lane).alter(reference, { environment: null, status: null });
      return said;
    };
    // A charge of Telegram's is kept as it was told first.
    if (lane === "stars") return;
    expect((await alter({ amount: 4_999 }))?.amount ?? null).not.toBe(fcfa(5_000));
    expect(await alter({ amount: "4999.5" })).toMatchObject({ verdict: "paid", amount: null });
    expect((await alter({ currency: "USD" }))?.currency).toBe("USD");
    const another = await alter({ reference: "another" });
    expect(another?.reference ?? null).toBe(lane === "kkiapay" ? null : "another");
    expect((await alter({ status: "never-heard-of" }))?.verdict).toBe("pending");
    // Documented by some of them, and taken at its meaning at the others.
    const word = { kkiapay: "REVERTED" }[lane as string] ?? "refunded";
    expect((await alter({ status: word }))?.verdict).toBe("refunded");
    await agree(tried);
  });

  test("is an outage while it cannot be asked, and is what it was afterwards", async () => {
    const tried = await bench.make(lane);
    await bench.settle(tried, "success");
    const faults = ["timeout-before", "timeout-after", "500", "500-after", "429", "nonsense"];
    for (const kind of [...faults, "down", "keys"] as const) {
      deskOf(lane).fault("fetch", kind as "500");
      expect(await outcomeOf(bench.ask(tried))).toBe("outage");
      deskOf(lane).clearFaults();
      // Telegram asked to wait; the bot does.
      bench.wait();
    }
    if (lane !== "stars") {
      deskOf(lane).fault("fetch", "not-found");
      expect(await bench.ask(tried)).toBeNull();
    }
    expect((await agree(tried))?.verdict).toBe("paid");
  });

  test("is asked for by good keys alone", async () => {
    expect(await bench.providers[lane].verifyKeys()).toBe("accepted");
    if (lane === "stars") return;
    expect(await bench.strangers[lane].verifyKeys()).toBe("refused");
    const tried = await bench.make(lane);
    await bench.settle(tried, "success");
    expect(await outcomeOf(bench.strangers[lane].fetchPayment(tried.name))).toBe("outage");
  });
});

describe.each(MAKING)("a payment that is not made at %s", (lane) => {
  test("is an outage where nobody knows, a refusal where they say no", async () => {
    const make = () => outcomeOf(bench.providers[lane].createPayment(bench.request(lane)));
    for (const kind of ["timeout-before", "500", "429", "nonsense", "down"] as const) {
      deskOf(lane).fault("create", kind);
      expect(await make()).toBe("outage");
      deskOf(lane).clearFaults();
      bench.wait();
    }
    deskOf(lane).fault("create", "refuse");
    expect(await make()).toMatchObject({ ok: false, refusal: { kind: "request" } });
    deskOf(lane).fault("create", "keys");
    // A bot's token that is refused is a Telegram that does not answer.
    const keys = lane === "stars" ? "outage" : { ok: false, refusal: { kind: "keys" } };
    expect(await make()).toEqual(keys);
    deskOf(lane).clearFaults();
    expect(await make()).toMatchObject({ ok: true });
  });

  test("though it was, because the answer was lost, is found or never opened to anybody", async () => {
    for (const kind of ["timeout-after", "500-after"] as const) {
      const request = bench.request(lane);
      deskOf(lane).fault("create", kind);
      const made = await outcomeOf(bench.providers[lane].createPayment(request));
      const there = deskOf(lane)
        .list()
        .filter(({ reference }) => reference === request.reference);
      expect(there).toHaveLength(1);
      if (lane === "fedapay") {
        expect(made).toMatchObject({ ok: true, value: { providerPaymentId: there[0]?.id } });
      } else expect(made).toBe("outage");
      bench.wait();
    }
  });
});

describe.each(TELLING)("a notice of %s", (lane) => {
  const last = () => {
    const notice = bench.told.at(-1);
    const headers: NoticeHeaders = notice?.headers ?? {};
    return { headers, body: Buffer.from(notice?.body ?? "") };
  };

  test("is theirs, and names the payment; any other hand's is not", async () => {
    const { notices } = deskOf(lane);
    for (const unusualSpacing of [false, true]) {
      notices.unusualSpacing = unusualSpacing;
      const tried = await bench.make(lane);
      await bench.untilQuiet();
      await bench.settle(tried, "success");
      await bench.untilQuiet();
      const { headers, body } = last();
      expect(bench.providers[lane].readNotice(headers, body)).toMatchObject({
        trusted: true,
        providerPaymentId: tried.name.providerPaymentId,
      });
      const stranger = bench.strangers[lane].readNotice(headers, body);
      expect(stranger).toEqual({ trusted: false });
    }
    notices.unusualSpacing = false;
  });

  test("that is forged is refused", async () => {
    const { notices } = deskOf(lane);
    notices.forgeSignature = true;
    const tried = await bench.make(lane);
    await bench.untilQuiet();
    await bench.settle(tried, "success");
    await bench.untilQuiet();
    notices.forgeSignature = false;
    const { headers, body } = last();
    expect(bench.providers[lane].readNotice(headers, body)).toEqual({ trusted: false });
  });
});

describe.each(["kkiapay", "stars"] as const)("money given back by %s", (lane) => {
  const refund = async (tried: Tried) => {
    const transactionId = (await bench.ask(tried))?.transactionId ?? null;
    const { providerPaymentId, amount } = tried.name;
    const telegramId = BigInt(bench.personId);
    const request = { providerPaymentId, transactionId, amount, telegramId };
    return outcomeOf(bench.providers[lane].refund?.(request) ?? Promise.resolve());
  };
  const paid = async () => {
    const tried = await bench.make(lane);
    await bench.settle(tried, "success");
    return tried;
  };

  test("goes once, however often it is asked for", async () => {
    const tried = await paid();
    expect(await refund(tried)).toEqual({ kind: "done" });
    expect(bookOf(tried)?.status).toBe("refunded");
    expect(await refund(tried)).toEqual({ kind: "done" });
    await agree(tried);
  });

  test("is unknown on a lost answer, and asking again harms nothing", async () => {
    for (const kind of ["timeout-before", "timeout-after", "500", "500-after"] as const) {
      const tried = await paid();
      deskOf(lane).fault("refund", kind);
      expect(["outage", { kind: "done" }]).toContainEqual(await refund(tried));
      expect(await refund(tried)).toEqual({ kind: "done" });
      expect(bookOf(tried)?.status).toBe("refunded");
      await agree(tried);
    }
  });

  test("is refused in their words when they have nothing to give", async () => {
    const tried = await paid();
    deskOf(lane).fault("refund", "refuse");
    expect(await refund(tried)).toMatchObject({ kind: "refused", message: expect.any(String) });
    expect(bookOf(tried)?.status).toBe("paid");
    await agree(tried);
  });
});

afterEach(() => {
  const { modes, notices } = bench.emulators.collectors.kkiapay;
  Object.assign(modes, { emptyPartnerId: false, stateAsText: false, otherAmount: false });
  Object.assign(notices, { drop: false, copies: 1 });
  bench.emulators.collectors.stars.notices.drop = false;
});

const heard = (tried: Tried, ...names: string[]): Tried => ({
  ...tried,
  name: { ...tried.name, heard: [...tried.name.heard, ...names] },
});

test("Moneroo's payment is read alike in the two shapes that Moneroo documents", async () => {
  const tried = await bench.make("moneroo");
  await bench.settle(tried, "success");
  const { merchants, apiRoot } = bench.emulators;
  const keys = merchants.moneroo.get()?.keys;
  assert(keys, "the app has an account");
  // Asks the page "retrieve" in place of "verify".
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
  expect(said).toMatchObject({ verdict: "paid" });
  expect(said).toEqual(await bench.ask(tried));
});

describe("KkiaPay", () => {
  test.each(["emptyPartnerId", "stateAsText"] as const)(
    "names a payment whatever becomes of our reference on the way: %s",
    async (mode) => {
      bench.emulators.collectors.kkiapay.modes[mode] = true;
      const tried = await bench.make("kkiapay");
      await bench.untilQuiet();
      await bench.settle(tried, "success");
      await bench.untilQuiet();
      const { headers, body } = bench.told.at(-1) ?? { headers: {}, body: "" };
      const reading = bench.providers.kkiapay.readNotice(headers, Buffer.from(body));
      const { reference, heard: names } = tried.name;
      expect(reading).toMatchObject({ heard: { reference, transactionId: names[0] } });
      expect(await bench.ask(tried)).toMatchObject({ verdict: "paid", amount: fcfa(5_000) });
    },
  );

  test("tells an amount changed in the browser as it was paid", async () => {
    bench.emulators.collectors.kkiapay.modes.otherAmount = true;
    const tried = await bench.make("kkiapay");
    await bench.settle(tried, "success");
    expect(await bench.ask(tried)).toMatchObject({ verdict: "paid", amount: fcfa(100) });
  });

  test("is not believed about a name that was planted: a stranger's, or nobody's", async () => {
    const stranger = await bench.make("kkiapay");
    await bench.settle(stranger, "success");
    const tried = await bench.make("kkiapay");
    const planted = heard(tried, ...stranger.name.heard, "forged-1", "x".repeat(64));
    expect(await bench.ask(planted)).toBeNull();
    await bench.settle(tried, "success");
    const both = heard(tried, ...stranger.name.heard);
    expect(await bench.ask(both)).toMatchObject({
      verdict: "paid",
      transactionId: tried.name.heard[0],
    });
  });

  test("paid twice in two widgets of one reference tells the second", async () => {
    const tried = await bench.make("kkiapay");
    await bench.settle(tried, "success");
    const { reference } = tried.name;
    bench.emulators.collectors.kkiapay.open({ amount: 5_000, data: reference });
    await bench.settle(tried, "success");
    const [first = "", second = ""] = tried.name.heard;
    expect(await bench.ask(tried)).toMatchObject({
      verdict: "paid",
      transactionId: first,
      surplus: [second],
    });
  });
});

describe("Telegram Stars", () => {
  test("that no update told stand in the list", async () => {
    bench.emulators.collectors.stars.notices.drop = true;
    const tried = await bench.make("stars");
    expect(await bench.ask(tried)).toBeNull();
    await bench.settle(tried, "success");
    expect(await bench.ask(tried)).toMatchObject({ verdict: "paid", amount: fcfa(5_000) });
  });

  test("are looked for again when a charge is told that is in no list", async () => {
    const tried = await bench.make("stars");
    await bench.settle(tried, "success");
    const rumour = heard(tried, "stxForged");
    expect(await bench.ask(rumour)).toMatchObject({ verdict: "paid" });
    expect(await bench.ask(heard(await bench.make("stars"), "stxForged"))).toBeNull();
  });

  test("given twice by one link are two charges, and the second goes back alone", async () => {
    const tried = await bench.make("stars");
    const latest = () => bench.emulators.collectors.stars.find(tried.name.reference)?.transactionId;
    await bench.settle(tried, "success");
    const first = latest() ?? "";
    await bench.settle(tried, "success");
    const second = latest() ?? "";
    expect(second).not.toBe(first);
    const both = heard(tried, first, second);
    const paid = { verdict: "paid", transactionId: first };
    expect(await bench.ask(both)).toMatchObject({ ...paid, surplus: [second] });
    const { providerPaymentId, amount } = tried.name;
    const refund = { providerPaymentId, amount, transactionId: second, telegramId: 1n };
    expect(await bench.providers.stars.refund?.(refund)).toEqual({ kind: "done" });
    const left = await bench.ask(both);
    expect(left).toMatchObject(paid);
    expect(left?.surplus).toBeUndefined();
  });
});

describe("time", () => {
  test("ends a FedaPay transaction and a Crypto Pay invoice, and settles the first", async () => {
    const [fedapay, cryptopay] = [await bench.make("fedapay"), await bench.make("cryptopay")];
    const paid = await bench.make("fedapay");
    await bench.settle(paid, "success");
    bench.emulators.clock.advance(DAY_MS + 1);
    expect(await bench.ask(fedapay)).toMatchObject({ verdict: "refused", word: "expired" });
    expect(await bench.ask(cryptopay)).toMatchObject({ verdict: "refused", word: "expired" });
    bench.emulators.clock.advance(3 * DAY_MS);
    expect(await bench.ask(paid)).toMatchObject({ verdict: "paid", word: "transferred" });
  });
});

describe("a seller's own account", () => {
  const OWN = ["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay"] as const;
  const now = () => bench.emulators.clock.now();
  const open = (lane: (typeof OWN)[number]) => {
    const { merchants, apiRoot } = bench.emulators;
    const widgetUrl = `${apiRoot}/widget.js`;
    switch (lane) {
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

  test.each(OWN)("at %s opens by its keys, and knows nothing of the instance's", async (lane) => {
    const own = open(lane);
    expect(await own.verifyKeys()).toBe("accepted");
    const tried = await bench.make(lane);
    await bench.settle(tried, "success");
    expect(await own.fetchPayment(tried.name)).toBeNull();
    expect((await bench.ask(tried))?.verdict).toBe("paid");
  });
});

test("whatever customers do, no adapter ever says paid where no book does, or less than it says", async () => {
  const lanes: ProviderId[] = ["moneroo", "fedapay", "paydunya", "kkiapay", "cryptopay"];
  const outcome = fc.constantFrom("success", "failure", "cancel");
  const story = fc.tuple(fc.constantFrom(...lanes), fc.array(outcome, { maxLength: 5 }));
  await fc.assert(
    fc.asyncProperty(story, async ([lane, outcomes]) => {
      const tried = await bench.make(lane);
      for (const one of outcomes) {
        // Paid, or over, it takes nothing more.
        await bench.settle(tried, one as "success").catch(() => undefined);
        const book = bench.emulators.collectors[lane].find(tried.name.reference)?.status;
        const said = (await bench.ask(tried))?.verdict;
        expect(said === "paid").toBe(book === "paid");
      }
    }),
    { numRuns: 40 },
  );
});

/** A payment as its adapter made it, with what would be saved of it. */
type Tried = { readonly lane: ProviderId; readonly created: CreatedPayment } & {
  name: PaymentName;
};

type Adapters = Awaited<ReturnType<typeof openAdapters>>;

const FRANCS_PER_STAR = 8;

function isTelling({ collectors }: Emulators): boolean {
  return Object.values(collectors).some((desk) =>
    desk.noticeViews().some(({ state }) => state === "sending"),
  );
}

/** Every adapter against its emulator, without the application between them. */
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
    /** The same accounts under wrong keys. */
    strangers: providersOf({ ...at, gateway: gatewayOf("7000000009:nobody"), wrong: "-wrong" }),
    /** What they told our address. */
    told: receiver.received,
    personId,
    make: (lane: ProviderId, amount?: number): Promise<Tried> =>
      makePayment(adapters, lane, amount),
    /** A payment to make, under a reference of its own. */
    request: (lane: ProviderId, amount = 5_000): PaymentRequest => ({
      reference: randomUUID().slice(0, 13),
      amount: fcfa(amount),
      description: "Accès au groupe",
      returnUrl: "https://app.example/paiement/retour/abc",
      noticeUrl: `${receiver.url}/webhooks/${lane}`,
      customer: { email: "awa@app.example", firstName: "Awa", lastName: "Diop" },
    }),
    /** As the customer; Stars are paid to the end. */
    async settle(tried: Tried, outcome: "success" | "failure" | "cancel"): Promise<void> {
      if (tried.lane === "stars" && outcome === "success")
        return payStars(adapters, gateway, tried);
      emulators.collectors[tried.lane].settle(tried.name.reference, outcome);
      hear(adapters, tried);
    },
    ask: (tried: Tried): Promise<FetchedPayment | null> =>
      adapters.providers[tried.lane].fetchPayment(tried.name),
    /** Until no notice is on its way. */
    untilQuiet: async () => void (await eventually(() => !isTelling(emulators))),
    /** A minute: as long as anybody asks us to wait. */
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

async function makePayment(adapters: Adapters, lane: ProviderId, francs?: number): Promise<Tried> {
  const request = adapters.request(lane, francs);
  const { reference, amount } = request;
  const created = await adapters.providers[lane].createPayment(request);
  assert(created.ok, `${lane} made no payment: ${JSON.stringify(created)}`);
  const { providerPaymentId, quote } = created.value;
  if (lane === "kkiapay") {
    const config = { amount: Number(amount), data: reference, partnerId: reference };
    adapters.emulators.collectors.kkiapay.open(config);
  }
  return {
    lane,
    created: created.value,
    name: { providerPaymentId, reference, amount, quote, heard: [] },
  };
}

/** What a widget's callback or a notice would have told. */
function hear({ emulators }: Adapters, tried: Tried): void {
  const { name, lane } = tried;
  const heard = emulators.collectors[lane].find(name.reference)?.transactionId;
  if (lane !== "kkiapay" || !heard) return;
  tried.name = { ...name, heard: [...new Set([...name.heard, heard])] };
}

/** Opens the link, lets the bot say yes, and waits until Telegram has told the end. */
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
