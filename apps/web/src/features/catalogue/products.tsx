import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { read } from "../../lib/read.ts";
import { formatFcfa } from "../../lib/format.ts";
import { productsQuery } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useProducts, useRefreshAll } from "../../lib/use-seller.ts";
import { Screen } from "../../kit/screen.tsx";
import { shareByTelegram } from "../../telegram/native.ts";
import { catalogueCopy as copy } from "./messages.fr.ts";

/** Opens Telegram's list of chats, to send the purchase link with a word on what it sells. */
export function shareProduct({ title, price, group, share_link: link }: ProductOnWire) {
  const words = group === null ? copy.donation : copy.card;
  shareByTelegram(link, words.message(title, formatFcfa(price)));
}

function productQuery(id: string) {
  return read("GET /api/products/:id", { params: { id }, pick: "product" });
}

/** A product that is not in the list, such as one just published, is read by its id. */
export function OneProduct(props: {
  id: string;
  title: string;
  children(product: ProductOnWire): ReactNode;
}) {
  const { id, ...shown } = props;
  const seller = useUserId();
  const { data, isPending } = useProducts();
  const isIt = (product: ProductOnWire) => product.id === id;
  const screen = {
    ...shown,
    missing: copy.card.missing,
    missingText: copy.card.missingText,
    back: { label: copy.card.back, href: "/ProductsList" },
  };
  if (!isPending && !data?.some(isIt)) return <Screen of={productQuery(id)} {...screen} />;
  const list = { ...productsQuery(seller), enabled: seller !== "" };
  return <Screen of={{ ...list, select: (all) => all.find(isIt) }} {...screen} />;
}

/** Puts the product that the server answered into the list, then reads the list again. */
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
