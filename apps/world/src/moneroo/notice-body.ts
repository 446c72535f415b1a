import { createHmac } from "node:crypto";
import type { Payment } from "./state.ts";

/** Lower-case hexadecimal HMAC-SHA256 of the raw body. */
export function sign(body: string, secret: string): string {
  return createHmac("sha256", secret).update(body).digest("hex");
}

/** Compact, so that signing the bytes and signing their re-serialisation give the same. */
export function noticeBody(payment: Payment, event: string, unusualSpacing: boolean): string {
  const { customer } = payment;
  const content = {
    event,
    data: {
      id: payment.id,
      amount: payment.amount,
      currency: payment.currency,
      status: payment.status,
      customer: {
        id: customer.id,
        email: customer.email,
        firstName: customer.first_name,
        lastName: customer.last_name,
        phone: payment.phone ?? customer.phone,
      },
    },
  };
  if (!unusualSpacing) return JSON.stringify(content);
  const spaced = JSON.stringify(content, null, 3);
  // Escapes that mean the same: a slash may be written with a backslash, a letter by its number.
  const escaped = spaced.replaceAll("/", "\\/").replace(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return ` ${escaped}\n`;
}
