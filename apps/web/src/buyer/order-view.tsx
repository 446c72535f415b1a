import type { OrderAnswer } from "@sesame/contract/checkout";
import { useEffect, useRef, useState } from "react";
import { checkoutCopy } from "../features/checkout/messages.fr.ts";
import { type OrderState, stateOfOrder } from "../features/checkout/order-state.ts";
import { OrderStatus, type StatusAction } from "../features/checkout/order-status.tsx";
import { NoticePage } from "../features/checkout/product-page.tsx";
import { useOrder } from "../features/checkout/use-order.ts";
import styles from "../kit/buyer.module.css";
import { RequestError } from "../lib/request.ts";
import type { Bridge } from "../telegram/bridge.ts";
import { rememberOrder } from "./last-order.ts";
import { openProduct, type Place } from "./page.ts";
import { PayFlow } from "./pay-flow.tsx";
import { openInTelegram, openPaymentPage, useBridge } from "./use-bridge.ts";
import { usePart } from "./use-part.ts";
import { call, OutsideTelegram, real } from "./session.ts";

const copy = checkoutCopy.status;

const loadCare = () => import("../features/checkout/order-care.tsx");
const loadNumber = () => import("../features/checkout/refund-number.tsx");
const loadComplaint = () => import("../features/checkout/complaint-sheet.tsx");

type OrderViewProps = Place & {
  /** The order's number; when `ours` is false, any identifier of its payment. */
  readonly name: string;
  readonly ours: boolean;
};

/** The order as its buyer sees it: its state until the end, and the next step. */
export function OrderView({ page, name, ours, back, go }: OrderViewProps) {
  const bridge = useBridge(back);
  const [open, setOpen] = useState<"none" | "payment" | "complaint">("none");
  const known = useRef(ours ? name : null);
  const { order, failure, late, again } = useOrder({
    first: null,
    read: async () => {
      const id = known.current;
      const found = real(
        await (id
          ? call("GET /api/orders/:id", { params: { id } })
          : // By our number or the provider's name for a payment (decision 57).
            call("POST /api/transactions", { body: { paymentId: name } })),
      );
      known.current = found.id;
      return found;
    },
    stateOf: stateOfOrder,
  });
  const state: OrderState = order
    ? stateOfOrder(order)
    : { at: failure === null ? "loading" : "error" };
  useEffect(() => {
    if (state.at === "waiting" || state.at === "inside") bridge?.haptic("success");
    if (state.at === "failed") bridge?.haptic("error");
  }, [bridge, state.at]);
  const refund = order?.refund;
  const asksNumber = refund?.status === "numero_attendu";
  const care = usePart(Boolean(refund ?? order?.complaint), loadCare);
  const number = usePart(asksNumber, loadNumber);
  const complaint = usePart(open === "complaint", loadComplaint);

  if (!order && !isPassing(failure)) {
    const outside = failure instanceof OutsideTelegram;
    return (
      <NoticePage
        title={outside ? checkoutCopy.insideOnlyTitle : checkoutCopy.orderMissingTitle}
        text={outside ? checkoutCopy.insideOnlyText : checkoutCopy.orderMissingText}
        page={page}
      />
    );
  }
  const close = () => setOpen("none");
  const actions = actionsOf(state, order, { go, back, again, open: setOpen });
  const params = { id: order?.id ?? "" };
  return (
    <>
      <OrderStatus
        state={state}
        facts={{ id: order?.id ?? "", title: order?.title ?? "", amount: order?.amount ?? 0 }}
        actions={actions}
        late={late}
      >
        {order ? (
          <>
            {order.paid_twice && !refund ? <PaidTwice /> : null}
            {care ? (
              <care.OrderCare order={order} onChanged={again}>
                {number && asksNumber ? (
                  <number.RefundNumber
                    send={(body) =>
                      call("POST /api/orders/:id/refund-number", { params, body }).then(again)
                    }
                  />
                ) : null}
              </care.OrderCare>
            ) : null}
            {complaint && open === "complaint" ? (
              <complaint.ComplaintSheet
                kinds={order.may_complain}
                send={(body) =>
                  call("POST /api/orders/:id/complaint", { params, body }).then(again)
                }
                onClose={close}
              />
            ) : null}
            <WriteAccess bridge={bridge} needed={order.seller !== null && !order.bot_can_write} />
          </>
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

/** Without write access the bot cannot send the receipt nor the link (decision 100). */
function WriteAccess({ bridge, needed }: { bridge: Bridge | null; needed: boolean }) {
  const [allowed, setAllowed] = useState(false);
  if (!bridge || !needed || allowed) return null;
  return (
    <section className={styles.card}>
      <div>
        <h2>{copy.writeAccessTitle}</h2>
        <p>{copy.writeAccessText}</p>
      </div>
      <button
        type="button"
        className={styles.quiet}
        onClick={() => void bridge.requestWriteAccess().then(setAllowed)}
      >
        {copy.writeAccess}
      </button>
    </section>
  );
}

/** An order was paid twice: the second payment is refunded. Shown to the buyer and to any visitor. */
export function PaidTwice() {
  return (
    <section className={styles.card}>
      <h2>{copy.twiceTitle}</h2>
      <p>{copy.twiceText}</p>
    </section>
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
  const onPress = () => moves.open("complaint");
  return kind === "paid-not-confirmed"
    ? [...steps, { label: checkoutCopy.nothingComes, quiet: true, onPress }, last]
    : [...steps, last, { label: checkoutCopy.problem, plain: true, onPress }];
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
      const change = choose(checkoutCopy.changeWay, true);
      if (url === null) return change;
      const label = opens === "invoice" ? checkoutCopy.reopenInvoice : checkoutCopy.reopenPayment;
      return [{ label, quiet: true, onPress: () => void openPaymentPage(opens, url) }, ...change];
    }
    case "failed":
      return choose(copy.tryAgain, false);
    case "paused":
    case "waiting": {
      const { inviteLink: link } = state;
      return link === null ? [] : [{ label: copy.join, onPress: () => void openInTelegram(link) }];
    }
    case "ended":
    case "bought": {
      // A plan and a trial have no product.
      if (reference === null) return [];
      const onPress = () => openProduct(reference);
      return state.at === "ended"
        ? [{ label: checkoutCopy.renew, onPress: moves.back ?? onPress }]
        : [{ label: checkoutCopy.donation.again, quiet: true, onPress }];
    }
    default:
      return [];
  }
}

/** An outage may end; a refusal does not change. */
function isPassing(failure: unknown): boolean {
  if (failure instanceof OutsideTelegram) return false;
  return !(failure instanceof RequestError && [401, 403, 404, 422].includes(failure.status));
}
