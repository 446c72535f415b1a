import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { assert, DAY_MS, fcfa } from "@sesame/kernel";
import type { ProviderId } from "@sesame/providers";
import { createCryptopay } from "@sesame/providers/cryptopay";
import { createFedapay } from "@sesame/providers/fedapay";
import { createKkiapay } from "@sesame/providers/kkiapay";
import { createMoneroo } from "@sesame/providers/moneroo";
import { createPaydunya } from "@sesame/providers/paydunya";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Adapters, openAdapters, type Tried } from "../../../test/adapters.ts";

/** What one provider does and the others do not. */

let bench: Adapters;

beforeAll(async () => {
  bench = await openAdapters();
});
afterEach(() => {
  const { modes, notices } = bench.emulators.collectors.kkiapay;
  Object.assign(modes, { emptyPartnerId: false, stateAsText: false, otherAmount: false });
  Object.assign(notices, { drop: false, copies: 1 });
  bench.emulators.collectors.stars.notices.drop = false;
});
afterAll(() => bench.close());

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
