import type {
  CollectorName,
  CollectorView,
  FaultsView,
  KkiapayModes,
  MerchantProviderName,
  WebhookMode,
  PaymentCall,
  PaymentFault,
  PaymentView,
  PayoutFault,
  PayoutProviderName,
  PayoutView,
  TelegramFault,
  UpdateDelivery,
  EmulatorState,
} from "../../wire.ts";
import { formatPhone } from "../mobile-money/numbers.ts";
import { fullName } from "../phone/chat-rows.ts";
import { control } from "../emulators.ts";
import {
  KKIAPAY_MODES,
  panelCopy as copy,
  PAYMENT_FAULTS,
  PAYOUT_FAULTS,
  PROVIDERS,
  spanWords,
} from "./messages.fr.ts";
import type { Check, Press, Row } from "./rows.tsx";

const SHOWN = 4;
/** Long enough to be seen, short enough to wait for. */
const SILENCE_MS = 4_000;
const LATE_MS = 5_000;
const REFILL = 2_000_000;
const PLANTED = 12_500;
const CREDIT = 500_000;

const entries = <K extends string>(table: Record<K, string>) =>
  Object.entries(table) as [K, string][];

const check = (words: string, on: boolean, set: Check["set"]): Check => ({ check: words, on, set });

/** Faults of a provider's webhooks, and faults of one provider only. */
function paymentChecks({ name: provider, webhooks }: CollectorView, faults: FaultsView): Check[] {
  const words = copy.payments;
  const set = (change: Partial<WebhookMode>) =>
    control("setPaymentWebhooks", { provider, ...change });
  const checks = [
    check(words.lost, webhooks.drop, (drop) => set({ drop })),
    check(words.thrice, webhooks.copies > 1, (on) => set({ copies: on ? 3 : 1 })),
    check(words.forged, webhooks.forgeSignature, (forgeSignature) => set({ forgeSignature })),
  ];
  if (provider === "stars") {
    const late = (on: boolean) => control("setStars", { late: on });
    checks.push(check(words.lateStars, faults.lateStars, late));
  }
  if (provider !== "kkiapay") return checks;
  const modes = entries<keyof KkiapayModes>(KKIAPAY_MODES).map(([mode, said]) =>
    check(said, faults.kkiapay[mode], (on) => control("setKkiapay", { [mode]: on })),
  );
  return [...checks, ...modes];
}

function updateChecks({ updates }: FaultsView): Check[] {
  const words = copy.telegram;
  const set = (change: Partial<UpdateDelivery>) => control("setUpdateDelivery", change);
  return [
    check(words.copies, updates.copies > 1, (on) => set({ copies: on ? 3 : 1 })),
    check(words.reorder, updates.reorder, (reorder) => set({ reorder })),
    check(words.drop, updates.drop, (drop) => set({ drop })),
    check(words.late, updates.delayMs > 0, (on) => set({ delayMs: on ? LATE_MS : 0 })),
  ];
}

/** Every simulated failure in words; empty without any. */
export function faultWords(emulators: Pick<EmulatorState, "faults" | "collectors">): string[] {
  const { faults, collectors } = emulators;
  const said = (checks: Check[], words: (check: string) => string) =>
    checks.filter(({ on }) => on).map(({ check }) => words(check));
  const { title, active } = copy.telegram;
  return [
    ...faults.telegram.map(({ fault, times }) => `${title} : ${active(fault.kind, times)}`),
    ...said(updateChecks(faults), copy.faults.updates),
    ...(Object.keys(faults.payouts) as PayoutProviderName[]).flatMap((provider) =>
      faults.payouts[provider].map(({ kind }) => copy.faults.of(provider, PAYOUT_FAULTS[kind])),
    ),
    ...collectors.flatMap((collector) => [
      ...collector.faults.map(({ call, kind }) =>
        copy.faults.ofPayment(collector.name, call, kind),
      ),
      ...said(paymentChecks(collector, faults), (words) => copy.faults.of(collector.name, words)),
    ]),
  ];
}

export function clockRows({ offsetMs }: EmulatorState): Row[] {
  const words = copy.clock;
  const isAhead = offsetMs >= 1_000;
  const real = { words: words.real, press: () => control("setClockOffset", { offsetMs: 0 }) };
  return [
    {
      buttons: words.steps.map(([step, minutes]) => ({
        words: step,
        press: () => control("advanceClock", { ms: minutes * 60_000 }),
      })),
    },
    {
      note: isAhead ? words.ahead(spanWords(offsetMs)) : words.onTime,
      ...(isAhead && { link: real }),
    },
  ];
}

/** Who gives money back when asked. */
const REFUNDING: readonly CollectorName[] = ["kkiapay", "stars"];
/** Providers that report a chargeback. */
const TAKEN_BACK: readonly CollectorName[] = ["fedapay", "paydunya"];

