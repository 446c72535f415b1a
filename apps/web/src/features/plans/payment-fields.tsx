import { isEmail, type PaymentProviderOnWire } from "@sesame/contract/checkout";
import { useRef, useState } from "react";
import { call } from "../../lib/api.ts";
import { formatFcfa, listWays } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { sayError } from "../../lib/request.ts";
import { useSession } from "../../lib/session.ts";
import { sayWay } from "../../lib/text.ts";
import { useWrite } from "../../lib/use-write.ts";
import { haptic, openPayment } from "../../telegram/native.ts";
import { Badge, Banner, Button } from "../../kit/button.tsx";
import { TextField } from "../../kit/field.tsx";
import { Text } from "../../kit/layout.tsx";
import { Choices, Form } from "../../kit/use-form.tsx";
import { paymentCopy } from "./messages.fr.ts";
import { Note } from "../../kit/records.tsx";

const copy = paymentCopy.selector;

const PLAN = { plan: "payant" } as const;

/** The ways to pay for the plan that are open now: health and prices in other currencies change. */
export const providersQuery = {
  ...read("GET /api/payment-providers", { query: PLAN, pick: "providers" }),
  refetchInterval: 60_000,
};

/** A payment being prepared at a provider: it is called while the person waits. */
const CREATE_TIMEOUT_MS = 30_000;

type Paid = {
  readonly order: string | null;
  readonly provider: string;
  readonly customer?: { readonly email: string };
};

type PaymentFieldsProps = {
  /** An unpaid order to pay. Absent: a new order, for the plan. */
  readonly order?: string;
  readonly amount: number;
  readonly providers: readonly PaymentProviderOnWire[];
  /** The only provider of this form; absent: the seller chooses one. */
  readonly only?: PaymentProviderOnWire;
  /** With the order's number, once its payment is prepared and opened. */
  onOpened(order: string): void;
};

/** Which way to pay, an e-mail if one wants its receipt, and the button. */
export function PaymentFields(props: PaymentFieldsProps) {
  const { providers, only } = props;
  const live = useSession().at === "live";
  const sole = only ?? (providers.length === 1 ? providers[0] : undefined);
  const [chosen, setChosen] = useState(sole?.id ?? null);
  const [email, setEmail] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  // The same choice made again after a lost answer has the same key, and is the same order.
  const prepare = useWrite(({ order: id, ...paid }: Paid, { key }) => {
    const sent = { key, timeoutMs: CREATE_TIMEOUT_MS };
    return id === null
      ? call("POST /api/orders", { ...sent, body: { ...PLAN, ...paid } })
      : call("POST /api/orders/:id/payment", { ...sent, params: { id }, body: paid });
  });
  /** An order whose payment did not open is paid by the next attempt, by any provider. */
  const made = useRef(props.order ?? null);
  const provider = only ?? providers.find(({ id }) => id === chosen);
  const wantsEmail = provider?.fields.email === "optional";
  const emailWrong = wantsEmail && email.trim() !== "" && !isEmail(email.trim());

  const refuse = (words: string) => {
    haptic("error");
    setComplaint(words);
  };
  const pay = () => {
    if (prepare.isPending) return;
    setComplaint(null);
    if (!live) return refuse(copy.noToken);
    if (!provider) return refuse(copy.missing);
    if (emailWrong) return;
    haptic("light");
    const customer = wantsEmail && email.trim() !== "" ? { customer: { email: email.trim() } } : {};
    const paid = { order: made.current, provider: provider.id, ...customer };
    prepare.mutate(paid, {
      onSuccess: (order) => {
        if (!order.payment_url) return refuse(copy.noUrl);
        openPayment(order.payment_url, order.opens);
        props.onOpened(order.id);
      },
      onError: (error) => {
        made.current = error.orderId ?? made.current;
        refuse(sayError(error, copy.createFailed));
      },
    });
  };
  return (
    <Form onSubmit={pay}>
      {only ? null : (
        <Choices
          legend={copy.methods}
          value={chosen ?? ""}
          disabled={prepare.isPending}
          choices={listWays(providers).map((each) => {
            const [label, rest] = sayWay(each);
            const hint = (
              <>
                {rest || each.description}
                {each.quote ? (
                  <>
                    {" "}
                    · <span>{each.quote.label}</span>
                  </>
                ) : null}{" "}
                {each.disturbed ? <Badge tone="warning">{copy.disturbed}</Badge> : null}
                {each.own ? <Badge tone="accent">{copy.own}</Badge> : null}
              </>
            );
            return { value: each.id, label, hint };
          })}
          onChange={(id) => {
            setChosen(id);
            setComplaint(null);
          }}
        />
      )}
      {!only && provider?.disturbed ? <Banner>{copy.disturbedText}</Banner> : null}
      {wantsEmail ? (
        <TextField
          label={copy.email}
          value={email}
          inputMode="email"
          autoComplete="email"
          hint={copy.emailHint}
          error={emailWrong ? copy.emailWrong : null}
          onChange={setEmail}
        />
      ) : null}
      <Text size="small" tone="brick" strong role="alert">
        {complaint}
      </Text>
      <Button type="submit" busy={prepare.isPending}>
        {only ? copy.payNow : copy.pay(formatFcfa(props.amount))}
      </Button>
      <Note center>{provider?.opens === "invoice" ? copy.invoice : copy.outside}</Note>
    </Form>
  );
}
