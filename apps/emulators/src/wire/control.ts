import type { Call } from "./act.ts";
import type {
  FloatView,
  KkiapayModes,
  AlteredPayment,
  CollectorName,
  CollectorView,
  MerchantProviderName,
  MerchantView,
  PaymentOutcome,
  PaymentView,
  PayoutProviderName,
  PayoutView,
  WalletView,
} from "./money.ts";
import type { BotRole, WebhookView, PhoneId, PhoneView } from "./state.ts";

/** What the app asks of a provider: of payments the first three, of payouts the others. */
export type PaymentCall = "create" | "fetch" | "refund";
/** `prepare` moves no money; PayDunya and FedaPay alone have it. */
export type PayoutCall = "prepare" | "submit" | "lookup" | "list";

/** How any call of a provider's goes wrong. */
type CallFault =
  /** An explicit no; nothing was done. */
  | "refuse"
  /** The connection breaks, and nothing was done. */
  | "timeout-before"
  /** It was done, and the connection breaks. */
  | "timeout-after"
  /** It was done, and 500 is answered. */
  | "500-after"
  | "429"
  /** 200, and nothing of what the provider answers. */
  | "nonsense"
  /** 503. */
  | "down";

export type PaymentFault =
  | CallFault
  | "500"
  | "not-found"
  /** The keys are not accepted. */
  | "keys";

export type PayoutFault =
  | CallFault
  | "insufficient-float"
  /** Taken; succeeds six hours later. */
  | "late-success"
  /** Taken; fails six hours later. */
  | "late-failure"
  /** Taken; never ends by itself. */
  | "stay-pending"
  | "slow"
  | "unknown-word"
  /** The field of the status is missing. */
  | "no-word"
  | "wrong-amount"
  | "wrong-reference";

export type FaultRule<
  Call = PaymentCall | PayoutCall | "any",
  Kind = PaymentFault | PayoutFault,
> = {
  kind: Kind;
  call: Call;
  /** How many calls still to hit; null: until the rule is taken away. */
  times: number | null;
  /** How long a connection that breaks stays silent first; a slow answer's delay. */
  afterMs: number;
};
export type PaymentRule = FaultRule<PaymentCall, PaymentFault>;
export type PayoutRule = FaultRule<PayoutCall | "any", PayoutFault>;

export type TelegramFault =
  | { kind: "tooMany"; retryAfterSeconds: number }
  | { kind: "serverError" }
  /** Any other refusal of Telegram's, e.g. 400 "Bad Request: CHANNELS_TOO_MUCH". */
  | { kind: "refusal"; code: number; description: string }
  /** Answers after this long. */
  | { kind: "slow"; ms: number }
  /** Never answers. */
  | { kind: "hang" }
  /** The connection breaks before anything was done. */
  | { kind: "dropBefore" }
  /** It was done, then the connection breaks. */
  | { kind: "dropAfter" }
  /** It was done, then 500 is answered. */
  | { kind: "serverErrorAfter" }
  /** 200, and no JSON. */
  | { kind: "nonsense" };

export type TelegramFaultRule = {
  /** A method's name, any case, or `*` for every one (getUpdates excepted unless named). */
  method: string;
  bot?: BotRole;
  fault: TelegramFault;
  /** How many calls still to hit; null: until cleared. */
  times: number | null;
};

/** How updates reach the bots. */
export type UpdateDelivery = typeof NORMAL_DELIVERY;

export const NORMAL_DELIVERY = {
  delayMs: 0,
  /** Each update is sent this many times. */
  copies: 1,
  /** Two neighbours change places. */
  reorder: false,
  /** Updates never reach the bot. */
  drop: false,
};

export type WebhookMode = typeof NORMAL_WEBHOOKS;

export const NORMAL_WEBHOOKS = {
  drop: false,
  delayMs: 0,
  copies: 1,
  forgeSignature: false,
  /** Body with unusual spaces and escapes, still well signed. */
  unusualSpacing: false,
};

export type FaultsView = {
  telegram: TelegramFaultRule[];
  /** Every payment in Stars fails: the bot's answer before it is treated as too late. */
  lateStars: boolean;
  kkiapay: KkiapayModes;
  updates: UpdateDelivery;
  payouts: Record<PayoutProviderName, PayoutRule[]>;
};

export type ControlCalls = {
  /** `null`: none any more. */
  setPaymentFault: Call<
    { provider: CollectorName; call: PaymentCall; kind: PaymentFault | null; times?: number },
    CollectorView
  >;
  setPaymentWebhooks: Call<{ provider: CollectorName } & Partial<WebhookMode>, CollectorView>;
  /** As the customer on the provider's page; `silent` sends no webhook. */
  settleCollected: Call<
    { provider: CollectorName; paymentId: string; outcome: PaymentOutcome; silent?: boolean },
    PaymentView
  >;
  /** `announced`: a webhook follows, where the provider sends one after the end. */
  alterCollected: Call<
    { provider: CollectorName; paymentId: string; announced?: boolean } & AlteredPayment,
    PaymentView
  >;
  repeatPaymentWebhook: Call<{ provider: CollectorName; webhookId: number }, WebhookView>;
  /** A seller opens an account at a provider, then sets the address of its webhooks. */
  openMerchant: Call<{ provider: MerchantProviderName; webhookUrl?: string }, MerchantView>;
  pointMerchant: Call<
    { provider: MerchantProviderName; merchantId: string; webhookUrl: string },
    MerchantView
  >;
  advanceClock: Call<{ ms: number }, { offsetMs: number }>;
  setKkiapay: Call<Partial<KkiapayModes>, FaultsView>;
  /** `late`: bots' answers before a payment come too late; `stars`: what that person has. */
  setStars: Call<{ late?: boolean; personId?: number; stars?: number }, FaultsView>;
  setClockOffset: Call<{ offsetMs: number }, { offsetMs: number }>;
  /** A slow network on one phone; 0 ms makes it normal again. */
  setPhoneNetwork: Call<{ phone: PhoneId; delayMs: number }, PhoneView>;
  addTelegramFault: Call<TelegramFaultRule, FaultsView>;
  clearTelegramFaults: Call<object, FaultsView>;
  setUpdateDelivery: Call<Partial<UpdateDelivery>, FaultsView>;
  /** All faults of every kind. */
  clearFaults: Call<object, FaultsView>;
  settlePayout: Call<
    { provider: PayoutProviderName; payoutId: string; outcome: "success" | "failed"; why?: string },
    PayoutView
  >;
  /** `null`: none any more. */
  setPayoutFault: Call<
    { provider: PayoutProviderName; kind: PayoutFault | null } & Partial<Omit<PayoutRule, "kind">>,
    FaultsView
  >;
  setFloat: Call<{ provider: PayoutProviderName; account: string; amount: number }, FloatView>;
  /** Puts money in a person's wallet. */
  creditWallet: Call<{ phone: string; amount: number }, WalletView>;
  /** A payout that nobody asked for, and one that the provider forgets: for reconciliation. */
  plantPayout: Call<
    { provider: PayoutProviderName; amount: number; phone?: string; reference?: string },
    PayoutView
  >;
  forgetPayout: Call<{ provider: PayoutProviderName; payoutId: string }>;
};
