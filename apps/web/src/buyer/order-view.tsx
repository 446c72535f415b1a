import type { OrderAnswer } from "@sesame/contract/checkout";
import { useEffect, useRef, useState } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { type OrderState, stateOfOrder } from "../features/checkout/order-state.ts";
import { OrderStatus, type StatusAction } from "../features/checkout/order-status.tsx";
import { NoticePage } from "../features/checkout/product-page.tsx";
import { useOrder } from "../features/checkout/use-order.ts";
import { RequestError } from "../lib/request.ts";
import { OrderParts } from "./order-parts.tsx";
import { rememberOrder } from "./last-order.ts";
import { botLink, openProduct, type Place } from "./page.ts";
import { PayFlow } from "./pay-flow.tsx";
import { openInTelegram, openPaymentPage, useBridge } from "./use-bridge.ts";
import { call, OutsideTelegram, real } from "./session.ts";

const copy = checkoutCopy.status;

type OrderViewProps = Place & {
  /** The order's number; when `ours` is false, any identifier of its payment. */
  readonly name: string;
  readonly ours: boolean;
};

/** The order as its buyer sees it: its state until the end, and the next step. */
export function OrderView({ page, name, ours, back, go }: OrderViewProps) {
  const bridge = useBridge(back);
  const [open, setOpen] = useState<"none" | "payment" | "complaint">("none");
  const number = useRef(ours ? name : null);
  const { order, failure, late, again } = useOrder({
    first: null,
    read: async () => {
      const id = number.current;
      const found = real(
        await (id
          ? call("GET /api/orders/:id", { params: { id } })
          : // By our number or the provider's name for a payment (decision 57).
            call("POST /api/transactions", { body: { paymentId: name } })),
      );
      number.current = found.id;
      return found;
    },
    stateOf: stateOfOrder,
  });
  const state = stateNow(order, failure);
  useEffect(() => {
    if (state.at === "waiting" || state.at === "inside") bridge?.haptic("success");
    if (state.at === "failed") bridge?.haptic("error");
  }, [bridge, state.at]);

  if (!order && !isPassing(failure)) {
    const outside = failure instanceof OutsideTelegram;
    return (
      <NoticePage
        title={outside ? checkoutCopy.insideOnlyTitle : checkoutCopy.orderMissingTitle}
        text={outside ? checkoutCopy.insideOnlyText : checkoutCopy.orderMissingText}
        botLink={botLink(page)}
      />
    );
  }
  const close = () => setOpen("none");
  const actions = actionsOf(state, order, { go, back, again, open: setOpen });
  return (
    <>
      <OrderStatus
        state={state}
        facts={{ id: order?.id ?? "", title: order?.title ?? "", amount: order?.amount ?? 0 }}
        actions={actions}
        late={late}
      >
        {order ? (
          <OrderParts
            order={order}
            bridge={bridge}
            complaining={open === "complaint"}
            onChanged={again}
            onComplaintClosed={close}
          />
        ) : null}
      </OrderStatus>
      {order && open === "payment" ? (
        <PayFlow
          amount={order.amount}
          gift={order.kind === "donation"}
          reference={order.reference}
          providers={page.providers}
          made={order.id}
          tried={order.payments.map(({ provider }) => provider)}
          mayBePaid={state.at === "pending"}
          onOpened={(orderId) => {
            if (order.reference) rememberOrder(order.reference, orderId);
            close();
            again();
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

type Moves = Pick<Place, "go" | "back"> & {
  again(): void;
  open(sheet: "payment" | "complaint"): void;
};

/** The next steps of an order, the likeliest first: there is always one. */
function actionsOf(state: OrderState, order: OrderAnswer | null, moves: Moves): StatusAction[] {
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
    ? [
        ...steps,
        { label: checkoutCopy.nothingComes, quiet: true, onPress: () => moves.open("complaint") },
        last,
      ]
    : [
        ...steps,
        last,
        { label: checkoutCopy.problem, plain: true, onPress: () => moves.open("complaint") },
      ];
}

function stepsOf(state: OrderState, order: OrderAnswer, moves: Moves): StatusAction[] {
  const { payment_url: url, opens, reference } = order;
  // A trial tests the keys of one provider: no other provider can be chosen.
  const choose = (label: string, quiet: boolean): StatusAction[] =>
    order.kind === "trial" ? [] : [{ label, quiet, onPress: () => moves.open("payment") }];
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
    case "paused":
    case "waiting": {
      const { inviteLink: link } = state;
      return link === null ? [] : [{ label: copy.join, onPress: () => void openInTelegram(link) }];
    }
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

function stateNow(order: OrderAnswer | null, failure: unknown): OrderState {
  if (order) return stateOfOrder(order);
  return { at: failure === null ? "loading" : "error" };
}

/** An outage may end; a refusal does not change. */
function isPassing(failure: unknown): boolean {
  if (failure instanceof OutsideTelegram) return false;
  return !(failure instanceof RequestError && [401, 403, 404, 422].includes(failure.status));
}
