import type { DeskOrderOnWire } from "@sesame/contract/refunds";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { buyersCopy } from "../people-messages.fr.ts";
import { DecidePayment } from "./decide-payment.tsx";

const copy = buyersCopy.sheet;

const PAYMENT_TONES: Readonly<Record<string, BadgeTone>> = {
  pending: "accent",
  paid: "positive",
  refused: "danger",
  mismatched: "danger",
};

/** Each try at each provider. */
export function OrderPayments({ order }: { order: DeskOrderOnWire }) {
  return (
    <Section title={copy.payments}>
      {order.payments.length === 0 ? <Cell title={copy.noPayment} /> : null}
      <ul>
        {order.payments.map((payment) => (
          <li key={payment.id}>
            <Cell
              title={`${payment.provider_name} · ${formatFcfa(payment.amount)}`}
              subtitle={[
                payment.own ? copy.own : null,
                payment.quote_label,
                payment.transaction_id ?? payment.provider_payment_id,
                payment.received === null ? null : copy.received(formatFcfa(payment.received)),
                payment.suspended > 0 ? copy.suspended(formatFcfa(payment.suspended)) : null,
                sayShortInstant(payment.created_at),
              ]
                .filter(Boolean)
                .join(" · ")}
              after={
                <Badge tone={PAYMENT_TONES[payment.status] ?? "neutral"}>
                  {payment.status_label}
                </Badge>
              }
            />
            {payment.may_decide ? <DecidePayment payment={payment} /> : null}
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** Its lines in the books. */
export function OrderLines({ order }: { order: DeskOrderOnWire }) {
  return (
    <Section title={copy.lines}>
      {order.lines.length === 0 ? <Cell title={copy.noLine} /> : null}
      <ul>
        {order.lines.map((line) => (
          <li key={`${line.transfer} ${line.label}`}>
            <Cell
              title={line.label}
              subtitle={`${line.transfer} · ${sayShortInstant(line.at)}`}
              after={formatFcfa(line.amount)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** What people did about it. */
export function OrderTrace({ order }: { order: DeskOrderOnWire }) {
  return (
    <Section title={copy.trace}>
      {order.trace.length === 0 ? <Cell title={copy.noTrace} /> : null}
      <ul>
        {order.trace.map((step) => (
          <li key={`${step.at} ${step.label}`}>
            <Cell
              title={step.label}
              subtitle={[step.by, step.reason ? `« ${step.reason} »` : null]
                .filter(Boolean)
                .join(" · ")}
              after={sayShortInstant(step.at)}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
