import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { call } from "../../lib/api.ts";
import { read } from "../../lib/read.ts";
import { productsQuery } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useProduct, useProducts, useRefreshAll } from "../../lib/use-seller.ts";

function productQuery(id: string) {
  return read("GET /api/products/:id", { params: { id }, pick: "product" });
}

/** A product that is not among the listed ones is asked for by itself, e.g. just published. */
export function useAnyProduct(id: string) {
  const listed = useProduct(id);
  const { isPending } = useProducts();
  const single = useQuery({ ...productQuery(id), enabled: !listed && !isPending });
  return { product: listed ?? single.data, isPending: isPending || single.isPending };
}

/** Puts a product the server answered into the list at once, then asks for the list anew. */
export function usePutProduct() {
  const client = useQueryClient();
  const refreshAll = useRefreshAll();
  const list = productsQuery(useUserId()).queryKey;
  return ({ product }: { readonly product?: ProductOnWire }) => {
    if (product?.id) {
      client.setQueryData(list, (before = []) =>
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

/** Null id: a new one. */
export function useSaveProduct(id: string | null) {
  return useMutation({
    mutationFn: (write: FormWrite) =>
      id === null
        ? call("POST /api/products", { ...write, ...UPLOAD })
        : call("PUT /api/products/:id", { params: { id }, ...write, ...UPLOAD }),
    onSuccess: usePutProduct(),
  });
}
