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
  const name = useUser()?.nom ?? "";
  const { page_url: page = "", share_link: link = "" } = shop.data ?? {};
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {!shop.data ? (
        <NotYet query={shop} copy={copy} />
      ) : !shop.data.open ? (
        <Banner>{copy.closed}</Banner>
      ) : shop.data.products === 0 ? (
        <Empty of={["product", copy.empty, copy.emptyText]}>
          <Button href="/ProductsList">{words.back}</Button>
        </Empty>
      ) : (
        <>
          <LinkBox
            title={copy.everywhere}
            text={copy.everywhereText(shop.data.products)}
            label={copy.everywhereLink}
            link={page}
            beside={
              <Button look="tinted" icon="eye" onClick={() => openLink(page)}>
                {copy.see}
              </Button>
            }
          />
          <LinkBox
            title={copy.inTelegram}
            text={copy.inTelegramText}
            label={copy.inTelegramLink}
            link={link}
            beside={
              <Button icon="send" onClick={() => shareByTelegram(link, copy.message(name))}>
                {words.byTelegram}
              </Button>
            }
          />
        </>
      )}
    </Page>
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
