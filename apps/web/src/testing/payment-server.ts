import { screen } from "@testing-library/react";
import { vi } from "vitest";
import { exampleOrder, examplePlans, exampleProvider } from "./payment-examples.ts";
import { exampleUser } from "./wire-examples.ts";
import { type Answer, type Asked, answerCalls, good, ok } from "./web-server.ts";

export const USER = { user: exampleUser() };
/** `window.open`, by which a provider's page opens. */
export const open = vi.fn();
export function stubOpening(): void {
  open.mockClear();
  vi.stubGlobal("open", open);
}

export const at = (address: string) => history.replaceState(null, "", address);
export const payButton = () => screen.findByRole("button", { name: /^Payer/ });

/** The provider's payment page. */
export const PAYMENT_PAGE = "https://pay.example/12";

export type PaymentServer = {
  readonly unknown?: boolean;
  readonly providers?: ReturnType<typeof exampleProvider>[];
  pay?(asked: Asked): Answer;
  order?(): Answer;
};

/** Answers the calls of the payment screens. → all calls made */
export function servePayments(server: PaymentServer = {}): Asked[] {
  const providers = server.providers ?? [
    exampleProvider(),
    exampleProvider({
      id: "cryptopay",
      name: "Crypto",
      fields: { email: "none", phone: "none" },
      quote: { currency: "EUR", amount: "7.62", label: "≈ 7,62 €" },
    }),
    exampleProvider({ id: "fedapay", name: "FedaPay", disturbed: true }),
  ];
  return answerCalls((asked) => {
    if (asked.method === "POST") return server.pay?.(asked) ?? preparedOrder("12");
    if (asked.path.startsWith("/api/payment-providers")) return good({ providers });
    if (asked.path === "/api/plans") return ok(examplePlans());
    if (asked.path.startsWith("/api/orders/")) return server.order?.() ?? ok(exampleOrder());
    if (asked.path.startsWith("/api/users/") && !server.unknown) {
      return good({ user: exampleUser() });
    }
    return ok({});
  });
}

/** An order whose payment has begun. */
export function preparedOrder(id: string): Answer {
  const body = { id, status: "pending", amount: 5_000, currency: "XOF", payment_url: PAYMENT_PAGE };
  return { status: 201, body: { ...body, opens: "page" } };
}
