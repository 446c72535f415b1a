import type { AnswerOf } from "@sesame/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { copyText } from "../../lib/copy-text.ts";
import { read } from "../../lib/read.ts";
import { useUser } from "../../lib/use-seller.ts";
import { haptic, openLink, shareByTelegram } from "../../telegram/native.ts";
import { Banner, Button, TintedButton } from "../../kit/button.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { Grid, Section } from "../../kit/layout.tsx";
import { toast } from "../../kit/toast.tsx";
import styles from "./catalogue.module.css";
import { catalogueCopy, shopCopy as copy } from "./messages.fr.ts";

const words = catalogueCopy.card;

/** The seller's public shop (decision 43): its two links, and what stands there. */
export function MyShop() {
  const shop = useQuery(read("GET /api/shop"));
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {shop.data ? <Links shop={shop.data} /> : <NotYet query={shop} copy={copy} />}
    </Page>
  );
}

function Links({ shop }: { shop: AnswerOf<"GET /api/shop"> }) {
  const name = useUser()?.nom ?? "";
  if (!shop.open) {
    return <Banner>{copy.closed}</Banner>;
  }
  if (shop.products === 0) {
    return (
      <Empty of={["product", copy.empty, copy.emptyText]}>
        <Button href="/ProductsList">{copy.toProducts}</Button>
      </Empty>
    );
  }
  return (
    <>
      <LinkBox
        title={copy.everywhere}
        text={copy.everywhereText(shop.products)}
        label={copy.everywhereLink}
        link={shop.page_url}
        beside={
          <Button icon="eye" onClick={() => openLink(shop.page_url)}>
            {copy.see}
          </Button>
        }
      />
      <LinkBox
        title={copy.inTelegram}
        text={copy.inTelegramText}
        label={copy.inTelegramLink}
        link={shop.share_link}
        beside={
          <Button icon="send" onClick={() => shareByTelegram(shop.share_link, copy.message(name))}>
            {words.byTelegram}
          </Button>
        }
      />
    </>
  );
}

/** A link to read and to copy: selected by hand where the clipboard is refused (A §8). */
export function LinkBox(props: {
  title: string;
  /** What the link is for; replaced by how to copy it by hand when the clipboard is refused. */
  text: string;
  /** The field's name for screen readers. */
  label: string;
  link: string;
  lead?: ReactNode;
  /** Beside the button that copies. */
  beside: ReactNode;
}) {
  const [failed, setFailed] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const copyLink = async () => {
    const copied = await copyText(props.link);
    setFailed(!copied);
    haptic(copied ? "success" : "warning");
    if (copied) toast(words.copied);
    else field.current?.select();
  };
  return (
    <Section
      pad
      title={props.title}
      footer={failed ? <span role="alert">{words.copyFailed}</span> : props.text}
    >
      {props.lead}
      <input
        ref={field}
        className={styles.link}
        aria-label={props.label}
        value={props.link}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Grid least="15rem">
        <TintedButton icon="copy" onClick={() => void copyLink()}>
          {words.copy}
        </TintedButton>
        {props.beside}
      </Grid>
    </Section>
  );
}
