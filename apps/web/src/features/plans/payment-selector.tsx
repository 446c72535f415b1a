import { methodNamed } from "@sesame/contract/payment-accounts";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useSearch } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { paymentPath } from "../../lib/text.ts";
import { plansQuery } from "../../lib/resources.ts";
import { useUser } from "../../lib/use-seller.ts";
import { Banner, Button } from "../../kit/button.tsx";
import { Empty, Failed, Page } from "../../kit/screen.tsx";
import { Card, Stack, Text } from "../../kit/layout.tsx";
import { Skeleton, SkeletonRows } from "../../kit/skeleton.tsx";
import { paymentCopy } from "./messages.fr.ts";
import { PaymentFields, providersQuery } from "./payment-fields.tsx";

const copy = paymentCopy.selector;

/**
 * The payment form of B: for the provider its address names, an e-mail and the button. `key` never
 * counts, and is taken out of the address before anything is shown (decision 52).
 */
export function PaymentForm() {
  const provider = methodNamed(new URLSearchParams(useSearch()).get("id") ?? "");
  return <PaymentSelector key={provider} provider={provider} />;
}

/** The choice of a payment for the premium plan; a product's is the buyers' page (decision 42). */
export function PaymentSelector({ provider }: { provider?: string }) {
  const user = useUser();
  const plans = useQuery(plansQuery);
  const providers = useQuery(providersQuery);
  const [, navigate] = useLocation();
  const premium = plans.data?.plans?.find(({ type_plan }) => type_plan === "payant");
  const only = providers.data?.find(({ id }) => id === provider);
  const waits = plans.isPending || providers.isPending;
  const days = premium?.period_days ?? 30;
  return (
    <Page title={only ? copy.by(only.name) : copy.title}>
      {plans.isPending || user ? null : <Banner>{copy.noUser}</Banner>}
      {premium ? (
        <Card as="section" big gap={1}>
          <Text as="h2" size="body" strong>
            {copy.planName}
          </Text>
          <Text size="hero">{formatFcfa(premium.price)}</Text>
          {only?.quote ? <Text size="small">{only.quote.label}</Text> : null}
          <Text size="small">
            {user?.type_plan === "payant" ? copy.renewNote(days) : copy.planNote(days)}
          </Text>
        </Card>
      ) : plans.isPending ? (
        <Skeleton height="112px" radius="20px" />
      ) : null}
      {waits ? (
        <SkeletonRows count={3} label={copy.loading} />
      ) : !premium || !providers.data ? (
        <Failed
          title={copy.loadFailed}
          onRetry={() => void Promise.all([plans.refetch(), providers.refetch()])}
        />
      ) : providers.data.length === 0 ? (
        <Empty of={["coins", copy.none]} />
      ) : provider !== undefined && !only ? (
        <Stack gap={4} role="alert">
          <Empty of={["search", KNOWN.includes(provider) ? copy.closedMethod : copy.unknownMethod]}>
            <Button onClick={() => navigate("/PaymentSelector", { replace: true })}>
              {copy.otherMethods}
            </Button>
          </Empty>
        </Stack>
      ) : (
        <PaymentFields
          amount={premium.price}
          providers={providers.data}
          {...(only ? { only } : {})}
          onOpened={(order) => navigate(paymentPath(order))}
        />
      )}
    </Page>
  );
}

/** A provider of ours that is closed now, or a word that names none. */
const KNOWN = ["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay", "stars"];
