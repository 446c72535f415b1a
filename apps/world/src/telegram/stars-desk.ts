import { type PaymentDesk, paymentDesk } from "../kit/payments.ts";
import { noticeView } from "../kit/webhooks.ts";
import { NotPossible } from "./api-error.ts";
import { invoiceLink } from "./stars.ts";
import type { Invoice } from "./state.ts";
import type { Town } from "./town.ts";
import type { PaymentOutcome, PaymentView } from "../wire.ts";

/** Payments in Stars as tests and the control panel hold them: a payment here is an invoice. */
export function starDesk(town: Town, payer: () => number): PaymentDesk {
  const { stars } = town;
  const book = town.state.stars;
  return paymentDesk<Invoice>({
    name: "stars",
    payments: () => book.invoices.values(),
    view: (invoice) => starPaymentView(town, invoice),
    settle(invoice, outcome, { personId = payer(), silent = false }) {
      settle(town, { invoice, outcome, personId, silent });
    },
    faults: stars.faults,
    notices: {
      notices: stars.notices,
      noticeViews: () => book.notices.map(noticeView),
      repeatNotice(id) {
        const notice = stars.repeat(id);
        return notice === null ? null : noticeView(notice);
      },
      releaseNotices: () => stars.release(),
    },
    changed: town.changed,
  });
}

/** Of a failure and of a sheet put away the bot hears nothing, as in Telegram. */
function settle(
  town: Town,
  how: { invoice: Invoice; outcome: PaymentOutcome; personId: number; silent: boolean },
): void {
  const { invoice, outcome, personId, silent } = how;
  const { slug, amount } = invoice;
  if (outcome === "success") {
    const lacks = amount - town.stars.wallet(personId);
    if (lacks > 0) town.stars.setWallet(personId, amount);
    // Ends when the bot has been asked: `list` tells how.
    void town.stars.pay(personId, slug, { silent });
  } else if (invoice.chargeIds.length > 0) throw new NotPossible("already paid");
  else invoice.status = WORDS[outcome];
}

const WORDS = { failure: "failed", cancel: "cancelled", pending: "pending" } as const;

export function starPaymentView(town: Town, invoice: Invoice): PaymentView {
  const { slug, payload, amount, chargeIds } = invoice;
  const charges = chargeIds.flatMap((id) => town.state.stars.charges.get(id) ?? []);
  const kept = charges.some(({ refunded }) => !refunded);
  // Once paid it stays so, whatever becomes of a further try.
  const status = charges.length === 0 ? invoice.status : kept ? "paid" : "refunded";
  return {
    id: slug,
    // What the app wrote before its reference, if anything, ends with one of these.
    reference: payload.split(/[\s:/]/).at(-1) ?? payload,
    amount,
    currency: "XTR",
    status,
    payUrl: invoiceLink(slug),
    transactionId: charges.at(-1)?.id ?? null,
  };
}
