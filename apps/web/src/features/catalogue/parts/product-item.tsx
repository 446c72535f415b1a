import type { ProductOnWire } from "@sesame/contract/catalogue";
import { Link } from "wouter";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { IconButton } from "../../../kit/button.tsx";
import { Line, Text } from "../../../kit/layout.tsx";
import styles from "../catalogue.module.css";
import { catalogueCopy } from "../messages.fr.ts";
import { ProductImage } from "./product-image.tsx";
import { StatusBadge } from "./status-badge.tsx";

const copy = catalogueCopy.list;

function sayPrice(product: ProductOnWire): string {
  const price = formatFcfa(product.price);
  return product.group ? price : catalogueCopy.donation.price(price);
}

function sayFacts({ sales, views, group }: ProductOnWire): string {
  const sold = group ? copy.sales : catalogueCopy.donation.gifts;
  const facts = [sold(formatNumber(sales), sales > 1), copy.views(formatNumber(views), views > 1)];
  return [...facts, ...(group ? [group.name] : [])].join(" · ");
}

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
          <Text as="span" clamp strong>
            {product.title}
          </Text>
          <Text as="span" tone="green" strong>
            {sayPrice(product)}
          </Text>
          <Line as="span" soft>
            <StatusBadge status={product.status} />
            <span>{product.group ? product.duration_label : catalogueCopy.donation.kind}</span>
          </Line>
          {grid ? null : (
            <Line as="span" soft>
              {sayFacts(product)}
            </Line>
          )}
        </span>
      </Link>
      <span className={styles.more}>
        <IconButton icon="more" label={copy.actions(product.title)} onClick={props.onActions} />
      </span>
    </li>
  );
}
