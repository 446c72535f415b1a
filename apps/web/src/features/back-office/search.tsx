import type { AnswerOf } from "@sesame/contract/routes";
import type { SearchType } from "@sesame/contract/back-office";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useState } from "react";
import { createStore } from "../../lib/store.ts";
import { read, readOnce } from "../../lib/read.ts";
import { Button } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { Page } from "../../kit/page.tsx";
import { SearchField } from "../../kit/search-field.tsx";
import { Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { deskCopy } from "./messages.fr.ts";
import {
  FoundOrder,
  FoundPayment,
  FoundProduct,
  FoundRefund,
  FoundSeller,
  FoundWithdrawal,
  type Item,
} from "./parts/found.tsx";
import { LoadFailed } from "./parts/states.tsx";
import { searchCopy as copy } from "./people-messages.fr.ts";

// Kept beside the screen: who opens a sheet and comes back finds his search as he left it.
const asked = createStore("");

/** Sellers, withdrawals, orders, payments and products by whatever one has of them. */
export function Search() {
  const typed = asked.use();
  const q = useDeferredValue(typed.trim());
  const query = useQuery({
    ...read("GET /api/desk/search", { query: { q } }),
    enabled: q !== "",
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={copy.title}>
      <SearchField label={copy.field} value={typed} onChange={(q) => asked.set(q.slice(0, 100))} />
      {q === "" ? (
        <EmptyState drawing="search" title={copy.hintTitle} text={copy.hintText} />
      ) : query.data ? (
        <Found q={q} found={query.data} key={q} />
      ) : query.isError ? (
        <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <SkeletonRows count={5} label={deskCopy.loading} />
      )}
    </Page>
  );
}

function Found({ q, found }: { q: string; found: AnswerOf<"GET /api/desk/search"> }) {
  const { sellers, withdrawals, orders, payments, products, refunds } = found;
  const count = [sellers, withdrawals, orders, payments, products, refunds].reduce(
    (sum, { items }) => sum + items.length,
    0,
  );
  if (count === 0) {
    return <EmptyState drawing="search" title={copy.noneTitle} text={copy.noneText} />;
  }
  return (
    <>
      <List q={q} type="sellers" first={sellers} row={(item) => <FoundSeller found={item} />} />
      <List
        q={q}
        type="withdrawals"
        first={withdrawals}
        row={(item) => <FoundWithdrawal found={item} />}
      />
      <List q={q} type="orders" first={orders} row={(item) => <FoundOrder found={item} />} />
      <List q={q} type="payments" first={payments} row={(item) => <FoundPayment found={item} />} />
      <List q={q} type="refunds" first={refunds} row={(item) => <FoundRefund found={item} />} />
      <List q={q} type="products" first={products} row={(item) => <FoundProduct found={item} />} />
    </>
  );
}

/** One kind of what was found, and the rest of it when asked for. */
function List<T extends SearchType>(props: {
  q: string;
  type: T;
  first: AnswerOf<"GET /api/desk/search">[T];
  row(item: Item<T>): ReactNode;
}) {
  const [more, setMore] = useState<readonly Item<T>[]>([]);
  const [cursor, setCursor] = useState(props.first.next_cursor);
  const [busy, setBusy] = useState(false);
  const items: readonly Item<T>[] = [...props.first.items, ...more];
  if (items.length === 0) return null;
  const next = async () => {
    if (!cursor) return;
    setBusy(true);
    try {
      const answer = await readOnce("GET /api/desk/search", {
        query: { q: props.q, type: props.type, cursor },
      });
      setMore([...more, ...answer[props.type].items]);
      setCursor(answer[props.type].next_cursor);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section title={copy[props.type]}>
      <ul>
        {items.map((item) => (
          <li key={item.id}>{props.row(item)}</li>
        ))}
      </ul>
      {cursor ? (
        <Button look="plain" busy={busy} onClick={() => void next().catch(() => undefined)}>
          {deskCopy.more}
        </Button>
      ) : null}
    </Section>
  );
}
