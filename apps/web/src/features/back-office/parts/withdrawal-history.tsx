import { type DeskWithdrawalDetail, LANE_NAMES } from "@sesame/contract/treasury";
import { formatFcfa, formatInstant, formatNumber } from "../../../lib/format.ts";
import { sayShortDay } from "../../../lib/time-words.fr.ts";
import { Avatar } from "../../../kit/avatar.tsx";
import { Badge } from "../../../kit/badge.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import styles from "../withdrawal.module.css";
import { withdrawalCopy as copy } from "../money-messages.fr.ts";
import { StageBadge } from "./badges.tsx";
import { Facts, type Fact } from "./facts.tsx";

type Payout = DeskWithdrawalDetail["payouts"][number];

/** Signs to look at before approving, each with its own figures. */
export function Risks({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  const { risks } = withdrawal;
  if (risks.length === 0) {
    return (
      <Section title={copy.signs}>
        <Cell icon="shield" title={copy.noSigns} subtitle={copy.noSignsText} />
      </Section>
    );
  }
  return (
    <Section title={copy.signs}>
      <ul>
        {risks.map((risk) => (
          <li key={risk.code}>
            <Cell title={<Badge tone="warning">{risk.label}</Badge>} subtitle={risk.explanation} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

export function SellerHistory({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  const { seller, history } = withdrawal;
  const { figures } = copy;
  const { payouts, sales } = history;
  const facts: Fact[] = [
    [figures.available, formatFcfa(history.available)],
    [figures.held, formatFcfa(history.held)],
    [figures.sales, `${formatNumber(sales.count)} · ${formatFcfa(sales.gross)}`],
    [figures.last30, formatFcfa(sales.last_30_days)],
    [figures.payouts, `${formatNumber(payouts.paid)} · ${formatFcfa(payouts.paid_amount)}`],
    [
      figures.success,
      payouts.success_percent === null ? figures.none : `${payouts.success_percent} %`,
    ],
    [
      figures.median,
      payouts.median_amount === null ? figures.none : formatFcfa(payouts.median_amount),
    ],
    [figures.refunds, formatNumber(sales.refunds)],
  ];
  return (
    <>
      <Section title={copy.seller}>
        <Cell
          href={`/bureau/vendeurs/${seller.id}`}
          before={<Avatar name={seller.name} photo={seller.photo_url} />}
          title={seller.name}
          subtitle={copy.since(sayShortDay(history.since))}
          after={
            history.suspended ? (
              <Badge tone="danger">{copy.suspended}</Badge>
            ) : history.frozen ? (
              <Badge tone="danger">{copy.frozen}</Badge>
            ) : undefined
          }
          chevron
        />
        <Facts facts={facts} />
      </Section>
      <Section title={copy.lastWithdrawals}>
        {history.last_withdrawals.length === 0 ? (
          <Cell title={copy.firstWithdrawal} />
        ) : (
          <ul>
            {history.last_withdrawals.map((each) => (
              <li key={each.id}>
                <Cell
                  href={`/bureau/retraits/${each.id}`}
                  title={formatFcfa(each.amount)}
                  subtitle={`${sayShortDay(each.created_at)} · ${each.method_label} · ${
                    each.same_number ? copy.sameNumber : each.phone_label
                  }`}
                  after={<StageBadge stage={each.stage} />}
                />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}

/** The money sent, as far as anybody knows. */
export function Payouts({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  if (withdrawal.payouts.length === 0) return null;
  return (
    <Section title={copy.payouts}>
      {withdrawal.payouts.map((payout) => (
        <div key={payout.id} className={styles.payout}>
          <p className={styles.payoutHead}>
            <strong>{LANE_NAMES[payout.lane]}</strong>
            <Badge tone={toneOf(payout.status)}>{payout.status_label}</Badge>
          </p>
          <Facts facts={factsOf(payout)} />
        </div>
      ))}
    </Section>
  );
}

function toneOf(status: Payout["status"]) {
  if (status === "succeeded") return "positive";
  if (status === "failed") return "danger";
  return status === "uncertain" ? "warning" : "accent";
}

function factsOf(payout: Payout): Fact[] {
  const known = (label: string, value: string | null): Fact[] => (value ? [[label, value]] : []);
  const next = payout.check_at ? ` · ${copy.nextCheck(formatInstant(payout.check_at))}` : "";
  return [
    [copy.payoutReference, payout.reference],
    ...known(copy.providerId, payout.provider_payout_id),
    ...known(copy.operatorReference, payout.operator_reference),
    ...known(copy.word, payout.word),
    ...known(copy.failure, payout.failure),
    ...known(copy.cost, payout.cost > 0 ? formatFcfa(payout.cost) : null),
    ...known(copy.checks, payout.checks > 0 ? `${payout.checks}${next}` : null),
  ];
}

export function Trace({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  if (withdrawal.trace.length === 0) return null;
  return (
    <Section title={copy.trace}>
      <ol className={styles.trace}>
        {withdrawal.trace.map((step) => (
          <li key={`${step.at} ${step.label}`}>
            <p className={styles.step}>{step.label}</p>
            <p className={styles.hint}>
              {formatInstant(step.at)} · {copy.by(step.by ?? copy.system)}
            </p>
            {step.reason ? <p className={styles.reason}>« {step.reason} »</p> : null}
          </li>
        ))}
      </ol>
    </Section>
  );
}
