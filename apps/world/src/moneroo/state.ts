import type { NoticeView, PaymentStatus } from "../wire.ts";

/** All Moneroo knows; kept in the world's file. */
export type MonerooState = {
  payments: Map<string, Payment>;
  /** The oldest finished ones are forgotten. */
  notices: Notice[];
  nextNoticeId: number;
};

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
};

export type Notice = {
  id: number;
  event: string;
  paymentId: string;
  /** Exactly the bytes that are signed and sent. */
  body: string;
  signature: string;
  state: NoticeView["state"];
  tries: number;
  lastAnswer: string | null;
  dueAtMs: number;
};

export function emptyMoneroo(): MonerooState {
  return { payments: new Map(), notices: [], nextNoticeId: 1 };
}
