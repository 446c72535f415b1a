import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { formatDay } from "../../../lib/format.ts";
import { claimsWaitingQuery, plansQuery } from "../../../lib/resources.ts";
import { useUser } from "../../../lib/use-seller.ts";
import { Banner } from "../../../kit/banner.tsx";
import { noticesCopy as copy } from "../home-messages.fr.ts";

const DAY_MS = 86_400_000;
const SOON_DAYS = 7;

/** What waits for the seller: a claim to answer, the end of his premium plan. */
export function HomeNotices() {
  const user = useUser();
  const waiting = useQuery({ ...claimsWaitingQuery, enabled: user !== undefined }).data ?? 0;
  return (
    <>
      {waiting > 0 ? (
        <Banner
          tone="warning"
          icon="warning"
          action={<Link href="/reclamations">{copy.claimsLink}</Link>}
        >
          {copy.claims(waiting)}
        </Banner>
      ) : null}
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
    <Banner tone="warning" icon="clock" action={<Link href="/PaymentSelector">{copy.renew}</Link>}>
      {grace
        ? fallback === null
          ? copy.over
          : copy.grace(formatDay(new Date(fallback).toISOString()))
        : copy.soon(left)}
    </Banner>
  );
}
