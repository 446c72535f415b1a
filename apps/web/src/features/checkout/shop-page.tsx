import type { PublicShopOnWire, ShopProductOnWire } from "@sesame/contract/catalogue";
import { useEffect, useRef } from "react";
import { openProduct, type Place, showProduct } from "../../buyer/page.ts";
import { useBridge } from "../../buyer/use-bridge.ts";
import { formatFcfa } from "../../lib/format.ts";
import { readLaunch } from "../../telegram/launch.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { checkoutCopy } from "./messages.fr.ts";
import { shopPageCopy } from "./rare-messages.fr.ts";
import { srcSet } from "./product-page.tsx";

const copy = shopPageCopy;

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
  const opened = useRef(tapped);
  useEffect(() => {
    const reference = opened.current;
    opened.current = undefined;
    if (typeof reference === "string" && !open(reference)) openProduct(reference);
  });
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
              <Thumbnail product={product} early={at < EARLY} />
              <span className={styles.words}>
                <span className={common.name}>{product.title}</span>
                <Price product={product} />
                <Places left={product.places_left} />
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

function Places({ left }: { left: number | null }) {
  if (left === null || left > FEW) return null;
  return <span className={common.late}>{left === 0 ? copy.full : copy.left(left)}</span>;
}

/** At most so many places left are shown as a number. */
const FEW = 5;
/** Images of the first screen load at once, the others near the viewport. */
const EARLY = 4;
const SIZES = "96px";

function Thumbnail({ product, early }: { product: ShopProductOnWire; early: boolean }) {
  const { picture } = product;
  if (!picture) return <span className={styles.picture} />;
  return (
    <picture className={styles.picture}>
      <source type="image/avif" srcSet={srcSet(picture, "avif")} sizes={SIZES} />
      <img
        src={product.image_url ?? undefined}
        srcSet={srcSet(picture, "jpeg")}
        sizes={SIZES}
        width={picture.width}
        height={picture.height}
        alt=""
        loading={early ? undefined : "lazy"}
        decoding="async"
      />
    </picture>
  );
}
