import type { PublicShopOnWire } from "@sesame/contract/catalogue";
import { ShopPage } from "../features/checkout/shop-page.tsx";
import { useEffect, useRef } from "react";
import { readLaunch } from "../telegram/launch.ts";
import { openProduct, type Place, showProduct } from "./page.ts";
import { useBridge } from "./use-bridge.ts";

export type ShopViewProps = Omit<Place, "page"> & {
  readonly shop: PublicShopOnWire;
  /** The product that was tapped before the page was alive. */
  readonly tapped?: true | string | undefined;
};

export function ShopView({ shop, tapped, back, go }: ShopViewProps) {
  const bridge = useBridge(back);
  const open = (reference: string) => {
    if (!readLaunch()) return false;
    bridge?.haptic("light");
    showProduct(go, reference);
    return true;
  };
  const opened = useRef(tapped);
  useEffect(() => {
    const reference = opened.current;
    opened.current = undefined;
    if (typeof reference === "string" && !open(reference)) openProduct(reference);
  });
  return <ShopPage shop={shop} onOpen={open} />;
}
