import { textOf } from "@sesame/kernel";
import { NotPossible } from "../../telegram/api-error.ts";
import { asForm } from "../create.ts";
import type { FedapayCollect } from "./collect.ts";
import { readTransaction } from "./create.ts";
import type { Transaction } from "./state.ts";

/** What the frame of checkout.js asks by the public key: a transaction by its id, or a new one. */
export function openWidget(
  collect: FedapayCollect,
  body: unknown,
): { token: string; transaction: object } {
  const { publicKey, id, amount, description, customer, metadata } = asForm(body);
  const key = textOf(publicKey);
  if (id !== undefined) {
    const known = collect.byId(key, textOf(id));
    if (known === undefined) throw new NotPossible(`no transaction ${textOf(id)}`);
    return shown(known);
  }
  const given = {
    amount,
    description: description ?? "FedaPay",
    currency: { iso: "XOF" },
    customer,
    custom_metadata: metadata,
  };
  const read = readTransaction(given, () => false);
  if (!read.ok) throw new NotPossible(`not a payment: ${Object.keys(read.errors).join(", ")}`);
  return shown(collect.openInBrowser(key, read.given));
}

function shown({ token, id, reference, status, amount }: Transaction) {
  return { token, transaction: { id, reference, status, amount } };
}
