import { type StaffOrderOnWire, MISMATCH_OUTCOMES } from "@sesame/contract/refunds";
import { Badge, Banners } from "../../kit/button.tsx";
import { Page, Screen } from "../../kit/screen.tsx";
import { FactGrid, Records, Table } from "../../kit/record-list.tsx";
import { joined, Rows } from "../../kit/records.tsx";
import { Cell, Section } from "../../kit/layout.tsx";
import { act, Acts } from "../../kit/use-action.tsx";
import { formatFcfa, formatInstant } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { complaintRow } from "./cases.tsx";
import { names, quoted } from "./messages.fr.ts";
import { buyersCopy } from "./people-messages.fr.ts";
import { refundCard } from "./refunds.tsx";
import { LOOK_AGAIN_MS, reason, TONES, toneOf } from "./use-staff.ts";

const copy = buyersCopy.sheet;

/** Everything about one order: its payments, its access, its money, its complaints, its history. */
export function Order({ id }: { id: string }) {
  return (
    <Screen
      of={read("GET /api/desk/orders/:id", { params: { id }, pick: "order" })}
      every={LOOK_AGAIN_MS}
      title={names.orderOf(id)}
      missing={copy.missing}
      back={{ label: copy.back, href: "/bureau/recherche" }}
    >
      {(order) => <Shown order={order} />}
    </Screen>
  );
}

function Shown({ order }: { order: StaffOrderOnWire }) {
  const { seller, buyer, access } = order;
  const booked = seller !== null && !order.direct;
  const until = access ? access.ends_at : order.access_until;
  return (
    <Page
      title={names.orderOf(order.id)}
      subtitle={
        <>
          <Badge tone={TONES[order.status]}>{order.status_label}</Badge> {order.title}
        </>
      }
    >
      <Banners
        of={[
          order.direct && ["accent", "info", copy.direct],
          order.taken_back && ["warning", "warning", copy.takenBack],
        ]}
      />
      <Section>
        <FactGrid
          facts={[
            [names.kind, order.kind_label],
            [names.amount, formatFcfa(order.amount)],
            [names.fee, booked && formatFcfa(order.fee)],
            [names.net, booked && formatFcfa(order.net)],
            [names.buyer, buyer.username ? `${buyer.name} (@${buyer.username})` : buyer.name],
            [names.group, order.group?.name],
            [names.created, formatInstant(order.created_at)],
            [names.paid, order.paid_at && formatInstant(order.paid_at)],
            [names.access, access?.status_label],
            [names.until, until && formatInstant(until)],
          ]}
        />
        {seller ? (
          <Cell
            icon="user"
            title={seller.name}
            subtitle={copy.sellerSheet}
            href={`/bureau/vendeurs/${seller.id}`}
          />
        ) : null}
      </Section>
      <Rows title={names.payments} none={copy.noPayment}>
        {order.payments.map((payment) => (
          <Payment key={payment.id} payment={payment} />
        ))}
      </Rows>
      <Records title={names.refunds} of={order.refunds.map(refundCard)} />
      <Table title={names.complaints} rows={order.complaints.map(complaintRow)} />
      <Acts of={refundOrder(order)} />
      <Rows title={copy.lines} none={copy.noLine}>
        {order.lines.map((line) => (
          <Cell
            key={`${line.transfer} ${line.label}`}
            title={line.label}
            subtitle={`${line.transfer} · ${sayShortInstant(line.at)}`}
            after={formatFcfa(line.amount)}
          />
        ))}
      </Rows>
      <Rows title={names.whatWasDone} none={copy.noTrace}>
        {order.trace.map((step) => (
          <Cell
            key={`${step.at} ${step.label}`}
            title={step.label}
            subtitle={joined(step.by, quoted(step.reason))}
            after={sayShortInstant(step.at)}
          />
        ))}
      </Rows>
    </Page>
  );
}

/** The operator's refund: the platform advances what the seller lacks (decision 83). */
export function refundOrder(order: StaffOrderOnWire) {
  const { kind, net, seller_available: available } = order;
  const lacking = order.direct || available === null ? 0 : Math.max(0, net - available);
  return act("POST /api/desk/orders/:id/refund", {
    params: { id: order.id },
    button: copy.refund,
    look: "danger-tinted",
    may: order.may.refund,
    title: copy.refundTitle,
    text: order.taken_back
      ? copy.takenBackText(order.provider_name, kind)
      : copy.refundText(formatFcfa(order.amount), kind),
    about: (
      <Banners of={[lacking > 0 && ["warning", "warning", copy.advance(formatFcfa(lacking))]]} />
    ),
    fields: { reason: reason(names.reasonForBoth) },
  });
}

/** One payment at a provider; for the operator, of a payment that does not match the order: three ways out. */
function Payment({ payment }: { payment: StaffOrderOnWire["payments"][number] }) {
  const { received } = payment;
  const words = copy.decide;
  return (
    <>
      <Cell
        title={`${payment.provider_name} · ${formatFcfa(payment.amount)}`}
        subtitle={joined(
          payment.own && copy.own,
          payment.quote_label,
          payment.transaction_id ?? payment.provider_payment_id,
          received !== null && copy.received(formatFcfa(received)),
          payment.suspended > 0 && copy.suspended(formatFcfa(payment.suspended)),
          sayShortInstant(payment.created_at),
        )}
        after={<Badge tone={toneOf(payment.status)}>{payment.status_label}</Badge>}
      />
      <Acts
        size="small"
        of={
          payment.may_decide &&
          act("POST /api/desk/payments/:id/decide", {
            params: { id: payment.id },
            button: words.button,
            look: "tinted",
            title: words.title,
            text: words.text,
            confirm: words.confirm,
            fields: {
              outcome: {
                kind: "choices",
                label: names.decision,
                required: true,
                choices: MISMATCH_OUTCOMES.map((value) => ({
                  value,
                  label: words[value],
                  hint: words[`${value}Hint`],
                })),
              },
              amount: {
                kind: "number",
                label: words.amount,
                hint: received === null ? words.amountHint : words.amountReportedHint,
                required: true,
                pattern: /^\d{1,9}$/,
                max: 12,
                initial: received === null ? "" : String(received),
              },
              reason: reason(names.seen),
            },
            body: ({ outcome, amount, reason: why }) => ({
              outcome,
              reason: why.trim(),
              // The amount on the operator's screen: the provider may report another one meanwhile.
              montant: Number(amount.replaceAll(/\s/g, "")),
            }),
          })
        }
      />
    </>
  );
}
