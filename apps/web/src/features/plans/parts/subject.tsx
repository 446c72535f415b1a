import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import { useQuery } from "@tanstack/react-query";
import { formatFcfa } from "../../../lib/format.ts";
import { read } from "../../../lib/read.ts";
import { plansQuery } from "../../../lib/resources.ts";
import { useUser } from "../../../lib/use-seller.ts";
import { paymentCopy } from "../messages.fr.ts";
import { Card, Text } from "../../../kit/layout.tsx";

const copy = paymentCopy.selector;

/** What is paid for: the seller's plan, or a product by its reference (decision 42). */
export type Subject = { readonly plan: "payant" } | { readonly reference: string };

export type PricedSubject = {
  readonly title: string;
  readonly note: string;
  /** Of a don, the least that is given. */
  readonly amount: number;
  /** Null: the price is its seller's. */
  readonly gift: Gift | null;
};

/** A don: its amount is the donor's, and said with the order. */
export type Gift = { readonly minimum: number; readonly suggestions: readonly number[] };

type Known =
  | { readonly at: "loading" }
  | { readonly at: "failed"; readonly missing: boolean; retry(): void }
  | { readonly at: "known"; readonly subject: PricedSubject };

/** What is paid for, and its price as the server has it. */
export function useSubject(subject: Subject): Known {
  const user = useUser();
  const reference = "reference" in subject ? subject.reference : "";
  const plans = useQuery({ ...plansQuery, enabled: reference === "" });
  const product = useQuery({
    ...read("GET /api/public/products/:reference", { params: { reference } }),
    enabled: reference !== "",
  });
  const asked = reference === "" ? plans : product;
  const priced = reference === "" ? planOf(plans.data, user) : productOf(product.data);
  if (priced) return { at: "known", subject: priced };
  if (!asked.isError && !asked.data) return { at: "loading" };
  return { at: "failed", missing: reference !== "", retry: () => void asked.refetch() };
}

function planOf(
  plans:
    | { plans: readonly { type_plan: string; price: number; period_days: number | null }[] }
    | undefined,
  user: { type_plan: string } | undefined,
): PricedSubject | null {
  const premium = plans?.plans.find(({ type_plan }) => type_plan === "payant");
  if (!premium) return null;
  const days = premium.period_days ?? 30;
  const note = user?.type_plan === "payant" ? copy.renewNote(days) : copy.planNote(days);
  return { title: copy.planName, note, amount: premium.price, gift: null };
}

function productOf(
  product:
    | Pick<
        PublicProductOnWire,
        "kind" | "title" | "price" | "suggestions" | "seller" | "duration_label"
      >
    | undefined,
): PricedSubject | null {
  if (!product) return null;
  const { title, price, suggestions, seller, duration_label: duration } = product;
  const gift = product.kind === "donation" ? { minimum: price, suggestions } : null;
  const note = `${seller.name} · ${gift ? copy.giftNote : duration}`;
  return { title, note, amount: price, gift };
}

export type SubjectCardProps = {
  readonly subject: PricedSubject;
  /** Null while its donor has not chosen. */
  readonly amount: number | null;
  /** The same price as the one provider of the page counts it. */
  readonly quote: string | null;
};

export function SubjectCard({ subject, amount, quote }: SubjectCardProps) {
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
