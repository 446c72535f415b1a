import type { WebhookMode, PaymentRule } from "./control.ts";
import type { BotRole, WebhookView, PaymentStatus } from "./state.ts";

/** Providers that take money for the app. */
export type CollectorName = "moneroo" | "fedapay" | "kkiapay" | "paydunya" | "cryptopay" | "stars";

/** One payment in words common to all providers; each provider's answers have its own. */
export type PaymentView = {
  /** The provider's own. */
  id: string;
  /** Our reference, as the app gave it. */
  reference: string | null;
  /** As the provider writes it. */
  amount: number | string;
  currency: string;
  status: "pending" | "paid" | "failed" | "cancelled" | "refunded";
  /** The provider's hosted page, or what opens it. */
  payUrl: string | null;
  /** The provider's other id, where a refund or a webhook uses one. */
  transactionId: string | null;
};

export type PaymentOutcome = "success" | "failure" | "cancel" | "pending";

/** Altered answers of the provider; null: the truth again. */
export type AlteredPayment = {
  amount?: number | string | null;
  currency?: string | null;
  /** Empty: the answers name none. */
  reference?: string | null;
  environment?: "live" | "sandbox" | null;
  /** The provider's word. */
  status?: string | null;
};

/**
 * A provider that takes money, as the control panel shows it; latest payments and webhooks first.
 */
export type CollectorView = {
  name: CollectorName;
  payments: PaymentView[];
  faults: PaymentRule[];
  webhooks: WebhookMode;
  sentWebhooks: WebhookView[];
};

/** Providers where a seller opens an own account. */
export type MerchantProviderName = Exclude<CollectorName, "stars">;

/** A seller's account at a provider: its keys are the provider's to give, and shown here alone. */
export type MerchantView = {
  provider: MerchantProviderName;
  id: string;
  keys: Record<string, string>;
  webhookUrl: string | null;
};

/** Providers that send money for the app. */
export type PayoutProviderName = "paydunya" | "moneroo" | "fedapay";

/**
 * Words common to the three providers. `created`: known, not yet sent; `queued`: accepted to be
 * sent; `pending`: with the operator.
 */
export type PayoutStatus = "created" | "queued" | "pending" | "success" | "failed";

export type PayoutView = {
  provider: PayoutProviderName;
  /** The provider's own. */
  id: string;
  /** The token of PayDunya's first step. */
  handle: string | null;
  /** Our reference, as the app gave it. */
  reference: string | null;
  amount: number;
  /** The provider's fee, on top of the amount. */
  cost: number;
  /** The provider's code. */
  method: string;
  /** E.164. */
  phone: string;
  status: PayoutStatus;
  failure: string | null;
  operatorReference: string | null;
  createdAt: string;
  startedAt: string | null;
  /** When the money reached the phone, and only then. */
  sentAt: string | null;
  /** Nobody asked for it. */
  planted: boolean;
};

/** What a provider has left to send. */
export type FloatView = { provider: PayoutProviderName; account: string; amount: number };

export type CheckoutMethod = {
  code: string;
  name: string;
  /** Empty for what is of no country. */
  country: string;
  dialCode: string;
  /** The price by this method, where it is not the price of the payment. */
  price?: string;
};

/** A payment as its customer's page shows it, whoever the provider is. */
export type CheckoutView = {
  provider: CollectorName;
  /** What stands in the page's address. */
  id: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  description: string;
  merchant: string;
  /** The customer's, as the app gave it. */
  phone: string | null;
  methods: CheckoutMethod[];
  failureMessage: string | null;
  /** The customer can do no more here. */
  over: boolean;
  /** Where the page goes once the customer is done, with what the provider appends; null: nowhere. */
  returnUrl: string | null;
  /** A widget's message to the page that opened it. */
  reported?: Record<string, unknown>;
};

export type CheckoutAction = {
  action: "success" | "fail" | "cancel" | "pending";
  method?: string;
  phone?: string;
  /** Changes the status and sends no webhook. */
  silent?: boolean;
};

/** A mobile-money account: a number at an operator, and who holds it. */
export type WalletView = {
  /** E.164. */
  phone: string;
  personId: number | null;
  /** One of the fifteen methods: `orange-money-ci`, … */
  network: string;
  balance: number;
};

/** An operator's message to the holder of a number. */
export type SmsView = {
  id: number;
  /** Who reads it: the number, and the person who holds it, if anybody does. */
  phone: string;
  personId: number | null;
  kind: "received" | "sent";
  network: string;
  amount: number;
  /** The other side: a name, a number, or a provider. */
  other: { name: string | null; phone: string | null };
  /** The operator's own, unique. */
  reference: string;
  balance: number;
  sentAt: string;
};

export type NetworkView = {
  /** One of the fifteen methods. */
  id: string;
  name: string;
  country: string;
  /** Digits without `+`. */
  dial: string;
  /** How many digits a number has after it. */
  digits: number;
};

/** What a page hands over to open the widget. */
export type KkiapayConfig = Record<string, unknown>;

/** Faults of KkiaPay. */
export type KkiapayModes = typeof NORMAL_MODES;

export const NORMAL_MODES = {
  /** The partner's number is lost on the way, as in a real sandbox. */
  emptyPartnerId: false,
  /** Webhooks carry the state as a text of JSON. */
  stateAsText: false,
  /** The widget's page says "paid" although nothing was. */
  forgedSuccess: false,
  /** The widget is opened with another amount than the page asked: changed in the browser. */
  otherAmount: false,
};

/** The sheet on which a person pays in Stars. */
export type InvoiceView = {
  /** What stands in `t.me/$slug`. */
  slug: string;
  bot: BotRole;
  botName: string;
  title: string;
  description: string;
  /** Stars. */
  amount: number;
  /** What the person who looks at the sheet has. */
  stars: number;
};

/** As mini apps receive it in `invoice_closed`. */
export type InvoiceOutcome = "paid" | "failed" | "cancelled";

export type PaidInvoice = {
  slug: string;
  status: InvoiceOutcome;
  /**
   * Why it failed: too few Stars, the bot refused (with its words), or it did not answer in time.
   */
  why: "not-enough" | "refused" | "no-answer" | null;
  words: string | null;
  /** What the person has left. */
  stars: number;
};
