import type { PlansAnswer } from "@sesame/contract/plans";
import { formatFcfa } from "../../../lib/format.ts";
import { Badge } from "../../../kit/badge.tsx";
import { Button } from "../../../kit/button.tsx";
import { classes } from "../../../kit/classes.ts";
import { Icon } from "../../../kit/icons.tsx";
import { plansCopy as copy } from "../messages.fr.ts";
import styles from "../plans.module.css";

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
    <article
      className={classes(styles.card, premium && styles.premium)}
      data-plan={terms.type_plan}
    >
      <header className={styles.cardHead}>
        <h2>{premium ? copy.premium : copy.free}</h2>
        {current === terms.type_plan ? (
          <Badge tone={premium ? "on-brand" : "accent"}>{copy.current}</Badge>
        ) : null}
      </header>
      <p className={styles.price}>
        <strong>{premium ? formatFcfa(terms.price) : copy.freePrice}</strong>
        {premium ? (
          <span>
            {terms.period_days ? copy.perPeriod(terms.period_days) : ""}{" "}
            {copy.inEuros(EUROS.format(terms.price_eur))}
          </span>
        ) : null}
      </p>
      <p className={styles.tagline}>{premium ? copy.premiumTagline : copy.freeTagline}</p>
      <ul className={styles.points}>
        {points.map((point) => (
          <li key={point}>
            <Icon name="check" size={20} />
            <span>{point}</span>
          </li>
        ))}
      </ul>
      {premium && answer.break_even !== null ? (
        <p className={styles.note}>{copy.breakEven(formatFcfa(answer.break_even), freeFee)}</p>
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
    </article>
  );
}
