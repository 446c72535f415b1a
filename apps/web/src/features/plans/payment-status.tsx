import type { OrderAnswer } from "@sesame/contract/checkout";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useLocation, useSearch } from "wouter";
import { HOME } from "../../lib/text.ts";
import { formatDay, formatFcfa } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { RequestError } from "../../lib/request.ts";
import { useRefresh } from "../../lib/resources.ts";
import { useRefreshAll, useUser } from "../../lib/use-seller.ts";
import { haptic, openPayment, openTelegramLink } from "../../telegram/native.ts";
import { Button, TintedButton, PlainButton } from "../../kit/button.tsx";
import { NotYet } from "../../kit/screen.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Arch, Card, Section, Stack, Text, Title } from "../../kit/layout.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { Sheet } from "../../kit/modal.tsx";
import { paymentCopy } from "./messages.fr.ts";
import { PaymentFields, providersQuery } from "./payment-fields.tsx";
import { Note } from "../../kit/records.tsx";

const copy = paymentCopy.status;

const NAMES = ["paymentId", "payment_id", "id", "transaction_id"] as const;

/**
 * The one status page, under each of its old addresses: what it says comes from the order, never
 * from the address (decision 54). By a provider's name for a payment the buyers' page finds it.
 */
export function PaymentStatus() {
  const query = new URLSearchParams(useSearch());
  const id = NAMES.map((each) => query.get(each)).find((value) => /^\d{1,18}$/.test(value ?? ""));
  return (
    <Stack gap={4} page>
      {id ? (
        <Followed key={id} id={id} />
      ) : (
        <StatusCard tone="bad" title={copy.missingId} text={copy.missingIdText}>
          <Button href="/Plans">{copy.plans}</Button>
          <PlainButton href={HOME}>{copy.home}</PlainButton>
        </StatusCard>
      )}
    </Stack>
  );
}

/** While the payment is pending the page asks, in addition to the realtime events. */
const FAST_MS = 3_000;
const SLOW_MS = 15_000;
const FAST_ASKS = 60;

