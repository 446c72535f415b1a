import { type LimitsAnswer, sayInstant } from "@sesame/contract/withdrawals";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect } from "react";
import { Link, useLocation } from "wouter";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { whenIdle } from "../../lib/realtime.ts";
import { useSession } from "../../lib/session.ts";
import { useUser } from "../../lib/use-seller.ts";
import { useClosingConfirmation } from "../../telegram/native.ts";
import { Banner } from "../../kit/banner.tsx";
import { Button, IconButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Line } from "../../kit/layout.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { Skeleton, SkeletonRows } from "../../kit/skeleton.tsx";
import { withdrawalsCopy } from "./messages.fr.ts";
import { BlockedNotice } from "./parts/blocked-notice.tsx";
import { RequestFields } from "./parts/request-fields.tsx";
import { limitsQuery, useRefreshMoney } from "./money.ts";
import { useRequest } from "./use-request.ts";
import styles from "./withdrawals.module.css";
import { totalOf } from "../../lib/balance.ts";

const copy = withdrawalsCopy.page;

// Loads while its own data does.
const AutomaticCard = lazy(async () => ({
  default: (await import("./parts/automatic-card.tsx")).AutomaticCard,
}));
// Needed once the form is filled: it comes while it is.
const loadDialogs = () => import("./parts/request-dialogs.tsx");
const RequestDialogs = lazy(async () => ({ default: (await loadDialogs()).RequestDialogs }));

/** /retrait: the seller asks for his money (B §2). */
export function Withdraw() {
  const limits = useQuery(limitsQuery);
  const session = useSession().at;
  const refresh = useRefreshMoney();
  const [, navigate] = useLocation();
  const history = (
    <IconButton icon="clock" label={copy.history} onClick={() => navigate("/HistoriqueRetraits")} />
  );
  return (
    <PullToRefresh label={copy.loading} onRefresh={refresh}>
      <Page title={copy.title} actions={history}>
        {limits.data ? (
          <Money limits={limits.data} live={session === "live"} />
        ) : limits.isError || session === "offline" ? (
          <Unreached onRetry={() => void limits.refetch()} />
        ) : (
          <>
            <Skeleton height="112px" radius="14px" />
            <SkeletonRows count={4} label={copy.loading} />
          </>
        )}
      </Page>
    </PullToRefresh>
  );
}

/** What was known of the balance, when the server does not answer. */
function Unreached({ onRetry }: { onRetry(): void }) {
  const user = useUser();
  const offline = useSession().at === "offline";
  return (
    <>
      {user ? <Balances solde={totalOf(user)} disponible={user.soldeDisponible} /> : null}
      <EmptyState
        drawing="broken"
        title={offline ? withdrawalsCopy.offline : copy.failed}
        action={<Button onClick={onRetry}>{withdrawalsCopy.retry}</Button>}
      />
    </>
  );
}

function Money({ limits, live }: { limits: LimitsAnswer; live: boolean }) {
  const control = useRequest();
  const { step, left } = control;
  useClosingConfirmation(step.at === "sending");
  useEffect(() => whenIdle(() => void loadDialogs().catch(() => undefined)), []);
  return (
    <>
      <Balances solde={limits.solde} disponible={limits.disponible} />
      {limits.bloque ? <BlockedNotice message={limits.bloque.message} /> : null}
      {limits.prochaine_date && !limits.bloque ? (
        <WeeklyNotice at={limits.prochaine_date} zone={limits.fuseau} />
      ) : null}
      {left && step.at !== "sending" ? (
        <Banner
          tone="warning"
          icon="warning"
          action={
            <button type="button" onClick={() => control.resume(left)}>
              {copy.pendingAction}
            </button>
          }
        >
          {copy.pendingTitle(formatFcfa(left.amount))}
        </Banner>
      ) : null}
      <Suspense fallback={<Skeleton height="104px" radius="14px" />}>
        <AutomaticCard live={live} />
      </Suspense>
      {limits.bloque ? null : (
        <RequestFields key={control.sent} limits={limits} control={control} live={live} />
      )}
      <Section>
        <Cell icon="clock" title={copy.history} href="/HistoriqueRetraits" chevron />
      </Section>
      {step.at === "form" ? null : (
        <Suspense fallback={null}>
          <RequestDialogs limits={limits} control={control} />
        </Suspense>
      )}
    </>
  );
}

/** Decision 62: both figures. */
function Balances({ solde, disponible }: { solde: number; disponible: number }) {
  const held = solde - disponible;
  return (
    <Line as="section" gap={3} aria-label={copy.balance}>
      <div className={styles.balance}>
        <span>{copy.available}</span>
        <strong>
          {formatNumber(disponible)} <small>{withdrawalsCopy.franc}</small>
        </strong>
      </div>
      <div className={styles.balance}>
        <span>{copy.posted}</span>
        <b>{formatFcfa(solde)}</b>
        {held > 0 ? <small>{copy.held(formatFcfa(held))}</small> : null}
      </div>
    </Line>
  );
}

/** Decision 65: said before anything is typed. */
function WeeklyNotice({ at, zone }: { at: string; zone: string }) {
  return (
    <Banner tone="accent" icon="clock">
      {copy.weekly(sayInstant(new Date(at), zone))} <Link href="/Plans">{copy.goPremium}</Link>
    </Banner>
  );
}
