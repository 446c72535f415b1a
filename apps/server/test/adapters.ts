import { randomUUID } from "node:crypto";
import { assert, fcfa, MINUTE_MS, stoppedClock } from "@sesame/kernel";
import type {
  CreatedPayment,
  FetchedPayment,
  PaymentName,
  PaymentProvider,
  PaymentRequest,
  ProviderId,
} from "@sesame/providers";
import { createCryptopay } from "@sesame/providers/cryptopay";
import { createFedapay } from "@sesame/providers/fedapay";
import { createKkiapay } from "@sesame/providers/kkiapay";
import { createMoneroo } from "@sesame/providers/moneroo";
import { createPaydunya } from "@sesame/providers/paydunya";
import { createStars } from "@sesame/providers/stars";
import { keepCharges } from "../../../packages/providers/src/stars/charges.test-keeper.ts";
import { eventually } from "../../../tools/testing/eventually.ts";
import { type Emulators, startEmulators } from "../../emulators/src/index.ts";
import { startReceiver } from "../../emulators/src/testing/receiver.ts";
import { type BotGateway, createGateway } from "../src/bot/gateway.ts";
import {
  BUYER_BOT_TOKEN,
  CRYPTOPAY_KEYS,
  EMULATED_KEYS,
  FEDAPAY_KEYS,
  KKIAPAY_KEYS,
  MONEROO_SECRET_KEY,
  MONEROO_WEBHOOK_SECRET,
  PAYDUNYA_KEYS,
} from "./harness.ts";

/** A payment as its adapter made it, with what would be saved of it. */
export type Tried = { readonly lane: ProviderId; readonly created: CreatedPayment } & {
  name: PaymentName;
};

export type Adapters = Awaited<ReturnType<typeof openAdapters>>;

const FRANCS_PER_STAR = 8;

function isTelling({ collectors }: Emulators): boolean {
  return Object.values(collectors).some((desk) =>
    desk.noticeViews().some(({ state }) => state === "sending"),
  );
}

/** Every adapter against its emulator, without the application between them. */
export async function openAdapters() {
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
