import type { AnswerOf } from "@sesame/contract/routes";
import type { SearchType } from "@sesame/contract/back-office";
import { nameProvider } from "@sesame/contract/checkout";
import { groupPhone, WITHDRAWAL_STATUS_NAMES } from "@sesame/contract/withdrawals";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { Avatar } from "../../kit/avatar.tsx";
import { PlainButton } from "../../kit/button.tsx";
import { kitCopy } from "../../kit/messages.fr.ts";
import { useAsking } from "../../kit/paged.tsx";
import { Empty, Loaded, Page } from "../../kit/screen.tsx";
import { Table, type TableRow } from "../../kit/record-list.tsx";
import { SearchField } from "../../kit/choices.tsx";
import { formatFcfa } from "../../lib/format.ts";
import { createStore } from "../../lib/store.ts";
import { read, readOnce } from "../../lib/read.ts";
import { sayShortInstant } from "../../lib/time-words.fr.ts";
import { names, staffCopy } from "./messages.fr.ts";
import { searchCopy as copy } from "./seller-messages.fr.ts";
import { TONES } from "./use-staff.ts";

// Kept outside the screen: an agent who opens a result and comes back finds the search unchanged.
const kept = createStore("");

type Answer = AnswerOf<"GET /api/desk/search">;
type Item<T extends SearchType> = Answer[T]["items"][number];

/** Sellers, withdrawals, orders, payments, refunds and products, by any word or number of theirs. */
export function Search() {
  const typed = kept.useValue();
  const q = useDeferredValue(typed.trim());
  const query = useQuery({
    ...read("GET /api/desk/search", { query: { q } }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={staffCopy.tabs.search} wide>
      <SearchField
        label={copy.field}
        value={typed}
        onChange={(typing) => kept.set(typing.slice(0, 100))}
      />
      {q === "" ? (
        <Empty of={["search", copy.hintTitle, copy.hintText]} />
      ) : (
        <Loaded of={query}>{(found) => <Results q={q} found={found} key={q} />}</Loaded>
      )}
    </Page>
  );
}

/** In the order they are shown. */
const TYPES = ["sellers", "withdrawals", "orders", "payments", "refunds", "products"] as const;

function Results({ q, found }: { q: string; found: Answer }) {
  if (TYPES.every((type) => found[type].items.length === 0)) {
    return <Empty of={["search", copy.noneTitle, copy.noneText]} />;
  }
  return TYPES.map((type) => <List key={type} q={q} type={type} first={found[type]} />);
}

/** The results of one type, and more of them on request. */
function List<T extends SearchType>(props: { q: string; type: T; first: Answer[T] }) {
  const { q, type, first } = props;
  const [more, setMore] = useState<readonly Item<T>[]>([]);
  const [cursor, setCursor] = useState(first.next_cursor);
  const items: readonly Item<T>[] = [...first.items, ...more];
  const [busy, next] = useAsking(async () => {
    const query = { q, type, cursor: cursor ?? "" };
    const answer = await readOnce("GET /api/desk/search", { query });
    setMore([...more, ...answer[type].items]);
    setCursor(answer[type].next_cursor);
  });
  if (items.length === 0) return null;
  return (
    <>
      <Table title={{ ...names, ...copy }[type]} rows={items.map(FOUND[type])} />
      {cursor ? (
        <PlainButton busy={busy} onClick={next}>
          {kitCopy.more}
        </PlainButton>
      ) : null}
    </>
  );
}

/** How each type is shown in a list. */
export const FOUND: { readonly [T in SearchType]: (found: Item<T>) => TableRow } = {
  sellers: (found) => ({
    id: found.id,
    href: `/bureau/vendeurs/${found.id}`,
    before: <Avatar name={found.name} />,
    title: found.name,
    facts: [
      [names.account, found.username && `@${found.username}`],
      [names.telegramId, String(found.telegram_id)],
    ],
    mark: found.closed
      ? ["danger", copy.closed]
      : found.suspended
        ? ["danger", names.suspended]
        : found.frozen
          ? ["danger", copy.frozen]
          : found.type_plan === "payant"
            ? ["accent", names.premium]
            : null,
  }),
  withdrawals: (found) => ({
    id: found.id,
    href: `/bureau/retraits/${found.id}`,
    title: `${found.reference} · ${formatFcfa(found.amount)}`,
    facts: [
      [names.seller, found.seller.name],
      [names.number, groupPhone(found.phone)],
      [names.at, sayShortInstant(found.created_at)],
    ],
    mark: [TONES[found.status], WITHDRAWAL_STATUS_NAMES[found.status]],
  }),
  orders: (found) => ({
    id: found.id,
    href: `/bureau/commandes/${found.id}`,
    title: `${names.orderOf(found.id)} · ${formatFcfa(found.amount)}`,
    facts: [
      [names.product, found.title],
      [names.buyer, found.buyer.name, copy.buyer],
      [names.seller, found.seller?.name, copy.ofSeller],
      [names.at, sayShortInstant(found.created_at)],
    ],
    mark: [TONES[found.status], copy.orderStatus[found.status]],
  }),
  payments: (found) => ({
    id: found.id,
    href: `/bureau/commandes/${found.order_id}`,
    title: `${nameProvider(found.provider)} · ${formatFcfa(found.amount)}`,
    facts: [
      [names.reference, found.provider_payment_id],
      [names.order, names.orderOf(found.order_id)],
      [names.at, sayShortInstant(found.created_at)],
    ],
    mark: [TONES[found.status], copy.paymentStatus[found.status]],
  }),
  refunds: (found) => ({
    id: found.id,
    href: `/bureau/commandes/${found.order_id}`,
    title: `${formatFcfa(found.amount)} · ${found.buyer.name}`,
    facts: [
      [names.product, found.title],
      [names.order, names.orderOf(found.order_id)],
      [names.at, sayShortInstant(found.created_at)],
    ],
    mark: [TONES[found.status], copy.refundStatus[found.status]],
  }),
  products: (found) => ({
    id: found.id,
    href: `/bureau/vendeurs/${found.seller.id}`,
    title: found.title,
    facts: [
      [names.price, formatFcfa(found.price)],
      [names.reference, found.reference],
      [names.seller, found.seller.name, copy.ofSeller],
    ],
    mark: found.suspended
      ? ["danger", names.suspended]
      : found.archived
        ? ["neutral", names.archived]
        : null,
  }),
};
