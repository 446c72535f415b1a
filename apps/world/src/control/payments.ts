import { NORMAL_NOTICES } from "../kit/webhooks.ts";
import type { PaymentDesk } from "../kit/payments.ts";
import { collectorsOf, merchantsOf } from "../providers.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type {
  CollectorName,
  CollectorView,
  MerchantProviderName,
  MerchantView,
  PaymentControlCalls,
} from "../wire.ts";
import type { RunningWorld } from "./running-world.ts";

/** The pages show the latest ones only. */
const SHOWN = 50;

export type PaymentPanel = {
  [K in keyof PaymentControlCalls]: (
    input: PaymentControlCalls[K]["takes"],
  ) => PaymentControlCalls[K]["gives"];
};

export function collectorViews(world: RunningWorld): CollectorView[] {
  const desks = Object.entries(collectorsOf(world)) as [CollectorName, PaymentDesk][];
  return desks.map(([name, desk]) => collectorView(name, desk));
}

function collectorView(name: CollectorName, desk: PaymentDesk): CollectorView {
  return {
    name,
    payments: [...desk.latest(SHOWN)].reverse(),
    faults: [...desk.faults()],
    notices: desk.notices,
    told: desk.noticeViews().slice(-SHOWN).reverse(),
  };
}

export function merchantViews(world: RunningWorld): MerchantView[] {
  const all: { sellers(): MerchantView[] }[] = Object.values(merchantsOf(world));
  return all.flatMap((accounts) => accounts.sellers());
}

/** Payments and sellers' accounts, as the control panel handles them. */
export function paymentPanel(world: RunningWorld): PaymentPanel {
  const desks: Record<CollectorName, PaymentDesk> = collectorsOf(world);
  const merchants = merchantsOf(world);
  const deskOf = (name: CollectorName): PaymentDesk => {
    if (!Object.hasOwn(desks, name)) throw new NotPossible(`no provider ${name}`);
    return desks[name];
  };
  const accountsAt = (name: MerchantProviderName) => {
    if (!Object.hasOwn(merchants, name)) throw new NotPossible(`no accounts at ${name}`);
    return merchants[name];
  };
  return {
    setPaymentFault({ provider, call, kind, times }) {
      deskOf(provider).fault(call, kind, times);
      return collectorView(provider, deskOf(provider));
    },
    setPaymentNotices({ provider, ...change }) {
      const mode = deskOf(provider).notices;
      for (const key of Object.keys(NORMAL_NOTICES) as (keyof typeof mode)[]) {
        if (change[key] !== undefined) Object.assign(mode, { [key]: change[key] });
      }
      world.changed();
      return collectorView(provider, deskOf(provider));
    },
    settleCollected: ({ provider, paymentId, outcome, silent = false }) =>
      deskOf(provider).settle(paymentId, outcome, { silent }),
    alterCollected: ({ provider, paymentId, announced = false, ...change }) =>
      deskOf(provider).alter(paymentId, change, { announced }),
    repeatPaymentNotice({ provider, noticeId }) {
      const notice = deskOf(provider).repeatNotice(noticeId);
      if (notice === null) throw new NotPossible(`no notice ${noticeId}`);
      return notice;
    },
    releasePaymentNotices: ({ provider }) => ({ released: deskOf(provider).releaseNotices() }),
    openMerchant: ({ provider, noticeUrl }) => accountsAt(provider).open(noticeUrl),
    pointMerchant: ({ provider, merchantId, noticeUrl }) =>
      accountsAt(provider).pointNotices(merchantId, noticeUrl),
  };
}

export function clearPaymentFaults(world: RunningWorld): void {
  for (const desk of Object.values(collectorsOf(world))) {
    desk.clearFaults();
    Object.assign(desk.notices, NORMAL_NOTICES);
  }
}
