import type { ProductOnWire } from "@sesame/contract/catalogue";
import { Link } from "wouter";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { IconButton } from "../../../ui/button.tsx";
import styles from "../catalogue.module.css";
import { catalogueCopy } from "../copy.fr.ts";
import { ProductImage } from "./product-image.tsx";
import { StatusBadge } from "./status-badge.tsx";

const copy = catalogueCopy.list;

/** One product of the catalogue, as a row or as a tile. */
export function ProductItem(props: { product: ProductOnWire; onActions(): void; grid: boolean }) {
  const { product, grid } = props;
  return (
    <li className={grid ? styles.tile : styles.row}>
      <Link href={`/ProductCard/${product.id}`} className={styles.open}>
        <span className={styles.thumb}>
          <ProductImage product={product} sizes={grid ? "50vw" : "72px"} />
        </span>
        <span className={styles.words}>
          <span className={styles.title}>{product.title}</span>
          <span className={styles.price}>{formatFcfa(product.price)}</span>
          <span className={styles.facts}>
            <StatusBadge status={product.status} />
            <span>{product.duration_label}</span>
          </span>
          {grid ? null : (
            <span className={styles.facts}>
              {copy.sales(formatNumber(product.sales), product.sales > 1)} ·{" "}
              {copy.views(formatNumber(product.views), product.views > 1)} · {product.group.name}
            </span>
          )}
        </span>
      </Link>
      <span className={styles.more}>
        <IconButton icon="more" label={copy.actions(product.title)} onClick={props.onActions} />
      </span>
    </li>
  );
}
