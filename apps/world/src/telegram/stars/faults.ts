import type { PaymentCall, PaymentFault, TelegramFault } from "../../wire.ts";

/** Which of a provider's calls a method of the Bot API is. */
const CALLS: Record<string, PaymentCall> = {
  createinvoicelink: "create",
  getstartransactions: "fetch",
  refundstarpayment: "refund",
};

export function starCall(method: string): PaymentCall | null {
  return CALLS[method.toLowerCase()] ?? null;
}

/** A provider's fault in Telegram's words. */
export function asTelegramFault(call: PaymentCall, kind: PaymentFault): TelegramFault {
  const refusal = (code: number, description: string) => ({
    kind: "refusal" as const,
    code,
    description,
  });
  switch (kind) {
    case "timeout-before":
      return { kind: "dropBefore" };
    case "timeout-after":
      return { kind: "dropAfter" };
    case "500":
      return { kind: "serverError" };
    case "500-after":
      return { kind: "serverErrorAfter" };
    case "429":
      return { kind: "tooMany", retryAfterSeconds: 3 };
    case "nonsense":
      return { kind: "nonsense" };
    case "down":
      return refusal(502, "Bad Gateway");
    case "keys":
      return refusal(401, "Unauthorized");
    case "not-found":
      return call === "refund"
        ? refusal(400, "Bad Request: CHARGE_NOT_FOUND")
        : refusal(404, "Not Found");
    case "refuse":
      return refusal(400, `Bad Request: ${REFUSED[call]}`);
  }
}

const REFUSED: Record<PaymentCall, string> = {
  create: "STARS_INVOICE_INVALID",
  fetch: "BOT_ACCESS_FORBIDDEN",
  refund: "BALANCE_TOO_LOW",
};
