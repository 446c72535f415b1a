import type { MerchantBook } from "../payments/merchants.ts";
import { emptyPayoutBook, type PayoutBook } from "../payouts/state.ts";
import type { AlteredPayment, PaymentStatus } from "../wire.ts";

/** All Moneroo knows; kept in the world's file. Its notices are of payments and payouts alike. */
export type MonerooState = PayoutBook & {
  payments: Map<string, Payment>;
  merchants: MerchantBook<MonerooKeys>;
};

export type MonerooKeys = { secretKey: string; webhookSecret: string };

export type Customer = {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  phone: string | null;
  address: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
  zip: string | null;
};

export type Payment = {
  id: string;
  /** The account, when it is not the app's. */
  account?: string;
  status: PaymentStatus;
  amount: number;
  currency: string;
  description: string;
  returnUrl: string;
  customer: Customer;
  metadata: Record<string, string>;
  /** Codes offered on the page. */
  methods: string[];
  createdAtMs: number;
  processedAtMs: number | null;
  method: string | null;
  phone: string | null;
  attempts: number;
  failureMessage: string | null;
  told?: AlteredPayment;
};

export function emptyMoneroo(): MonerooState {
  return { payments: new Map(), merchants: new Map(), ...emptyPayoutBook() };
}
