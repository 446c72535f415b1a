import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import { useCallback, useEffect, useRef, useState } from "react";
import { checkoutCopy as copy } from "../features/checkout/messages.fr.ts";
import {
  type PaymentChoice,
  PaymentSheet,
  type PaymentSheetProps,
} from "../features/checkout/payment-sheet.tsx";
import { ask, newIdempotencyKey, RequestError } from "../lib/request.ts";
import { openPaymentPage, useBridge } from "./use-bridge.ts";
import { call, OutsideTelegram } from "./session.ts";

type PayFlowProps = {
  readonly amount: number;
  /** A donation: the donor chooses the amount. */
  readonly gift?: boolean;
  /** The product whose providers are asked for; null: the plan's. */
  readonly reference: string | null;
  /** The list that came with the page: shown at once, and kept when the server does not answer. */
  readonly providers: readonly PaymentProviderOnWire[];
  /** The order that is paid; absent: it is made with its first payment. */
  readonly made?: string;
  /** Providers of the order's earlier payments. */
  readonly tried?: readonly string[];
  /** An earlier payment of the order may have been made: the buyer is warned. */
  readonly mayBePaid?: boolean;
  onOpened(orderId: string): void;
  onClose(): void;
};

const OPEN_TIMEOUT_MS = 30_000;
/** After that the list that came with the page is used. */
const OFFERS_TIMEOUT_MS = 3_000;

/** The checkout: the buyer chooses a provider, the payment opens, and the page follows the order. */
export function PayFlow({ amount, gift, reference, providers, ...props }: PayFlowProps) {
  const { made = null, onOpened, onClose } = props;
  const bridge = useBridge();
  const [offers, setOffers] = useState(providers);
  const [step, setStep] = useState<PaymentSheetProps["state"]>({
    at: "choosing",
    complaint: props.mayBePaid ? copy.paidAlready : null,
  });
  const [tried, setTried] = useState(props.tried ?? []);
  /** The same choice keeps its idempotency key: a retry after a lost answer makes no second order. */
  const intention = useRef<{ readonly says: string; readonly key: string }>(null);
  /** An order whose payment did not open: the next attempt pays the same order by another provider. */
  const waiting = useRef<string | null>(null);

  const refresh = useCallback(() => {
    ask("GET /api/payment-providers", {
      query: reference === null ? { plan: "payant" } : { reference, amount: gift ? amount : "" },
      timeoutMs: OFFERS_TIMEOUT_MS,
    }).then(
      ({ providers: open }) => Array.isArray(open) && setOffers(open),
      () => {},
    );
  }, [reference, gift, amount]);
  useEffect(refresh, [refresh]);

  const pay = async (choice: PaymentChoice) => {
    const { provider, email, phone } = choice;
    setStep({ at: "paying" });
    const says = JSON.stringify([waiting.current, choice]);
    if (intention.current?.says !== says) intention.current = { says, key: newIdempotencyKey() };
    try {
      const sent = { key: intention.current.key, timeoutMs: OPEN_TIMEOUT_MS };
      const customer = { ...(email ? { email } : {}), ...(phone ? { phone } : {}) };
      const body = { provider, ...(email || phone ? { customer } : {}) };
      const id = made ?? waiting.current;
      const order = await (id === null
        ? call("POST /api/orders", {
            ...sent,
            body: { reference: reference ?? undefined, ...(gift ? { amount } : {}), ...body },
          })
        : // One more payment for an order that is not paid.
          call("POST /api/orders/:id/payment", { ...sent, params: { id }, body }));
      intention.current = null;
      waiting.current = order.id;
      if (!order.payment_url) {
        setTried([...tried, provider]);
        return setStep({ at: "choosing", complaint: copy.noUrl });
      }
      onOpened(order.id);
      void openPaymentPage(order.opens, order.payment_url);
    } catch (error) {
      bridge?.haptic("error");
      if (error instanceof RequestError && error.orderId) {
        waiting.current = error.orderId;
        // Of too many attempts the provider was not asked.
        if (error.status !== 429) setTried([...tried, provider]);
      }
      setStep({ at: "choosing", complaint: complaintOf(error, waiting.current !== null) });
      refresh();
    }
  };
  return (
    <PaymentSheet
      amount={amount}
      providers={offers}
      tried={tried}
      state={step}
      onPay={(choice) => void pay(choice)}
      onClose={onClose}
    />
  );
}

function complaintOf(error: unknown, waits: boolean): string {
  if (error instanceof OutsideTelegram) return copy.signInFailed;
  if (!(error instanceof RequestError)) return copy.createFailed;
  return waits ? `${error.message} ${copy.otherWay}` : error.message;
}
