import type { PictureOnWire, PublicProductOnWire } from "@sesame/contract/catalogue";
import { formatFcfa } from "../../lib/format.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { checkoutCopy as copy } from "./messages.fr.ts";

export type ProductPageProps = {
  readonly product: PublicProductOnWire;
  /** Opens the product in Telegram, for a reader in a plain browser. */
  readonly telegramLink: string | null;
  /** The reader is the seller, who cannot buy the product. */
  readonly own: boolean;
  /** The access that a payment prolongs, in words. */
  readonly renews: string | null;
  onBuy(): void;
  onReport(): void;
  /** Opens what the reader bought before. */
  onAccesses(): void;
  /** Opens the order that is being paid already; null when there is none. */
  readonly onFollow: (() => void) | null;
};

/** The product's page, rendered by the server: it has both buttons, and CSS shows one. */
export function ProductPage(props: ProductPageProps) {
  const { product, telegramLink, own, renews, onBuy, onReport, onAccesses, onFollow } = props;
  const { group } = product;
  const gift = group ? null : copy.donation;
  const sellable = product.status === "active" && product.providers.length > 0;
  return (
    <main className={styles.whole}>
      <Cover product={product} />
      <div className={styles.body}>
        <p className={common.hint}>
          {group ? (copy.groupKind[group.type] ?? group.name) : copy.donation.kind}
        </p>
        <h1 className={common.title}>{product.title}</h1>
        <a className={styles.seller} href={`/boutique/${product.seller.id}`}>
          {(gift?.forSeller ?? copy.soldBy)(product.seller.name)}
        </a>
        <p className={styles.price}>
          <strong>{gift ? gift.free : formatFcfa(product.price)}</strong>
          <span> · {gift ? gift.least(formatFcfa(product.price)) : product.duration_label}</span>
        </p>
        {product.description ? (
          <section className={styles.section}>
            <h2>{gift?.message ?? copy.descriptionTitle}</h2>
            <p className={common.lines}>{product.description}</p>
          </section>
        ) : null}
        <section className={styles.section}>
          <h2>{copy.howTitle}</h2>
          <ol className={styles.how}>
            {(gift ?? copy).how.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </section>
        <button className={styles.report} type="button" onClick={onAccesses}>
          {copy.status.myAccesses}
        </button>
        <button className={styles.report} type="button" onClick={onReport}>
          {copy.report}
        </button>
      </div>
      <div className={styles.bar}>
        {onFollow ? (
          <p className={styles.underWay}>
            {copy.underWay}{" "}
            <button className={common.link} type="button" onClick={onFollow}>
              {copy.follow}
            </button>
          </p>
        ) : null}
        {renews ? <p className={styles.underWay}>{renews}</p> : null}
        {own || !sellable ? (
          <p className={common.note} role="status">
            {own ? copy.own : product.providers.length > 0 ? copy.notOnSale : copy.noProvider}
          </p>
        ) : product.places_left === 0 && !renews ? (
          <>
            <p className={common.note} role="status">
              {copy.full}
            </p>
            <button className={styles.report} type="button" onClick={onBuy}>
              {copy.renew}
            </button>
            <OutsideButton link={telegramLink} />
          </>
        ) : (
          <>
            <button className={styles.buy} type="button" data-buy="" onClick={onBuy}>
              {renews ? copy.renew : (gift?.give ?? copy.buy)}
            </button>
            <OutsideButton link={telegramLink} />
          </>
        )}
      </div>
    </main>
  );
}

function OutsideButton({ link }: { link: string | null }) {
  if (!link) return null;
  return (
    <div className={styles.outside}>
      <a className={styles.buy} href={link}>
        {copy.openInTelegram}
      </a>
      <p className={common.note}>{copy.openInTelegramHint}</p>
    </div>
  );
}

const SIZES = "(max-width: 480px) 100vw, 480px";

export function srcSet(picture: PictureOnWire, format: "avif" | "jpeg"): string {
  return picture.sources.map((source) => `${source[format]} ${source.width}w`).join(", ");
}

/** AVIF by size, else JPEG; the box keeps its size while the image loads. */
function Cover({ product }: { product: PublicProductOnWire }) {
  const { picture } = product;
  if (!picture) return <div className={styles.cover} aria-hidden="true" />;
  return (
    <picture className={styles.cover}>
      <source type="image/avif" srcSet={srcSet(picture, "avif")} sizes={SIZES} />
      <img
        src={product.image_url ?? undefined}
        srcSet={srcSet(picture, "jpeg")}
        sizes={SIZES}
        width={picture.width}
        height={picture.height}
        alt=""
        fetchPriority="high"
        decoding="async"
      />
    </picture>
  );
}

export type NoticePageProps = {
  readonly title: string;
  readonly text: string;
  readonly botLink: string | null;
};

/** Says that there is nothing to show here, and where to go. */
export function NoticePage({ title, text, botLink }: NoticePageProps) {
  return (
    <main className={styles.whole}>
      <div className={common.empty}>
        <h1 className={common.title}>{title}</h1>
        <p>{text}</p>
        {botLink ? (
          <a className={styles.buy} href={botLink}>
            {copy.openInTelegram}
          </a>
        ) : null}
      </div>
    </main>
  );
}
