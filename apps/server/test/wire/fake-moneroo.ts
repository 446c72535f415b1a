import { createHmac } from "node:crypto";
import { setTimeout as pace } from "node:timers/promises";
import { listenFake, readBody, sendFake } from "./fake-http.ts";

export type FakePayment = {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: unknown;
  readonly returnUrl: string;
  readonly customer: Readonly<Record<string, unknown>>;
  status: string;
};

/** In what a stranger's emulator may differ from ours. */
export type MonerooHabits = {
  readonly createdStatus: number;
  /** The `data` of an answer to verify. */
  shape(payment: FakePayment): unknown;
};

export const MONEROO_LIKE: MonerooHabits = {
  createdStatus: 201,
  shape: ({ id, status, amount, currency, metadata }) => ({
    id,
    status,
    amount,
    currency: { code: currency, name: "CFA Franc BCEAO" },
    environment: "sandbox",
    metadata,
  }),
};

export type Ask = { readonly id: string; readonly at: number };

export type FakeMoneroo = {
  readonly root: string;
  readonly payments: Map<string, FakePayment>;
  /** Each question, with the machine's time in milliseconds. */
  readonly asks: Ask[];
  /** What is answered in place of everything, while it is set. */
  trouble: { status: number; body: unknown } | null;
  habits: MonerooHabits;
  /** How long each answer takes. */
  delayMs: number;
  onCall(listener: () => void): void;
  close(): Promise<void>;
};

/** Two calls of Moneroo's, from the reference alone. */
export async function startFakeMoneroo(habits: MonerooHabits): Promise<FakeMoneroo> {
  const payments = new Map<string, FakePayment>();
  const asks: Ask[] = [];
  const listeners: (() => void)[] = [];
  const state = { habits, delayMs: 0, trouble: null as FakeMoneroo["trouble"] };
  const server = await listenFake(async (request, response) => {
    const text = await readBody(request);
    for (const listener of listeners) listener();
    if (state.delayMs > 0) await pace(state.delayMs);
    if (state.trouble) return sendFake(response, state.trouble);
    if (request.method === "POST" && request.url === "/v1/payments/initialize") {
      const payment = paymentOf(payments.size, JSON.parse(text) as Initialize);
      payments.set(payment.id, payment);
      const checkout_url = `http://checkout.invalid/${payment.id}`;
      const body = { message: "ok", data: { id: payment.id, checkout_url } };
      return sendFake(response, { status: state.habits.createdStatus, body });
    }
    const [, id = ""] = /^\/v1\/payments\/([^/]+)\/verify$/.exec(request.url ?? "") ?? [];
    asks.push({ id, at: Date.now() });
    const payment = payments.get(id);
    if (!payment) return sendFake(response, { status: 404, body: { message: "Not found" } });
    sendFake(response, { status: 200, body: { message: "ok", data: state.habits.shape(payment) } });
  });
  return {
    root: server.root,
    payments,
    asks,
    get trouble() {
      return state.trouble;
    },
    set trouble(trouble) {
      state.trouble = trouble;
    },
    get habits() {
      return state.habits;
    },
    set habits(next) {
      state.habits = next;
    },
    get delayMs() {
      return state.delayMs;
    },
    set delayMs(ms) {
      state.delayMs = ms;
    },
    onCall: (listener) => void listeners.push(listener),
    close: server.close,
  };
}

type Initialize = {
  readonly amount: number;
  readonly currency: string;
  readonly metadata: unknown;
  readonly return_url: string;
  readonly customer: Readonly<Record<string, unknown>>;
};

function paymentOf(count: number, asked: Initialize): FakePayment {
  return {
    id: `py_fake${String(count).padStart(8, "0")}`,
    amount: asked.amount,
    currency: asked.currency,
    metadata: asked.metadata,
    returnUrl: asked.return_url,
    customer: asked.customer,
    status: "initiated",
  };
}

export function signNotice(body: string | Uint8Array, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}
