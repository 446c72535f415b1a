import type { Invoice } from "./state.ts";

export type NewInvoice = Pick<
  Invoice,
  "amount" | "description" | "items" | "storeName" | "customData" | "actions" | "customer"
>;

type Read = { ok: true; given: NewInvoice } | { ok: false; code: string; text: string };

/** Reads `POST /checkout-invoice/create` (payment-providers.md §7.2). */
export function readCheckoutInvoice(body: unknown): Read {
  const form = asForm(body);
  const invoice = asForm(form.invoice);
  const store = asForm(form.store);
  const actions = asForm(form.actions);
  const amount = Number(invoice.total_amount);
  if (!Number.isInteger(amount) || amount < 1) {
    return refused("4002", "Invalid total_amount: it must be a number greater than zero.");
  }
  const storeName = textOf(store.name);
  if (storeName === null) return refused("4002", "The store name is required.");
  const addresses = {
    callback_url: textOf(actions.callback_url),
    return_url: textOf(actions.return_url),
    cancel_url: textOf(actions.cancel_url),
  };
  const wrong = Object.entries(addresses).find(([, url]) => url !== null && !URL.canParse(url));
  if (wrong !== undefined) return refused("4002", `The ${wrong[0]} must be a valid URL.`);
  const customer = asForm(invoice.customer);
  return {
    ok: true,
    given: {
      amount,
      description: textOf(invoice.description) ?? "",
      items: asForm(invoice.items),
      storeName,
      customData: asForm(form.custom_data),
      actions: addresses,
      customer: {
        name: textOf(customer.name) ?? "",
        email: textOf(customer.email) ?? "",
        phone: textOf(customer.phone) ?? "",
      },
    },
  };
}

/** PHP writes an empty map as an empty list, and takes it back. */
function asForm(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function refused(code: string, text: string): Read {
  return { ok: false, code, text };
}
