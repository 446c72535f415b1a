import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { paymentPath } from "../../lib/payment-path.ts";
import { useUser } from "../../lib/use-seller.ts";
import { Banner } from "../../kit/banner.tsx";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Stack } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton, SkeletonRows } from "../../kit/skeleton.tsx";
import { GiftAmount } from "./parts/gift-amount.tsx";
import { PaymentFields, providersQuery } from "./parts/payment-fields.tsx";
import { type Subject, SubjectCard, useSubject } from "./parts/subject.tsx";
import { paymentCopy } from "./messages.fr.ts";

const copy = paymentCopy.selector;

/** The choice of a payment: for the premium plan, or for a product named in the address (42). */
export function PaymentSelector() {
  const reference = new URLSearchParams(useSearch()).get("reference");
  return <Paying key={reference} subject={reference ? { reference } : { plan: "payant" }} />;
}

/**
 * The payment form of B: for the provider its address names, an e-mail and the button. `key` never
 * counts, and is taken out of the address before anything is shown (decision 52).
 */
export function PaymentForm() {
  const query = new URLSearchParams(useSearch());
  const reference = query.get("reference");
  const named = (query.get("id") ?? "").trim().toLowerCase();
  const provider = named === "monero" ? "moneroo" : named;
  return (
    <Paying
      key={`${provider} ${reference}`}
      subject={reference ? { reference } : { plan: "payant" }}
      provider={provider}
    />
  );
}

function Paying({ subject, provider }: { subject: Subject; provider?: string }) {
  const user = useUser();
  const known = useSubject(subject);
  const [given, setGiven] = useState<number | null>(null);
  const payable =
    given !== null && "reference" in subject ? { ...subject, amount: given } : subject;
  const providers = useQuery({ ...providersQuery(payable), placeholderData: keepPreviousData });
  const [, navigate] = useLocation();
  const only = providers.data?.find(({ id }) => id === provider);
  const title = only ? copy.by(only.name) : copy.title;
  return (
    <Page title={title}>
      {known.at === "loading" || user ? null : (
        <Banner tone="warning" icon="warning">
          {copy.noUser}
        </Banner>
      )}
      {known.at === "known" ? (
        <SubjectCard
          subject={known.subject}
          amount={known.subject.gift ? given : known.subject.amount}
          quote={only?.quote?.label ?? null}
        />
      ) : known.at === "loading" ? (
        <Skeleton height="112px" radius="20px" />
      ) : null}
      {known.at === "failed" || (providers.isError && !providers.data) ? (
        <Failed
          title={known.at === "failed" && known.missing ? copy.productMissing : copy.loadFailed}
          onRetry={() => {
            if (known.at === "failed") known.retry();
            void providers.refetch();
          }}
        />
      ) : !providers.data || known.at === "loading" ? (
        <SkeletonRows count={3} label={copy.loading} />
      ) : providers.data.length === 0 ? (
        <EmptyState drawing="coins" title={copy.none} />
      ) : provider !== undefined && !only ? (
        <UnknownMethod provider={provider} subject={subject} />
      ) : known.subject.gift && given === null ? (
        <GiftAmount gift={known.subject.gift} onChoose={setGiven} />
      ) : (
        <PaymentFields
          payable={payable}
          amount={given ?? known.subject.amount}
          providers={providers.data}
          {...(only ? { only } : {})}
          onOpened={(order) => navigate(paymentPath(order))}
        />
      )}
      {given === null ? null : (
        <Button look="plain" onClick={() => setGiven(null)}>
          {paymentCopy.gift.change}
        </Button>
      )}
    </Page>
  );
}

function Failed({ title, onRetry }: { title: string; onRetry(): void }) {
  return (
    <EmptyState
      drawing="broken"
      title={title}
      action={<Button onClick={onRetry}>{copy.retry}</Button>}
    />
  );
}

/** A provider of ours that is closed now, or a word that names none. */
const KNOWN = ["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay", "stars"];

function UnknownMethod({ provider, subject }: { provider: string; subject: Subject }) {
  const [, navigate] = useLocation();
  const query = "reference" in subject ? `?reference=${encodeURIComponent(subject.reference)}` : "";
  return (
    <Stack gap={4} role="alert">
      <EmptyState
        drawing="search"
        title={KNOWN.includes(provider) ? copy.closedMethod : copy.unknownMethod}
        action={
          <Button onClick={() => navigate(`/PaymentSelector${query}`, { replace: true })}>
            {copy.otherMethods}
          </Button>
        }
      />
    </Stack>
  );
}
