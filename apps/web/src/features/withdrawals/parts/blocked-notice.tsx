import { Link } from "wouter";
import { Banner } from "../../../kit/banner.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";

/** Frozen, suspended or closed: why, until when, and whom to ask (decision 99). */
export function BlockedNotice({ message }: { message: string }) {
  return (
    <Banner
      tone="danger"
      icon="shield"
      action={<Link href="/CustomerSupport">{withdrawalsCopy.support}</Link>}
    >
      {message}
    </Banner>
  );
}
