import { explainOwed } from "@sesame/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { formatDay, formatFcfa } from "../../lib/format.ts";
import { complaintsWaitingQuery, plansQuery } from "../../lib/resources.ts";
import { useUser } from "../../lib/use-seller.ts";
import { Banner } from "../../kit/button.tsx";
import { Empty, Failed } from "../../kit/screen.tsx";
import { Line, Text } from "../../kit/layout.tsx";
import {
  homeCopy as home,
  noticesCopy as copy,
  sparklineCopy as lately,
} from "./home-messages.fr.ts";

const DAY_MS = 86_400_000;
const SOON_DAYS = 7;

/** What waits for the seller: a complaint to answer, a debt, the end of his premium plan. */
export function HomeNotices() {
  const user = useUser();
  const waiting = useQuery({ ...complaintsWaitingQuery, enabled: user !== undefined }).data ?? 0;
  return (
    <>
      {waiting > 0 ? (
        <Banner action={[copy.complaintsLink, "/reclamations"]}>{copy.complaints(waiting)}</Banner>
      ) : null}
      {user && user.owed > 0 ? <Banner>{explainOwed(user.owed)}</Banner> : null}
      {user?.premium_until && user.premium_state !== "none" ? (
        <PremiumEnding until={user.premium_until} grace={user.premium_state === "grace"} />
      ) : null}
    </>
  );
}

function PremiumEnding({ until, grace }: { until: string; grace: boolean }) {
  const graceDays = useQuery({ ...plansQuery, enabled: grace }).data?.grace_days;
  const [now] = useState(Date.now);
  const end = Date.parse(until);
  const left = Math.ceil((end - now) / DAY_MS);
  if (!grace && left > SOON_DAYS) return null;
  const fallback = graceDays === undefined ? null : end + graceDays * DAY_MS;
  return (
    <Banner icon="clock" action={[copy.renew, "/PaymentSelector"]}>
      {grace
        ? fallback === null
          ? copy.over
          : copy.grace(formatDay(new Date(fallback).toISOString()))
        : copy.soon(left)}
    </Banner>
  );
}

/** In the place of the last transactions: none yet, or none that could be read. */
export function NoTransaction({ failed, onRetry }: { failed: boolean; onRetry(): void }) {
  if (!failed) {
    return <Empty of={["receipt", home.noTransaction, home.noTransactionText]} />;
  }
  return <Failed title={home.loadFailed} onRetry={onRetry} />;
}

const WIDTH = 280;
const HEIGHT = 34;
const EDGE = 3;

/** A line of the net revenue of the last days, today at its right end. */
export function Sparkline({ values }: { values: readonly number[] }) {
  const highest = Math.max(1, ...values);
  const points = values.map((value, index): [number, number] => [
    EDGE + (index / Math.max(1, values.length - 1)) * (WIDTH - 2 * EDGE),
    HEIGHT - EDGE - (Math.max(0, value) / highest) * (HEIGHT - 2 * EDGE),
  ]);
  const line = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const [lastX = 0, lastY = 0] = points.at(-1) ?? [];
  const total = values.reduce((sum, value) => sum + value, 0);
  return (
    <Line gap={3}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={lately.aloud(formatFcfa(total))}
      >
        <polygon points={`${EDGE},${HEIGHT} ${line} ${WIDTH - EDGE},${HEIGHT}`} />
        <polyline points={line} />
        {/* A line without length: its round ends make a dot that keeps its shape. */}
        <path d={`M${lastX} ${lastY}h0`} />
      </svg>
      <Text as="span" size="tiny" aria-hidden="true">
        {lately.seen(formatFcfa(total))}
      </Text>
    </Line>
  );
}
