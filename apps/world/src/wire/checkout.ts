import type { CollectorName } from "./payments.ts";
import type { PaymentStatus } from "./state.ts";

export type CheckoutMethod = {
  code: string;
  name: string;
  /** Empty for what is of no country. */
  country: string;
  dialCode: string;
  /** What this way costs, when that is not the price itself. */
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
  customer: { email: string; firstName: string; lastName: string; phone: string | null };
  methods: CheckoutMethod[];
  method: string | null;
  /** Attempts made so far, failed ones included. */
  attempts: number;
  failureMessage: string | null;
  /** The customer can do no more here. */
  over: boolean;
  /** Where the page goes once the customer is done, with what the provider appends; null: nowhere. */
  returnUrl: string | null;
  /** What a widget tells the page that opened it. */
  told?: Record<string, unknown>;
};

export type CheckoutAction = {
  action: "success" | "fail" | "cancel" | "pending";
  method?: string;
  phone?: string;
  /** Changes the status and sends no notice. */
  silent?: boolean;
};
