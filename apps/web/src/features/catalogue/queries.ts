import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { AnswerOf } from "@sesame/contract/routes";
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { answered, keys } from "../../lib/resources.ts";
import { useRefreshAll } from "../../lib/use-seller.ts";

/** A §2. */
export const NEWEST_SUBSCRIPTIONS = 5;
const PAGE = 30;

export function productQuery(id: string) {
  return queryOptions({
    queryKey: ["product", id],
    queryFn: async () =>
      answered((await call("GET /api/products/:id", { params: { id } })).product),
  });
}

function readSubscriptions(product: string, limit: number, cursor = "") {
  return call("GET /api/subscriptions", { query: { product, limit, cursor } });
}

export function newestSubscriptionsQuery(product: string) {
  return queryOptions({
    queryKey: [...keys.subscriptions, product, "newest"],
    queryFn: () => readSubscriptions(product, NEWEST_SUBSCRIPTIONS),
  });
}

export function subscriptionsQuery(product: string) {
  return infiniteQueryOptions({
    queryKey: [...keys.subscriptions, product, "all"],
    queryFn: ({ pageParam }) => readSubscriptions(product, PAGE, pageParam),
    initialPageParam: "",
    getNextPageParam: (page) => page.next_cursor,
  });
}

export async function readAllSubscriptions(product: string) {
  type Answer = AnswerOf<"GET /api/subscriptions">;
  const all: Answer["subscriptions"] = [];
  let cursor: string | undefined;
  do {
    const page: Partial<Answer> = await readSubscriptions(product, 100, cursor);
    all.push(...(page.subscriptions ?? []));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

/** How many members remain when a product is archived. */
export function membersQuery(id: string) {
  return queryOptions({
    queryKey: ["product-members", id],
    queryFn: async () =>
      (await call("GET /api/products/:id/members", { params: { id } })).members ?? 0,
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

type FormWrite = { readonly form: FormData; readonly key: string };
/** An image leaves a slow phone slowly. */
const UPLOAD = { timeoutMs: 60_000, waits: true } as const;

export function usePublishProduct() {
  const put = usePutProduct();
  return useMutation({
    mutationFn: (write: FormWrite) => call("POST /api/products", { ...write, ...UPLOAD }),
    onSuccess: (answer) => put(answer.product),
  });
}

export function useSaveProduct(id: string) {
  const put = usePutProduct();
  return useMutation({
    mutationFn: (write: FormWrite) =>
      call("PUT /api/products/:id", { params: { id }, ...write, ...UPLOAD }),
    onSuccess: (answer) => put(answer.product),
  });
}

export function useSwitchProduct() {
  const put = usePutProduct();
  return useMutation({
    mutationFn: ({ id, on }: { id: string; on: boolean }) =>
      call("PUT /api/products/:id", {
        params: { id },
        body: { status: on ? "active" : "inactive" },
        waits: true,
      }),
    onSuccess: (answer) => put(answer.product),
  });
}

export function useArchiveProduct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call("DELETE /api/products/:id", { params: { id }, waits: true }),
    onSuccess: (_answer, id) => {
      client.setQueryData<ProductOnWire[]>(keys.products, (before) =>
        before?.filter((product) => product.id !== id),
      );
      void client.invalidateQueries({ queryKey: keys.products });
      void client.invalidateQueries({ queryKey: keys.channels });
    },
  });
}
