import type { OrderAnswer } from "@sesame/contract/checkout";
import { useLocation } from "wouter";
import { formatDay, formatFcfa } from "../../../lib/format.ts";
import { useUser } from "../../../lib/use-seller.ts";
import { openTelegramLink } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { Facts } from "../../../kit/facts.tsx";
import { Stack } from "../../../kit/layout.tsx";
import { Section } from "../../../kit/section.tsx";
import { openPayment } from "../../../telegram/open-payment.ts";
import { paymentCopy } from "../messages.fr.ts";
import { StatusCard, type StatusTone } from "./status-card.tsx";

const copy = paymentCopy.status;

/** An order as it stands: its answer, the next step, and what was tried. */
export function OrderCard(props: { order: OrderAnswer; late: boolean; onChange(): void }) {
  const { order } = props;
  const user = useUser();
  const { tone, title, text } = describe(order, user?.premium_until ?? null);
  return (
    <>
      <StatusCard
        tone={tone}
        title={title}
        text={text}
        note={order.paid_twice ? copy.paidTwice : props.late ? copy.late : null}
      >
        <Actions order={order} onChange={props.onChange} />
      </StatusCard>
      <Section>
        <Stack pad>
          <Facts
            facts={[
              [copy.amount, formatFcfa(order.amount), true],
              [copy.order, `${order.title} ${copy.number(order.id)}`],
              [tryName(order), sayTries(order)],
            ]}
          />
        </Stack>
      </Section>
    </>
  );
}

type Described = { readonly tone: StatusTone; readonly title: string; readonly text: string };

function describe(order: OrderAnswer, premiumUntil: string | null): Described {
  switch (order.status) {
    case "pending":
      return { tone: "wait", title: copy.pending, text: copy.pendingText };
    case "failed":
      return { tone: "bad", title: copy.failed, text: copy.failedText };
    case "refunded":
      return { tone: "calm", title: copy.refunded, text: copy.refundedText };
    case "paid":
      return { tone: "good", ...describePaid(order, premiumUntil) };
  }
}

function describePaid(order: OrderAnswer, premiumUntil: string | null): Omit<Described, "tone"> {
  switch (order.kind) {
    case "plan":
      return {
        title: copy.planActive,
        text: premiumUntil ? copy.planActiveText(formatDay(premiumUntil)) : copy.planActiveSoon,
      };
    case "trial":
      return { title: copy.trialDone, text: copy.trialDoneText(providerName(order)) };
    case "donation":
      return { title: copy.paid, text: copy.donationText };
    case "product": {
      const { access } = order;
      if (access?.status === "inside") {
        return { title: copy.paid, text: copy.insideText(formatDay(access.expires_at)) };
      }
      return { title: copy.paid, text: access?.invite_link ? copy.paidText : copy.paidWaiting };
    }
  }
}

function Actions({ order, onChange }: { order: OrderAnswer; onChange(): void }) {
  const [, navigate] = useLocation();
  const home = (
    <Button
      look={order.status === "paid" && order.kind === "plan" ? "filled" : "plain"}
      onClick={() => navigate("/IndexEspace")}
    >
      {copy.home}
    </Button>
  );
  const mayChange = order.kind !== "trial";
  const { payment_url: url, access } = order;
  switch (order.status) {
    case "pending":
      return (
        <>
          {url ? (
            <Button onClick={() => openPayment(url, order.opens ?? "page")}>
              {order.opens === "invoice" ? copy.reopenInvoice : copy.reopen}
            </Button>
          ) : null}
          {mayChange ? (
            <Button look="tinted" onClick={onChange}>
              {copy.change}
            </Button>
          ) : null}
          {home}
        </>
      );
    case "failed":
      return (
        <>
          <Button
            onClick={mayChange ? onChange : () => navigate("/ActivationMethode", { replace: true })}
          >
            {copy.retry}
          </Button>
          {home}
        </>
      );
    case "paid":
      return (
        <>
          {access?.invite_link ? (
            <Button onClick={() => openTelegramLink(access.invite_link ?? order.bot_url)}>
              {copy.join}
            </Button>
          ) : null}
          {order.kind === "trial" ? (
            <Button onClick={() => navigate("/ActivationMethode")}>{copy.methods}</Button>
          ) : null}
          {home}
          {order.kind === "plan" ? (
            <Button look="plain" onClick={() => openTelegramLink(order.bot_url)}>
              {copy.bot}
            </Button>
          ) : null}
        </>
      );
    case "refunded":
      return home;
  }
}

function providerName(order: OrderAnswer): string {
  const paid = order.payments.find(({ status }) => status === "paid");
  return paid?.provider_name ?? order.payments.at(-1)?.provider_name ?? order.provider_name;
}

function tryName(order: OrderAnswer): string {
  return order.payments.length > 1 ? copy.tries : copy.provider;
}

function sayTries(order: OrderAnswer): string {
  if (order.payments.length < 2) return providerName(order);
  return order.payments
    .map(({ provider_name: name, status }) => `${name} : ${copy.tryStatus[status] ?? status}`)
    .join(", ");
}
