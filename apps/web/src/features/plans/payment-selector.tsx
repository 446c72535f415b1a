import { type PublicProductOnWire, readPrice } from "@sesame/contract/catalogue";
import { DONATION_MAX } from "@sesame/contract/checkout";
import { methodNamed } from "@sesame/contract/payment-accounts";
import type { PlansAnswer } from "@sesame/contract/plans";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { paymentPath } from "../../lib/text.ts";
import { read } from "../../lib/read.ts";
import { plansQuery } from "../../lib/resources.ts";
import { useUser } from "../../lib/use-seller.ts";
import { haptic } from "../../telegram/native.ts";
import { Banner } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { EmptyState, Failed } from "../../kit/empty-state.tsx";
import { ChipField, FrancsField } from "../../kit/field.tsx";
import { Card, Stack, Text } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { Skeleton, SkeletonRows } from "../../kit/skeleton.tsx";
import { Form } from "../../kit/use-form.tsx";
import { paymentCopy } from "./messages.fr.ts";
import { PaymentFields, providersQuery } from "./payment-fields.tsx";

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
  const provider = methodNamed(query.get("id") ?? "");
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

/** What is paid for: the seller's plan, or a product by its reference (decision 42). */
export type Subject = { readonly plan: "payant" } | { readonly reference: string };

type PricedSubject = {
  readonly title: string;
  readonly note: string;
  /** Of a don, the least that is given. */
  readonly amount: number;
  /** Null: the price is its seller's. */
  readonly gift: Gift | null;
};

/** A don: its amount is the donor's, and said with the order. */
type Gift = { readonly minimum: number; readonly suggestions: readonly number[] };

type Known =
  | { readonly at: "loading" }
  | { readonly at: "failed"; readonly missing: boolean; retry(): void }
  | { readonly at: "known"; readonly subject: PricedSubject };

/** What is paid for, and its price as the server has it. */
function useSubject(subject: Subject): Known {
  const isPremium = useUser()?.type_plan === "payant";
  const reference = "reference" in subject ? subject.reference : "";
  const plans = useQuery({ ...plansQuery, enabled: reference === "" });
  const product = useQuery({
    ...read("GET /api/public/products/:reference", { params: { reference } }),
    enabled: reference !== "",
  });
  const asked = reference === "" ? plans : product;
  const priced = reference === "" ? planOf(plans.data, isPremium) : productOf(product.data);
  if (priced) return { at: "known", subject: priced };
  if (!asked.isError && !asked.data) return { at: "loading" };
  return { at: "failed", missing: reference !== "", retry: () => void asked.refetch() };
}

function planOf(plans: PlansAnswer | undefined, isPremium: boolean): PricedSubject | null {
  const premium = plans?.plans.find(({ type_plan }) => type_plan === "payant");
  if (!premium) return null;
  const days = premium.period_days ?? 30;
  const note = isPremium ? copy.renewNote(days) : copy.planNote(days);
  return { title: copy.planName, note, amount: premium.price, gift: null };
}

function productOf(product: PublicProductOnWire | undefined): PricedSubject | null {
  if (!product) return null;
  const { title, price, suggestions, seller, duration_label: duration } = product;
  const gift = product.kind === "donation" ? { minimum: price, suggestions } : null;
  const note = `${seller.name} · ${gift ? copy.giftNote : duration}`;
  return { title, note, amount: price, gift };
}

function SubjectCard(props: {
  subject: PricedSubject;
  /** Null while its donor has not chosen. */
  amount: number | null;
  /** The same price as the one provider of the page counts it. */
  quote: string | null;
}) {
  const { subject, amount, quote } = props;
  return (
    <Card as="section" big gap={1}>
      <Text as="h2" size="body" strong>
        {subject.title}
      </Text>
      <Text size="hero">{amount === null ? paymentCopy.gift.free : formatFcfa(amount)}</Text>
      {quote ? <Text size="small">{quote}</Text> : null}
      <Text size="small">{subject.note}</Text>
    </Card>
  );
}

const giftCopy = paymentCopy.gift;

type GiftAmountProps = { readonly gift: Gift; onChoose(amount: number): void };

/** What a donor gives: one of what is proposed, or an amount of his own. */
function GiftAmount({ gift, onChoose }: GiftAmountProps) {
  const [digits, setDigits] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const choose = (typed: string) => {
    setDigits(typed);
    setComplaint(null);
  };
  const goOn = () => {
    const wrong = complaintOf(digits, gift.minimum);
    if (wrong === null) return onChoose(Number(digits));
    haptic("error");
    setComplaint(wrong);
  };
  return (
    <Form onSubmit={goOn}>
      {gift.suggestions.length > 0 ? (
        <ChipField
          label={giftCopy.proposed}
          value={digits}
          choices={gift.suggestions.map((each) => ({
            value: String(each),
            label: formatFcfa(each),
          }))}
          onChange={choose}
        />
      ) : null}
      <FrancsField
        label={giftCopy.own}
        value={digits}
        hint={giftCopy.least(formatFcfa(gift.minimum))}
        error={complaint}
        onChange={choose}
      />
      <Button type="submit">
        {readPrice(digits) === null ? giftCopy.goOn : giftCopy.go(formatFcfa(Number(digits)))}
      </Button>
    </Form>
  );
}

function complaintOf(digits: string, minimum: number): string | null {
  const francs = readPrice(digits);
  if (francs === null) return giftCopy.missing;
  if (francs < minimum) return giftCopy.least(formatFcfa(minimum));
  return francs > DONATION_MAX ? giftCopy.most(formatFcfa(Number(DONATION_MAX))) : null;
}
