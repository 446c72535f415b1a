import { NotPossible } from "../telegram/state.ts";
import type { PlantedPayout } from "../kit/payouts.ts";
import type {
  AlteredPayment,
  CollectorName,
  FaultsView,
  KkiapayModes,
  MerchantProviderName,
  MerchantView,
  PaymentCall,
  PaymentFault,
  PaymentOutcome,
  PayoutFault,
  PayoutProviderName,
  PayoutRule,
  PhoneId,
  TelegramFaultRule,
  UpdateDelivery,
  WebhookMode,
} from "../wire.ts";
import { NORMAL_DELIVERY, NORMAL_WEBHOOKS, NORMAL_MODES } from "../wire.ts";
import { type RunningEmulators, collectorView, faultsView, phoneView } from "./snapshot.ts";

/** What the control panel does, by name. */
export type Panel = ReturnType<typeof controlPanel>;

export function controlPanel(emulators: RunningEmulators) {
  const { clock, phoneDelays, faults, emulated, kkiapay } = emulators;
  const { collectors, payers, merchants } = emulators;
  const { delivery } = emulated.updates;
  /** A change of faults, which answers with all of them. */
  const changing =
    <I extends object>(change: (input: I) => void) =>
    (input: I): FaultsView => {
      change(input);
      emulators.changed();
      return faultsView(emulators);
    };
  return {
    // The clock, the phones' networks, what people have.
    advanceClock({ ms }: { ms: number }) {
      if (!Number.isFinite(ms) || ms < 0) throw new NotPossible("the clock only goes forward");
      clock.advance(ms);
      return { offsetMs: clock.offsetMs() };
    },
    setClockOffset({ offsetMs }: { offsetMs: number }) {
      if (!Number.isFinite(offsetMs)) throw new NotPossible("not an offset");
      clock.setOffset(offsetMs);
      return { offsetMs: clock.offsetMs() };
    },
    /** 0: a normal network again. */
    setPhoneNetwork({ phone, delayMs }: { phone: PhoneId; delayMs: number }) {
      if (!Object.hasOwn(phoneDelays, phone)) throw new NotPossible(`no phone ${phone}`);
      if (!Number.isFinite(delayMs) || delayMs < 0) throw new NotPossible("not a delay");
      phoneDelays[phone] = delayMs;
      emulators.changed();
      return phoneView(emulators, phone);
    },
    creditWallet: emulators.mobileMoney.credit,

    // Faults, except those of payments; and the end of all faults.
    addTelegramFault: changing((rule: TelegramFaultRule) => faults.add(rule)),
    clearTelegramFaults: changing(() => faults.clear()),
    setUpdateDelivery: changing((change: Partial<UpdateDelivery>) => assignKnown(delivery, change)),
    setKkiapay: changing((change: Partial<KkiapayModes>) => assignKnown(kkiapay.modes, change)),
    /** `late`: bots' answers before a payment come too late; `stars`: what that person has. */
    setStars: changing((given: { late?: boolean; personId?: number; stars?: number }) => {
      const { late, personId, stars } = given;
      if (late !== undefined) emulated.stars.late = late;
      if (personId !== undefined && stars !== undefined) {
        if (!Number.isInteger(stars) || stars < 0) throw new NotPossible("not a number of Stars");
        emulated.stars.setWallet(personId, stars);
      }
    }),
    /** `null`: none any more. */
    setPayoutFault: changing((rule: OfPayer & { kind: PayoutFault | null } & PayoutHow) => {
      const { provider, kind, ...how } = rule;
      const payer = known(payers, provider);
      if (kind === null) payer.clearFaults();
      else payer.fault(kind, how);
    }),
    clearFaults: changing(() => {
      faults.clear();
      emulated.stars.late = false;
      Object.assign(kkiapay.modes, NORMAL_MODES);
      Object.assign(delivery, NORMAL_DELIVERY);
      for (const collector of Object.values(collectors)) {
        collector.clearFaults();
        Object.assign(collector.webhooks, NORMAL_WEBHOOKS);
      }
      for (const payer of Object.values(payers)) payer.clearFaults();
    }),

    // Payments, and sellers' accounts.
    /** `null`: none any more. */
    setPaymentFault({ provider, call, kind }: OfCollector & MaybeFault) {
      known(collectors, provider).fault(call, kind);
      return collectorView(provider, collectors[provider]);
    },
    setPaymentWebhooks({ provider, ...change }: OfCollector & Partial<WebhookMode>) {
      assignKnown(known(collectors, provider).webhooks, change);
      emulators.changed();
      return collectorView(provider, collectors[provider]);
    },
    /** As the customer on the provider's page. */
    settleCollected({ provider, paymentId, outcome }: OfPayment & { outcome: PaymentOutcome }) {
      return known(collectors, provider).settle(paymentId, outcome);
    },
    /** `announced`: a webhook follows, where the provider sends one after the end. */
    alterCollected(altered: OfPayment & { announced?: boolean } & AlteredPayment) {
      const { provider, paymentId, announced = false, ...change } = altered;
      return known(collectors, provider).alter(paymentId, change, { announced });
    },
    repeatPaymentWebhook({ provider, webhookId }: OfCollector & { webhookId: number }) {
      const webhook = known(collectors, provider).repeatWebhook(webhookId);
      if (webhook === null) throw new NotPossible(`no webhook ${webhookId}`);
      return webhook;
    },
    openMerchant: ({ provider }: OfMerchant): MerchantView => known(merchants, provider).open(),
    pointMerchant(to: OfMerchant & { merchantId: string; webhookUrl: string }): MerchantView {
      return known(merchants, to.provider).pointWebhooks(to.merchantId, to.webhookUrl);
    },

    // Payouts.
    settlePayout({ provider, payoutId, outcome }: OfPayout & { outcome: "success" | "failed" }) {
      return known(payers, provider).settle(payoutId, outcome);
    },
    setFloat({ provider, account, amount }: OfPayer & { account: string; amount: number }) {
      known(payers, provider).setFloat(amount, account);
      return { provider, account, amount };
    },
    /** One that nobody asked for, as the next is one that the provider forgets: to be reconciled. */
    plantPayout: ({ provider, ...planted }: OfPayer & PlantedPayout) =>
      known(payers, provider).plant(planted),
    forgetPayout({ provider, payoutId }: OfPayout) {
      known(payers, provider).forget(payoutId);
      return null;
    },
  };
}

type OfCollector = { provider: CollectorName };
type MaybeFault = { call: PaymentCall; kind: PaymentFault | null };
type OfPayment = OfCollector & { paymentId: string };
type OfMerchant = { provider: MerchantProviderName };
type OfPayer = { provider: PayoutProviderName };
type OfPayout = OfPayer & { payoutId: string };
type PayoutHow = Partial<Omit<PayoutRule, "kind">>;

function known<T extends object, K extends keyof T>(table: T, name: K): T[K] {
  if (!Object.hasOwn(table, name)) throw new NotPossible(`no provider ${String(name)}`);
  return table[name];
}

/** Takes only the known settings of a change. */
function assignKnown<T extends object>(settings: T, change: Partial<T>): void {
  for (const key of Object.keys(settings) as (keyof T)[]) {
    const value = change[key];
    if (value !== undefined) settings[key] = value;
  }
}
