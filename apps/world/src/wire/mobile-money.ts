/** A mobile-money account: a number at an operator, and who holds it. */
export type WalletView = {
  /** E.164. */
  phone: string;
  personId: number | null;
  /** One of the fifteen methods: `orange-money-ci`, … */
  network: string;
  balance: number;
};

/** What an operator writes to the holder of a number. */
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
  /** The operator's, unique. */
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

export type SentMoney = {
  reference: string;
  amount: number;
  phone: string;
  network: string;
  /** Of the holder, if the operator knows him. */
  name: string | null;
  balance: number;
  sentAt: string;
};
