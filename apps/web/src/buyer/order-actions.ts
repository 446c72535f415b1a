import type { OrderAnswer } from "@sesame/contract/checkout";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import type { OrderState } from "../features/checkout/order-state.ts";
import type { StatusAction } from "../features/checkout/order-status.tsx";
import { type BuyerView, openProduct } from "./page.ts";
import { openInTelegram, openPaymentPage } from "./use-bridge.ts";

const copy = checkoutCopy.status;

export type OrderMoves = {
  go(view: BuyerView): void;
  readonly back: (() => void) | null;
  again(): void;
  choosePayment(): void;
  complain(): void;
};

/** The next steps of an order, the likeliest first: there is always one. */
export function actionsOf(
  state: OrderState,
  order: OrderAnswer | null,
  moves: OrderMoves,
): StatusAction[] {
  if (!order) return [{ label: checkoutCopy.retry, onPress: moves.again }];
  const steps = stepsOf(state, order, moves);
  // A plan and a trial are bought from the sellers' area.
  const last: StatusAction = order.seller
    ? { label: copy.myAccesses, quiet: true, onPress: () => moves.go({ at: "accesses" }) }
    : {
        label: checkoutCopy.toSellerHome,
        quiet: true,
        onPress: () => location.assign(`/IndexEspace${location.hash}`),
      };
  const [kind] = order.may_complain;
  if (!kind || state.at === "unpaid") return [...steps, last];
  return kind === "paid-not-confirmed"
    ? [...steps, { label: checkoutCopy.nothingComes, quiet: true, onPress: moves.complain }, last]
    : [...steps, last, { label: checkoutCopy.problem, plain: true, onPress: moves.complain }];
}

function stepsOf(state: OrderState, order: OrderAnswer, moves: OrderMoves): StatusAction[] {
  const { payment_url: url, opens, reference } = order;
  // A trial tests the keys of one provider: no other provider can be chosen.
  const choose = (label: string, quiet: boolean): StatusAction[] =>
    order.kind === "trial" ? [] : [{ label, quiet, onPress: moves.choosePayment }];
  switch (state.at) {
    case "unpaid":
      return choose(checkoutCopy.chooseTitle, false);
    case "pending": {
      const reopen = {
        label: opens === "invoice" ? checkoutCopy.reopenInvoice : checkoutCopy.reopenPayment,
        quiet: true,
        onPress: () => void openPaymentPage(opens ?? "page", url ?? ""),
      };
      const change = choose(checkoutCopy.changeWay, true);
      return url === null ? change : [reopen, ...change];
    }
    case "failed":
      return choose(copy.tryAgain, false);
    case "waiting":
      return [{ label: copy.join, onPress: () => void openInTelegram(state.inviteLink) }];
    case "ended":
      return reference === null
        ? []
        : [{ label: checkoutCopy.renew, onPress: moves.back ?? (() => openProduct(reference)) }];
    case "bought":
      // A plan and a trial have no product.
      return reference === null
        ? []
        : [
            {
              label: checkoutCopy.donation.again,
              quiet: true,
              onPress: () => openProduct(reference),
            },
          ];
    default:
      return [];
  }
}
