import type { AnswerOf } from "@sesame/contract/routes";
import type { SearchType } from "@sesame/contract/back-office";
import { groupPhone } from "@sesame/contract/withdrawals";
import { formatFcfa } from "../../../lib/format.ts";
import { sayShortInstant } from "../../../lib/time-words.fr.ts";
import { Avatar } from "../../../kit/avatar.tsx";
import { Badge, type BadgeTone } from "../../../kit/badge.tsx";
import { Cell } from "../../../kit/section.tsx";
import { searchCopy as copy } from "../people-messages.fr.ts";

export type Item<T extends SearchType> = AnswerOf<"GET /api/desk/search">[T]["items"][number];

export function FoundSeller({ found }: { found: Item<"sellers"> }) {
  const state = found.closed
    ? copy.closed
    : found.suspended
      ? copy.suspended
      : found.frozen
        ? copy.frozen
        : null;
  return (
    <Cell
      href={`/bureau/vendeurs/${found.id}`}
      before={<Avatar name={found.name} />}
      title={found.name}
      subtitle={[found.username ? `@${found.username}` : null, found.telegram_id]
        .filter(Boolean)
        .join(" · ")}
      after={
        state ? (
          <Badge tone="danger">{state}</Badge>
        ) : found.type_plan === "payant" ? (
          <Badge tone="accent">{copy.premium}</Badge>
        ) : undefined
      }
      chevron
    />
  );
}

const WITHDRAWAL_TONES: Readonly<Record<Item<"withdrawals">["status"], BadgeTone>> = {
  pending: "accent",
  approved: "positive",
  rejected: "danger",
  cancelled: "neutral",
};

export function FoundWithdrawal({ found }: { found: Item<"withdrawals"> }) {
  return (
    <Cell
      href={`/bureau/retraits/${found.id}`}
      title={`${found.reference} · ${formatFcfa(found.amount)}`}
      subtitle={`${found.seller.name} · ${groupPhone(found.phone)} · ${sayShortInstant(found.created_at)}`}
      after={
        <Badge tone={WITHDRAWAL_TONES[found.status]}>{copy.withdrawalStatus[found.status]}</Badge>
      }
      chevron
    />
  );
}

const ORDER_TONES: Readonly<Record<Item<"orders">["status"], BadgeTone>> = {
  pending: "accent",
  paid: "positive",
  failed: "danger",
  refunded: "warning",
};

export function FoundOrder({ found }: { found: Item<"orders"> }) {
  return (
    <Cell
      href={`/bureau/commandes/${found.id}`}
      title={`${copy.order(found.id)} · ${formatFcfa(found.amount)}`}
      subtitle={[
        found.title,
        copy.buyer(found.buyer.name),
        found.seller ? copy.ofSeller(found.seller.name) : null,
        sayShortInstant(found.created_at),
      ]
        .filter(Boolean)
        .join(" · ")}
      after={<Badge tone={ORDER_TONES[found.status]}>{copy.orderStatus[found.status]}</Badge>}
      chevron
    />
  );
}

const PAYMENT_TONES: Readonly<Record<Item<"payments">["status"], BadgeTone>> = {
  pending: "accent",
  paid: "positive",
  refused: "danger",
  mismatched: "danger",
  expired: "neutral",
};

export function FoundPayment({ found }: { found: Item<"payments"> }) {
  return (
    <Cell
      href={`/bureau/commandes/${found.order_id}`}
      title={`${found.provider} · ${formatFcfa(found.amount)}`}
      subtitle={`${found.provider_payment_id} · ${copy.order(found.order_id)} · ${sayShortInstant(
        found.created_at,
      )}`}
      after={<Badge tone={PAYMENT_TONES[found.status]}>{copy.paymentStatus[found.status]}</Badge>}
      chevron
    />
  );
}

const REFUND_TONES: Readonly<Record<Item<"refunds">["status"], BadgeTone>> = {
  en_cours: "accent",
  numero_attendu: "neutral",
  a_payer: "warning",
  rembourse: "positive",
};

export function FoundRefund({ found }: { found: Item<"refunds"> }) {
  return (
    <Cell
      href={`/bureau/commandes/${found.order_id}`}
      title={`${formatFcfa(found.amount)} · ${found.buyer.name}`}
      subtitle={`${found.title} · ${copy.order(found.order_id)} · ${sayShortInstant(
        found.created_at,
      )}`}
      after={<Badge tone={REFUND_TONES[found.status]}>{copy.refundStatus[found.status]}</Badge>}
      chevron
    />
  );
}

export function FoundProduct({ found }: { found: Item<"products"> }) {
  return (
    <Cell
      href={`/bureau/vendeurs/${found.seller.id}`}
      title={found.title}
      subtitle={`${formatFcfa(found.price)} · ${found.reference} · ${copy.ofSeller(found.seller.name)}`}
      after={
        found.suspended ? (
          <Badge tone="danger">{copy.suspended}</Badge>
        ) : found.archived ? (
          <Badge tone="neutral">{copy.archived}</Badge>
        ) : undefined
      }
      chevron
    />
  );
}
