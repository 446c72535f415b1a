import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useRef, useState } from "react";
import { copyText } from "../../../lib/copy-text.ts";
import { formatFcfa } from "../../../lib/format.ts";
import { haptic, shareByTelegram } from "../../../telegram/native.ts";
import { Button } from "../../../ui/button.tsx";
import { Section } from "../../../ui/section.tsx";
import { toast } from "../../../ui/toast.tsx";
import styles from "../catalogue.module.css";
import { catalogueCopy } from "../copy.fr.ts";

const copy = catalogueCopy.card;

/** The purchase link: read, copied, or sent by Telegram. */
export function ShareBlock({ product }: { product: ProductOnWire }) {
  const [failed, setFailed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const link = product.share_link;
  const gift = product.group === null ? catalogueCopy.donation : null;
  const shareText = gift?.shareText ?? copy.shareText;
  const message =
    gift?.message(product.title) ?? copy.message(product.title, formatFcfa(product.price));
  const copyLink = async () => {
    const copied = await copyText(link);
    setFailed(!copied);
    haptic(copied ? "success" : "warning");
    if (copied) toast(copy.copied);
    else field.current?.select();
  };
  return (
    <Section title={copy.share} footer={failed ? copy.copyFailed : shareText}>
      <div className={styles.share}>
        <p className={styles.reference}>
          <span>{copy.reference}</span>
          <strong>{product.reference}</strong>
        </p>
        <input
          ref={field}
          className={styles.link}
          aria-label={copy.link}
          value={link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className={styles.shareButtons}>
          <Button icon="copy" look="tinted" onClick={() => void copyLink()}>
            {copy.copy}
          </Button>
          <Button icon="send" onClick={() => shareByTelegram(link, message)}>
            {copy.byTelegram}
          </Button>
        </div>
      </div>
    </Section>
  );
}
