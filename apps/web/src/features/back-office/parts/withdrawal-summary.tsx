import { type DeskWithdrawalDetail, LANE_NAMES } from "@sesame/contract/treasury";
import { formatFcfa, formatInstant } from "../../../lib/format.ts";
import { openLink } from "../../../telegram/native.ts";
import { Banner } from "../../../kit/banner.tsx";
import { Button } from "../../../kit/button.tsx";
import { Icon } from "../../../kit/icons.tsx";
import { OperatorMark } from "../../../kit/operator-mark.tsx";
import { sayCountdown, sayCountdownHeard, sayWorking } from "../messages.fr.ts";
import { useElapsedSeconds } from "../use-desk.ts";
import styles from "../withdrawal.module.css";
import { withdrawalCopy as copy } from "../money-messages.fr.ts";
import { PremiumBadge, StageBadge } from "./badges.tsx";
import { CopyLine } from "./copy-line.tsx";

/** How much, where to, until when. */
export function WithdrawalSummary({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  return (
    <section className={styles.card} aria-label={copy.amount}>
      <div className={styles.head}>
        <OperatorMark operator={withdrawal.operator} size={48} />
        <div className={styles.headWords}>
          <p className={styles.amount}>{formatFcfa(withdrawal.amount)}</p>
          <p className={styles.method}>{withdrawal.method_label}</p>
        </div>
      </div>
      <p className={styles.badges}>
        <StageBadge stage={withdrawal.stage} />
        {withdrawal.type_plan === "payant" ? <PremiumBadge /> : null}
      </p>
      <Deadline withdrawal={withdrawal} />
      <CopyLine
        label={copy.number}
        shown={withdrawal.phone_label}
        copied={withdrawal.phone}
        button={copy.copyNumber}
      />
      <WhatsApp withdrawal={withdrawal} />
    </section>
  );
}

function Deadline({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  const left = withdrawal.working_minutes_left;
  if (left !== null) {
    const day = formatInstant(withdrawal.due_at);
    if (!withdrawal.late) {
      return <p className={styles.due}>{copy.due(day, sayWorking(left))}</p>;
    }
    return (
      <p className={styles.late}>
        <Icon name="clock" size={18} />
        <span>{copy.late(day, sayWorking(Math.abs(left)))}</span>
      </p>
    );
  }
  if (withdrawal.paid_at) {
    return <p className={styles.due}>{copy.paidOn(formatInstant(withdrawal.paid_at))}</p>;
  }
  if (withdrawal.decided_at) {
    return <p className={styles.due}>{copy.decidedOn(formatInstant(withdrawal.decided_at))}</p>;
  }
  return null;
}

/** Decision 96: the request's words are ready in WhatsApp. */
function WhatsApp({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  const url = withdrawal.whatsapp_url;
  if (!url) return <p className={styles.hint}>{copy.noWhatsapp(withdrawal.whatsapp)}</p>;
  return (
    <Button look="tinted" icon="phone" onClick={() => openLink(url)}>
      {copy.whatsapp}
    </Button>
  );
}

/** Who has it, who must act, and what the seller was told. */
export function WithdrawalBanners(props: { withdrawal: DeskWithdrawalDetail; since: number }) {
  const { withdrawal } = props;
  const first = withdrawal.first_approval;
  return (
    <>
      {withdrawal.own ? (
        <Banner tone="warning" icon="user">
          {copy.own}
        </Banner>
      ) : null}
      <ClaimBanner withdrawal={withdrawal} since={props.since} />
      {withdrawal.status === "pending" && first ? (
        <Banner tone="warning" icon="people">
          {copy.second(first.by.name, LANE_NAMES[first.lane], formatInstant(first.at))}
        </Banner>
      ) : null}
      {withdrawal.status === "pending" && !first && withdrawal.needs_second_agent ? (
        <Banner tone="accent" icon="people">
          {copy.needsSecond}
        </Banner>
      ) : null}
      {withdrawal.reject_reason ? (
        <Banner tone="danger" icon="close">
          <strong>{copy.rejectedBecause}</strong>
          <br />
          {withdrawal.reject_reason}
        </Banner>
      ) : null}
    </>
  );
}

function ClaimBanner({ withdrawal, since }: { withdrawal: DeskWithdrawalDetail; since: number }) {
  const elapsed = useElapsedSeconds(since, 1_000);
  const { claim } = withdrawal;
  if (!claim) return null;
  const left = claim.seconds_left - elapsed;
  if (left <= 0) {
    return claim.mine ? (
      <Banner tone="warning" icon="clock">
        {copy.claim.over}
      </Banner>
    ) : null;
  }
  const words = claim.mine ? copy.claim.mine : copy.claim.other(claim.by.name);
  return (
    // Not a live region: a clock that spoke each second would drown everything else.
    <div className={styles.claim} data-mine={claim.mine ? "" : undefined}>
      <Icon name="clock" size={20} />
      <p>
        {words} {claim.mine ? copy.claim.left : copy.claim.otherFor}{" "}
        <strong aria-hidden="true">{sayCountdown(left)}</strong>
        <span className="only-heard">{sayCountdownHeard(left)}</span>
      </p>
    </div>
  );
}
