import type {
  ProductAnswer,
  ProductArchivedAnswer,
  ProductOnWire,
  ProductUpdate,
} from "@sesame/contract/catalogue";
import type { SubscriptionsAnswer } from "@sesame/contract/reports";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { call, write } from "../../lib/api.ts";
import { answered, keys } from "../../lib/resources.ts";
import { useRefreshAll } from "../../lib/use-seller.ts";

/** An image leaves a slow phone slowly. */
const UPLOAD_TIMEOUT_MS = 60_000;
/** A §2. */
export const NEWEST_SUBSCRIPTIONS = 5;
const PAGE = 30;

export function productQuery(id: string) {
  return queryOptions<ProductOnWire>({
    queryKey: ["product", id],
    queryFn: async () =>
      answered(
        (await call<Partial<ProductAnswer>>(`/api/products/${encodeURIComponent(id)}`)).product,
      ),
  });
}

function readSubscriptions(product: string, limit: number, cursor: string | null) {
  const query = new URLSearchParams({ product, limit: String(limit) });
  if (cursor) query.set("cursor", cursor);
  return call<SubscriptionsAnswer>(`/api/subscriptions?${query}`);
}

export function newestSubscriptionsQuery(product: string) {
  return queryOptions<SubscriptionsAnswer>({
    queryKey: [...keys.subscriptions, product, "newest"],
    queryFn: () => readSubscriptions(product, NEWEST_SUBSCRIPTIONS, null),
  });
}

export function subscriptionsQuery(product: string) {
  return infiniteQueryOptions({
    queryKey: [...keys.subscriptions, product, "all"],
    queryFn: ({ pageParam }) => readSubscriptions(product, PAGE, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor ?? null,
  });
}

export async function readAllSubscriptions(product: string) {
  const all: SubscriptionsAnswer["subscriptions"] = [];
  let cursor: string | null = null;
  do {
    const page: SubscriptionsAnswer = await readSubscriptions(product, 100, cursor);
    all.push(...(page.subscriptions ?? []));
    cursor = page.next_cursor ?? null;
  } while (cursor !== null);
  return all;
}

/** How many members remain when a product is archived. */
export function membersQuery(product: string) {
  return queryOptions<number>({
    queryKey: ["product-members", product],
    queryFn: async () =>
      (await call<{ members: number }>(`/api/products/${encodeURIComponent(product)}/members`))
        .members ?? 0,
    staleTime: 0,
  });
}

/** Puts a product the server answered into the list at once, then asks for the list anew. */
function usePutProduct() {
  const client = useQueryClient();
  const refreshAll = useRefreshAll();
  return (product: ProductOnWire | undefined) => {
    if (product?.id) {
      client.setQueryData<ProductOnWire[]>(keys.products, (before = []) =>
        before.some((each) => each.id === product.id)
          ? before.map((each) => (each.id === product.id ? product : each))
          : [product, ...before],
      );
      client.setQueryData(productQuery(product.id).queryKey, product);
    }
    // A §4: after a product is added all user data is refreshed.
    void refreshAll();
  };
}

export type FormWrite = { readonly form: FormData; readonly key: string };

export function usePublishProduct() {
  const put = usePutProduct();
  return useMutation({
    mutationFn: ({ form, key }: FormWrite) =>
      write<ProductAnswer>("/api/products", {
        method: "POST",
        form,
        key,
        timeoutMs: UPLOAD_TIMEOUT_MS,
        waits: true,
      }),
    onSuccess: (answer) => put(answer.product),
  });
}

export function useSaveProduct(id: string) {
  const put = usePutProduct();
  return useMutation({
    mutationFn: ({ form, key }: FormWrite) =>
      write<ProductAnswer>(`/api/products/${encodeURIComponent(id)}`, {
        method: "PUT",
        form,
        key,
        timeoutMs: UPLOAD_TIMEOUT_MS,
        waits: true,
      }),
    onSuccess: (answer) => put(answer.product),
  });
}

export function useSwitchProduct() {
  const put = usePutProduct();
  return useMutation({
    mutationFn: ({ id, on }: { id: string; on: boolean }) =>
      write<ProductAnswer>(`/api/products/${encodeURIComponent(id)}`, {
        method: "PUT",
        body: { status: on ? "active" : "inactive" } satisfies ProductUpdate,
        waits: true,
      }),
    onSuccess: (answer) => put(answer.product),
  });
}

export function useArchiveProduct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) =>
      write<ProductArchivedAnswer>(`/api/products/${encodeURIComponent(id)}`, {
        method: "DELETE",
        waits: true,
      }),
    onSuccess: (_answer, id) => {
      client.setQueryData<ProductOnWire[]>(keys.products, (before) =>
        before?.filter((product) => product.id !== id),
      );
      void client.invalidateQueries({ queryKey: keys.products });
      void client.invalidateQueries({ queryKey: keys.channels });
    },
  });
}
