import type { NoticeMode } from "./control.ts";
import type { PaymentCall, PaymentFault, PaymentRule } from "./faults.ts";
import type { NoticeView } from "./state.ts";

/** Who takes money for the app. */
export type CollectorName = "moneroo" | "fedapay" | "kkiapay" | "paydunya" | "cryptopay" | "stars";

/** One payment, in one vocabulary for all; each provider answers in its own words. */
export type PaymentView = {
  /** Theirs. */
  id: string;
  /** Ours, as they were told it. */
  reference: string | null;
  /** As they write it. */
  amount: number | string;
  currency: string;
  status: "pending" | "paid" | "failed" | "cancelled" | "refunded";
  /** Their hosted page, or what opens it. */
  payUrl: string | null;
  /** Theirs again, where a refund or a notice names the payment otherwise. */
  transactionId: string | null;
};

export type PaymentOutcome = "success" | "failure" | "cancel" | "pending";

/** What the provider's answers will say of a payment in place of the truth; null: the truth again. */
export type AlteredPayment = {
  amount?: number | string | null;
  currency?: string | null;
  /** Empty: the answers name none. */
  reference?: string | null;
  environment?: "live" | "sandbox" | null;
  /** Their word. */
  status?: string | null;
};

/** One that takes money, as the control panel shows it; its latest payments and notices first. */
export type CollectorView = {
  name: CollectorName;
  payments: PaymentView[];
  faults: PaymentRule[];
  notices: NoticeMode;
  told: NoticeView[];
};

/** Providers where a seller opens an account of his own. */
export type MerchantProviderName = Exclude<CollectorName, "stars">;

/** A seller's account at a provider: its keys are the provider's to give, and shown here alone. */
export type MerchantView = {
  provider: MerchantProviderName;
  id: string;
  keys: Record<string, string>;
  noticeUrl: string | null;
};

/** What the control panel does with payments, by provider. */
export type PaymentControlCalls = {
  /** `null`: none any more. */
  setPaymentFault: {
    takes: {
      provider: CollectorName;
      call: PaymentCall;
      kind: PaymentFault | null;
      times?: number;
    };
    gives: CollectorView;
  };
  setPaymentNotices: {
    takes: { provider: CollectorName } & Partial<NoticeMode>;
    gives: CollectorView;
  };
  /** As the customer on the provider's page; `silent` sends no notice. */
  settleCollected: {
    takes: {
      provider: CollectorName;
      paymentId: string;
      outcome: PaymentOutcome;
      silent?: boolean;
    };
    gives: PaymentView;
  };
  /** `announced`: a notice follows, where the provider sends one after the end. */
  alterCollected: {
    takes: { provider: CollectorName; paymentId: string; announced?: boolean } & AlteredPayment;
    gives: PaymentView;
  };
  repeatPaymentNotice: {
    takes: { provider: CollectorName; noticeId: number };
    gives: NoticeView;
  };
  releasePaymentNotices: { takes: { provider: CollectorName }; gives: { released: number } };
  /** A seller opens an account at a provider, then tells it where its notices go. */
  openMerchant: {
    takes: { provider: MerchantProviderName; noticeUrl?: string };
    gives: MerchantView;
  };
  pointMerchant: {
    takes: { provider: MerchantProviderName; merchantId: string; noticeUrl: string };
    gives: MerchantView;
  };
};
