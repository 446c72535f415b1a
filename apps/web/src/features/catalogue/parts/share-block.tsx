import type { ProductOnWire } from "@sesame/contract/catalogue";
import { formatFcfa } from "../../../lib/format.ts";
import { shareByTelegram } from "../../../telegram/native.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "../catalogue.module.css";
import { catalogueCopy } from "../messages.fr.ts";
import { LinkBox } from "./link-box.tsx";

const copy = catalogueCopy.card;

/** The purchase link: read, copied, or sent by Telegram. */
export function ShareBlock({ product }: { product: ProductOnWire }) {
  const link = product.share_link;
  const gift = product.group === null ? catalogueCopy.donation : null;
  const message =
    gift?.message(product.title) ?? copy.message(product.title, formatFcfa(product.price));
  return (
    <LinkBox
      title={copy.share}
      text={gift?.shareText ?? copy.shareText}
      label={copy.link}
      link={link}
      lead={
        <p className={styles.reference}>
          <span>{copy.reference}</span>
          <strong>{product.reference}</strong>
        </p>
      }
      beside={
        <Button icon="send" onClick={() => shareByTelegram(link, message)}>
          {copy.byTelegram}
        </Button>
      }
    />
  );
}
