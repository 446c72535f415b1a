import type { PaymentStatus } from "./state.ts";

export type CheckoutMethod = {
  code: string;
  name: string;
  country: string;
  dialCode: string;
  iconUrl: string;
};

export type CheckoutView = {
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
  /** Where the page goes once the customer is done, paymentId and paymentStatus appended. */
  returnUrl: string;
};

export type CheckoutAction = {
  action: "success" | "fail" | "cancel" | "pending";
  method?: string;
  phone?: string;
  /** Changes the status and sends no notice. */
  silent?: boolean;
};