/** Which provider or account a section shows: only the page knows it. */
export type Chosen<T> = { chosen: T; choose(next: T): void };

/** Chooses what a section shows. */
function chooser<T extends string>(choice: string, which: Chosen<T>, options: [T, string][]): Row {
  const set = (name: string) => which.choose(name as T);
  return { choice, value: which.chosen, options, plain: true, set };
}

/** Providers that take money: payments, faults, webhooks. */
export function paymentRows(
  { collectors, faults }: EmulatorState,
  chosen: Chosen<CollectorName>,
): Row[] {
  const words = copy.payments;
  const provider = chosen.chosen;
  const collector = collectors.find(({ name }) => name === provider);
  if (collector === undefined) return [];
  const calls: PaymentCall[] = ["create", "fetch"];
  if (REFUNDING.includes(provider)) calls.push("refund");
  const setFault = async (call: PaymentCall, kind: string) => {
    // One fault at a time is enough for a visitor.
    await control("setPaymentFault", { provider, call, kind: null });
    if (Object.hasOwn(PAYMENT_FAULTS, kind)) {
      await control("setPaymentFault", { provider, call, kind: kind as PaymentFault });
    }
  };
  const { payments, sentWebhooks } = collector;
  return [
    chooser(words.provider, chosen, entries(PROVIDERS)),
    ...calls.map((call) => ({
      choice: words.calls[call],
      value: collector.faults.find((rule) => rule.call === call)?.kind ?? "none",
      options: [["none", words.noFault] as const, ...entries(PAYMENT_FAULTS)],
      set: (kind: string) => setFault(call, kind),
    })),
    ...paymentChecks(collector, faults),
    { title: words.last },
    {
      none: words.none,
      list: payments.slice(0, SHOWN).map((payment) => {
        const { id, status, reference } = payment;
        const shown = { key: id, words: words.price(payment), under: reference ?? id };
        const buttons = paymentButtons(provider, payment);
        if (status === "pending") return { ...shown, buttons };
        const colour = status === "paid" ? "success" : status;
        return { ...shown, buttons, state: [words.statuses[status], colour] };
      }),
    },
    ...(sentWebhooks.length > 0 ? [{ title: words.sentWebhooks }] : []),
    {
      list: sentWebhooks.slice(0, SHOWN).map((webhook) => ({
        key: webhook.id,
        words: webhook.event,
        under: words.webhookStates[webhook.state],
        buttons: [
          {
            words: words.repeat,
            label: words.repeatLabel(webhook),
            press: () => control("repeatPaymentWebhook", { provider, webhookId: webhook.id }),
          },
        ],
      })),
    },
  ];
}

function paymentButtons(provider: CollectorName, payment: PaymentView): Press[] {
  const words = copy.payments;
  const { id: paymentId, status } = payment;
  if (status === "pending") {
    // A payment in crypto is neither refused nor cancelled: it arrives, or it does not.
    const outcomes = (["success", "failure", "cancel"] as const).slice(
      0,
      provider === "cryptopay" ? 1 : 3,
    );
    return outcomes.map((outcome) => ({
      words: words.outcomes[outcome],
      label: words.settleLabel(outcome, payment),
      press: () => control("settleCollected", { provider, paymentId, outcome }),
    }));
  }
  if (!TAKEN_BACK.includes(provider)) return [];
  // A bank takes the money back, or gives up; the provider reports it.
  const alter = (word: string | null) => () =>
    control("alterCollected", { provider, paymentId, status: word, announced: true });
  if (status === "paid") {
    const label = words.takeBackLabel(payment);
    return [{ words: words.takeBack, label, press: alter("refunded") }];
  }
  if (status !== "refunded") return [];
  return [{ words: words.restore, label: words.restoreLabel(payment), press: alter(null) }];
}

/** Where a visitor opens an account of a seller's own. */
export function accountRows(chosen: Chosen<MerchantProviderName>): Row[] {
  const words = copy.accounts;
  const { stars: _none, ...providers } = PROVIDERS;
  const press = () => control("openMerchant", { provider: chosen.chosen });
  return [
    { note: words.hint },
    chooser(words.provider, chosen, entries(providers)),
    { buttons: [{ words: words.open, press }] },
  ];
}

