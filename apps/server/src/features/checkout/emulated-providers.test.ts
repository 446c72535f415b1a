import { fcfa, Outage } from "@sesame/kernel";
import type { FetchedPayment, NoticeHeaders, ProviderId, Verdict } from "@sesame/providers";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Adapters, openAdapters, type Tried } from "../../../test/adapters.ts";

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