/** Pushed as it changes, asked again until it is decided (decision 54). */
function Followed({ id }: { id: string }) {
  const followed = useQuery({
    ...read("GET /api/orders/:id", { params: { id } }),
    staleTime: 0,
    refetchOnMount: "always",
    refetchInterval: ({ state }) => {
      const status = state.data?.status;
      if (isRefusal(state.error) || status === "refunded") return false;
      return status === "paid" || state.dataUpdateCount > FAST_ASKS ? SLOW_MS : FAST_MS;
    },
  });
  const [changing, setChanging] = useState(false);
  const until = useUser()?.premium_until ?? null;
  const order = followed.data;
  const refreshAll = useRefreshAll();
  const status = order?.status;
  useEffect(() => {
    if (status === "failed") haptic("error");
    if (status !== "paid") return;
    haptic("success");
    // A paid order changes the seller's account: everything is read again, once.
    void refreshAll();
  }, [status, refreshAll]);
  if (!order && isRefusal(followed.error)) {
    return (
      <StatusCard tone="bad" title={copy.missing} text={copy.missingText}>
        <Button href={HOME}>{copy.home}</Button>
      </StatusCard>
    );
  }
  if (!order) {
    return followed.isError ? (
      <StatusCard tone="bad" title={copy.errorTitle} text={copy.error}>
        <Button onClick={() => void followed.refetch()}>{kitCopy.retry}</Button>
      </StatusCard>
    ) : (
      <StatusCard tone="wait" title={copy.verifying} text={copy.verifyingText} busy />
    );
  }
  const [tone, title, text] = describe(order, until);
  return (
    <>
      <StatusCard
        tone={tone}
        title={title}
        text={text}
        note={order.paid_twice ? copy.paidTwice : followed.isError ? copy.late : null}
      >
        <Actions order={order} onChange={() => setChanging(true)} />
      </StatusCard>
      <Section pad>
        <Facts
          facts={[
            [copy.amount, formatFcfa(order.amount), true],
            [copy.order, `${order.title} ${copy.number(order.id)}`],
            [order.payments.length > 1 ? copy.tries : copy.provider, sayTries(order)],
          ]}
        />
      </Section>
      {changing ? <ChangeProvider order={order} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

/** The server said no: asking again changes nothing. */
function isRefusal(error: unknown): boolean {
  return error instanceof RequestError && error.status >= 400 && error.status < 500;
}

type Described = readonly [tone: StatusTone, title: string, text: string];

function describe(order: OrderAnswer, premiumUntil: string | null): Described {
  switch (order.status) {
    case "pending":
      return ["wait", copy.pending, copy.pendingText];
    case "failed":
      return ["bad", copy.failed, copy.failedText];
    case "refunded":
      return ["neutral", copy.refunded, copy.refundedText];
    case "paid":
      if (order.kind === "trial") {
        return ["good", copy.trialDone, copy.trialDoneText(providerName(order))];
      }
      // A product of another seller: the buyers' page says what it opens.
      if (order.kind !== "plan") return ["good", copy.paid, ""];
      return [
        "good",
        copy.planActive,
        premiumUntil ? copy.planActiveText(formatDay(premiumUntil)) : copy.planActiveSoon,
      ];
  }
}

function Actions({ order, onChange }: { order: OrderAnswer; onChange(): void }) {
  const [, navigate] = useLocation();
  const { status, kind, payment_url: url, opens } = order;
  const mayChange = kind !== "trial";
  const retry = mayChange ? onChange : () => navigate("/ActivationMethode", { replace: true });
  // "Home" has one place under every status: a change does not replace a button under a finger.
  return (
    <>
      {status === "pending" && url ? (
        <Button onClick={() => openPayment(url, opens ?? "page")}>
          {opens === "invoice" ? copy.reopenInvoice : copy.reopen}
        </Button>
      ) : null}
      {status === "pending" && mayChange ? (
        <TintedButton onClick={onChange}>{copy.change}</TintedButton>
      ) : null}
      {status === "failed" ? <Button onClick={retry}>{kitCopy.retry}</Button> : null}
      {status === "paid" && kind === "trial" ? (
        <Button href="/ActivationMethode">{copy.methods}</Button>
      ) : null}
      <Button look={status === "paid" && kind === "plan" ? "filled" : "plain"} href={HOME}>
        {copy.home}
      </Button>
      {status === "paid" && kind === "plan" ? (
        <PlainButton onClick={() => openTelegramLink(order.bot_url)}>{copy.bot}</PlainButton>
      ) : null}
    </>
  );
}

function providerName(order: OrderAnswer): string {
  const paid = order.payments.find(({ status }) => status === "paid");
  return paid?.provider_name ?? order.payments.at(-1)?.provider_name ?? order.provider_name;
}

function sayTries(order: OrderAnswer): string {
  if (order.payments.length < 2) return providerName(order);
  return order.payments
    .map(({ provider_name: name, status }) => `${name} : ${copy.tryStatus[status] ?? status}`)
    .join(", ");
}

const ARCHES = {
  wait: { icon: "clock" },
  good: { icon: "check" },
  bad: { icon: "close", tone: "brick" },
  neutral: { icon: "info", tone: "soft" },
} as const;

type StatusTone = keyof typeof ARCHES;

/** One true answer, and under it the next steps. */
function StatusCard(props: {
  tone: StatusTone;
  title: string;
  text: string;
  /** The status is being read. */
  busy?: boolean;
  note?: string | null;
  children?: ReactNode;
}) {
  return (
    <Card as="section" gap={4} center aria-busy={props.busy || undefined}>
      <Arch {...ARCHES[props.tone]} busy={props.busy} large />
      <div role="status">
        <Title center>{props.title}</Title>
        <Text tone="soft" center>
          {props.text}
        </Text>
        {props.note ? <Note center>{props.note}</Note> : null}
      </div>
      <Stack>{props.children}</Stack>
    </Card>
  );
}

const { selector } = paymentCopy;

/** The same order, by another provider or by the same once more: it is never paid twice. */
function ChangeProvider({ order, onClose }: { order: OrderAnswer; onClose(): void }) {
  const refreshOrders = useRefresh("orders");
  const providers = useQuery(providersQuery);
  return (
    <Sheet title={copy.change} onClose={onClose} close={copy.close}>
      {order.status === "pending" ? <Note center>{copy.changeText}</Note> : null}
      {providers.data ? (
        providers.data.length === 0 ? (
          <p role="alert">{selector.none}</p>
        ) : (
          <PaymentFields
            order={order.id}
            amount={order.amount}
            providers={providers.data}
            onOpened={() => {
              void refreshOrders();
              onClose();
            }}
          />
        )
      ) : (
        <NotYet query={providers} copy={selector} rows={3} />
      )}
    </Sheet>
  );
}