/** Who pays the sellers: what is on its way, what goes wrong, what is left to send. */
export function payoutRows(
  emulators: EmulatorState,
  chosen: Chosen<PayoutProviderName>,
  account: Chosen<string>,
): Row[] {
  const words = copy.payouts;
  const provider = chosen.chosen;
  const last = emulators.payouts.filter((one) => one.provider === provider).slice(0, SHOWN);
  const floats = emulators.floats.filter((one) => one.provider === provider);
  const accounts = floats.map((one): [string, string] => [one.account, one.account]);
  const float = floats.find((one) => one.account === account.chosen) ?? floats[0];
  if (float === undefined) return [];
  const { paydunya, moneroo, fedapay } = PROVIDERS;
  const paying = entries<PayoutProviderName>({ paydunya, moneroo, fedapay });
  const fill = (amount: number) => () =>
    control("setFloat", { provider, account: float.account, amount });
  const name = PROVIDERS[provider];
  const setFault = async (kind: string) => {
    // One fault at a time is enough for a visitor.
    await control("setPayoutFault", { provider, kind: null });
    if (!Object.hasOwn(PAYOUT_FAULTS, kind)) return;
    const how = kind.startsWith("timeout") ? { afterMs: SILENCE_MS } : {};
    await control("setPayoutFault", { provider, kind: kind as PayoutFault, ...how });
  };
  return [
    chooser(words.provider, chosen, paying),
    {
      choice: words.fault,
      value: emulators.faults.payouts[provider][0]?.kind ?? "none",
      options: [["none", words.noFault], ...entries(PAYOUT_FAULTS)],
      set: setFault,
    },
    ...(floats.length > 1
      ? [chooser(words.account, { ...account, chosen: float.account }, accounts)]
      : []),
    {
      list: [
        {
          key: float.account,
          words: copy.money(float.amount),
          under: words.float,
          buttons: [
            { words: words.empty, label: words.emptyLabel(name), press: fill(0) },
            {
              words: words.refill,
              label: words.refillLabel(name),
              press: fill(float.amount + REFILL),
            },
          ],
        },
      ],
    },
    { title: words.last },
    { list: last.map(payoutItem), none: words.none },
    // What the reconciliation must find.
    { title: words.reconciliation },
    {
      buttons: [
        { words: words.plant, press: () => control("plantPayout", { provider, amount: PLANTED }) },
        {
          words: words.forget,
          disabled: last.length === 0,
          press: () => control("forgetPayout", { provider, payoutId: last[0]?.id ?? "" }),
        },
      ],
    },
  ];
}

function payoutItem({ provider, id, amount, phone, status, planted }: PayoutView) {
  const words = copy.payouts;
  const under = planted ? `${phone} · ${words.planted}` : phone;
  const shown = { key: id, words: copy.money(amount), under };
  if (status !== "queued" && status !== "pending") {
    return { ...shown, state: [words.statuses[status], status] as [string, string] };
  }
  const buttons = (["success", "failed"] as const).map((outcome) => ({
    words: words.settle[outcome],
    label: words.settleLabel(words.settle[outcome], amount),
    press: () => control("settlePayout", { provider, payoutId: id, outcome }),
  }));
  return { ...shown, buttons };
}

/** Each person's number and its balance. */
export function walletRows({ wallets, persons, networks }: EmulatorState): Row[] {
  const words = copy.wallets;
  const list = wallets
    .filter(({ personId }) => personId !== null)
    .map(({ phone, personId, balance }) => {
      const person = persons.find((one) => one.id === personId);
      const name = person === undefined ? phone : fullName(person);
      const credit = () => control("creditWallet", { phone, amount: CREDIT });
      return {
        key: phone,
        words: `${name} · ${copy.money(balance)}`,
        under: formatPhone(phone, networks),
        buttons: [{ words: words.credit, label: words.creditLabel(name), press: credit }],
      };
    });
  return [{ note: words.hint }, { list }];
}

const TELEGRAM_FAULTS: [string, TelegramFault, times: number | null][] = [
  [copy.telegram.tooMany, { kind: "tooMany", retryAfterSeconds: 3 }, 3],
  [copy.telegram.outage, { kind: "serverError" }, null],
  [copy.telegram.slow, { kind: "slow", ms: SILENCE_MS }, null],
  [copy.telegram.dropAfter, { kind: "dropAfter" }, 1],
];

export function telegramRows({ faults }: EmulatorState): Row[] {
  const words = copy.telegram;
  const { telegram } = faults;
  const clear = { words: words.clear, press: () => control("clearTelegramFaults", {}) };
  const active = telegram.map(({ fault, times }) => words.active(fault.kind, times)).join(", ");
  const buttons = TELEGRAM_FAULTS.map(([words, fault, times]) => ({
    words,
    press: () => control("addTelegramFault", { method: "*", fault, times }),
  }));
  return [
    { buttons: buttons.slice(0, 2) },
    { buttons: buttons.slice(2) },
    ...(telegram.length > 0 ? [{ note: active, isWarning: true, link: clear }] : []),
    { title: words.updates },
    ...updateChecks(faults),
  ];
}
