import type { PlansAnswer } from "@sesame/contract/plans";
import { formatFcfa } from "../../../lib/format.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { Card, Line, Points, Text } from "../../../kit/layout.tsx";
import { plansCopy as copy } from "../messages.fr.ts";

export type PlanTerms = PlansAnswer["plans"][number];

const EUROS = new Intl.NumberFormat("fr-FR", { minimumFractionDigits: 2 });

export function PlanCard(props: {
  terms: PlanTerms;
  answer: PlansAnswer;
  current: "gratuit" | "payant" | null;
  onChoose(plan: "gratuit" | "payant"): void;
}) {
  const { terms, answer, current } = props;
  const premium = terms.type_plan === "payant";
  const points = premium
    ? copy.premiumPoints(terms.fee_percent)
    : copy.freePoints(terms.fee_percent, terms.groups_max ?? 0);
  const freeFee = answer.plans.find((each) => each.type_plan === "gratuit")?.fee_percent ?? 0;
  return (
    <Card as="article" big={premium} data-plan={terms.type_plan}>
      <Line as="header" between>
        <Text as="h2" size="heading">
          {premium ? copy.premium : copy.free}
        </Text>
        {current === terms.type_plan ? (
          <Badge tone={premium ? "on-brand" : "accent"}>{copy.current}</Badge>
        ) : null}
      </Line>
      <Line as="p" gap={3}>
        <Text as="strong" size="hero">
          {premium ? formatFcfa(terms.price) : copy.freePrice}
        </Text>
        {premium ? (
          <Text as="span" size="small">
            {terms.period_days ? copy.perPeriod(terms.period_days) : ""}{" "}
            {copy.inEuros(EUROS.format(terms.price_eur))}
          </Text>
        ) : null}
      </Line>
      <Text {...(premium ? {} : { tone: "soft" })}>
        {premium ? copy.premiumTagline : copy.freeTagline}
      </Text>
      <Points points={points} />
      {premium && answer.break_even !== null ? (
        <Text size="small">{copy.breakEven(formatFcfa(answer.break_even), freeFee)}</Text>
      ) : null}
      {current === terms.type_plan ? null : (
        <Button
          look={premium ? "on-brand" : "filled"}
          disabled={!premium && current === "payant"}
          onClick={() => props.onChoose(terms.type_plan)}
        >
          {premium ? copy.choosePremium : copy.chooseFree}
        </Button>
      )}
    </Card>
  );
}
