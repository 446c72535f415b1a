import type { PublicShopOnWire, ShopProductOnWire } from "@sesame/contract/catalogue";
import { useEffect, useEffectEvent } from "react";
import { openProduct, type Place, showProduct } from "../../buyer/page.ts";
import { useBridge } from "../../buyer/use-bridge.ts";
import { formatFcfa } from "../../lib/format.ts";
import { readLaunch } from "../../telegram/launch.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { checkoutCopy } from "./messages.fr.ts";
import { shopPageCopy as copy } from "./rare-messages.fr.ts";
import { Picture } from "./product-page.tsx";

type ShopProps = Omit<Place, "page"> & {
  readonly shop: PublicShopOnWire;
  /** The product that was tapped before the page was alive. */
  readonly tapped?: true | string | undefined;
};

/** A seller's shop (decision 43): rendered by the server, and its links work without a script. */
export function ShopView({ shop, tapped, back, go }: ShopProps) {
  const bridge = useBridge(back);
  /** Opens the product in place, inside Telegram. False: the link is followed. */
  const open = (reference: string) => {
    if (!readLaunch()) return false;
    bridge?.haptic("light");
    showProduct(go, reference);
    return true;
  };
  const openTapped = useEffectEvent(() => {
    if (typeof tapped === "string" && !open(tapped)) openProduct(tapped);
  });
  useEffect(() => openTapped(), []);
  const { seller, products } = shop;
  return (
    <main className={common.page}>
      <header className={styles.head}>
        <p>{copy.kind}</p>
        <h1 className={common.title}>{seller.name}</h1>
        <p>{products.length === 0 ? copy.none : copy.count(products.length)}</p>
      </header>
      {products.length === 0 ? <p className={common.card}>{copy.noneText}</p> : null}
      <ul className={common.list}>
        {products.map((product, at) => (
          <li key={product.reference}>
            <a
              className={styles.item}
              href={`/achats?reference=${product.reference}`}
              data-product={product.reference}
              onClick={(event) => {
                if (open(product.reference)) event.preventDefault();
              }}
            >
              <Picture
                of={product}
                look={styles.picture}
                sizes="96px"
                loading={at < EARLY ? undefined : "lazy"}
              />
              <span className={styles.words}>
                <span className={common.name}>{product.title}</span>
                <Price product={product} />
                {product.places_left !== null && product.places_left <= FEW ? (
                  <span className={common.late}>
                    {product.places_left === 0 ? copy.full : copy.left(product.places_left)}
                  </span>
                ) : null}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}

function Price({ product }: { product: ShopProductOnWire }) {
  const { donation } = checkoutCopy;
  const price = formatFcfa(product.price);
  const gift = product.kind === "donation";
  return (
    <span className={styles.cost}>
      <strong>{gift ? donation.free : price}</strong> ·{" "}
      <span>{gift ? donation.least(price) : product.duration_label}</span>
    </span>
  );
}

/** At most so many places left are shown as a number. */
const FEW = 5;
/** Images of the first screen load at once, the others near the viewport. */
const EARLY = 4;
