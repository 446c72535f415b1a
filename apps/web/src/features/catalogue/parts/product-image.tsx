import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useState } from "react";
import { Icon } from "../../../kit/icons.tsx";
import styles from "../catalogue.module.css";

/** The product's picture in the lightest format the phone reads; a placeholder when it fails. */
export function ProductImage(props: { product: ProductOnWire; alt?: string; sizes: string }) {
  const { product, alt = "", sizes } = props;
  const [broken, setBroken] = useState(false);
  const { picture, image_url } = product;
  if (broken || !image_url) {
    return (
      <span className={styles.noImage} role={alt ? "img" : undefined} aria-label={alt || undefined}>
        <Icon name="image" size={32} />
      </span>
    );
  }
  const set = (format: "avif" | "jpeg") =>
    picture?.sources.map((source) => `${source[format]} ${source.width}w`).join(", ");
  return (
    <picture className={styles.picture}>
      {picture ? <source type="image/avif" srcSet={set("avif")} sizes={sizes} /> : null}
      <img
        src={image_url}
        srcSet={set("jpeg")}
        sizes={sizes}
        width={picture?.width}
        height={picture?.height}
        alt={alt}
        decoding="async"
        onError={() => setBroken(true)}
      />
    </picture>
  );
}
