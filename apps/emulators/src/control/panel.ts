import { NotPossible } from "../telegram/state.ts";
import type { ControlCalls, FaultsView } from "../wire.ts";
import { NORMAL_DELIVERY, NORMAL_WEBHOOKS, NORMAL_MODES } from "../wire.ts";
import { type RunningEmulators, collectorView, faultsView, phoneView } from "./snapshot.ts";

type Calls<T extends Record<keyof T, { takes: unknown; gives: unknown }>> = {
  [K in keyof T]: (input: T[K]["takes"]) => T[K]["gives"];
};

/** What the control panel does, by name. */
export type Panel = Calls<ControlCalls>;

export function controlPanel(emulators: RunningEmulators): Panel {
  const { clock, phoneDelays, faults, emulated, kkiapay } = emulators;
  const { collectors, payers, merchants } = emulators;
  const { delivery } = emulated.updates;
  /** A change of faults, which answers with all of them. */
  const changing =
    <I>(change: (input: I) => void) =>
    (input: I): FaultsView => {
      change(input);
      emulators.changed();
      return faultsView(emulators);
    };
  return {
    // The clock, the phones' networks, what people have.
    advanceClock({ ms }) {
      if (!Number.isFinite(ms) || ms < 0) throw new NotPossible("the clock only goes forward");
      clock.advance(ms);
      return { offsetMs: clock.offsetMs() };
    },
    setClockOffset({ offsetMs }) {
      if (!Number.isFinite(offsetMs)) throw new NotPossible("not an offset");
      clock.setOffset(offsetMs);
      return { offsetMs: clock.offsetMs() };
    },
    setPhoneNetwork({ phone, delayMs }) {
      if (!Object.hasOwn(phoneDelays, phone)) throw new NotPossible(`no phone ${phone}`);
      if (!Number.isFinite(delayMs) || delayMs < 0) throw new NotPossible("not a delay");
      phoneDelays[phone] = delayMs;
      emulators.changed();
      return phoneView(emulators, phone);
    },
    creditWallet: ({ phone, amount }) => emulators.mobileMoney.credit(phone, amount),

    // Faults, except those of payments; and the end of all faults.
    addTelegramFault: changing((rule) => faults.add(rule)),
    clearTelegramFaults: changing(() => faults.clear()),
    setUpdateDelivery: changing((change) => assignKnown(delivery, change)),
    setKkiapay: changing((change) => assignKnown(kkiapay.modes, change)),
    setStars: changing(({ late, personId, stars }) => {
      if (late !== undefined) emulated.stars.late = late;
      if (personId !== undefined && stars !== undefined) {
        if (!Number.isInteger(stars) || stars < 0) throw new NotPossible("not a number of Stars");
        emulated.stars.setWallet(personId, stars);
      }
    }),
    setPayoutFault: changing(({ provider, kind, ...how }) => {
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
    setPaymentFault({ provider, call, kind, times }) {
      known(collectors, provider).fault(call, kind, times);
      return collectorView(provider, collectors[provider]);
    },
    setPaymentWebhooks({ provider, ...change }) {
      assignKnown(known(collectors, provider).webhooks, change);
      emulators.changed();
      return collectorView(provider, collectors[provider]);
    },
    settleCollected: ({ provider, paymentId, outcome, silent = false }) =>
      known(collectors, provider).settle(paymentId, outcome, { silent }),
    alterCollected: ({ provider, paymentId, announced = false, ...change }) =>
      known(collectors, provider).alter(paymentId, change, { announced }),
    repeatPaymentWebhook({ provider, webhookId }) {
      const webhook = known(collectors, provider).repeatWebhook(webhookId);
      if (webhook === null) throw new NotPossible(`no webhook ${webhookId}`);
      return webhook;
    },
    openMerchant: ({ provider, webhookUrl }) => known(merchants, provider).open(webhookUrl),
    pointMerchant: ({ provider, merchantId, webhookUrl }) =>
      known(merchants, provider).pointWebhooks(merchantId, webhookUrl),

    // Payouts.
    settlePayout: ({ provider, payoutId, outcome, why }) =>
      known(payers, provider).settle(payoutId, outcome, why),
    setFloat({ provider, account, amount }) {
      known(payers, provider).setFloat(amount, account);
      return { provider, account, amount };
    },
    plantPayout: ({ provider, ...planted }) => known(payers, provider).plant(planted),
    forgetPayout({ provider, payoutId }) {
      known(payers, provider).forget(payoutId);
      return null;
    },
  };
}

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
