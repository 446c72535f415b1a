import type { PublicProductOnWire } from "@sesame/contract/catalogue";
import { type ComponentProps, useEffect, useState } from "react";
import { forgetOrder, rememberedOrder, rememberOrder } from "../../buyer/last-order.ts";
import { type BuyerPage, type BuyerView, type Place, telegramLink } from "../../buyer/page.ts";
import { PayFlow } from "../../buyer/pay-flow.tsx";
import { call, personId, real } from "../../buyer/session.ts";
import { useBridge } from "../../buyer/use-bridge.ts";
import { usePart } from "../../buyer/use-part.ts";
import { formatFcfa } from "../../lib/format.ts";
import { readLaunch } from "../../telegram/launch.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { checkoutCopy as copy } from "./messages.fr.ts";

const loadDonation = () => import("./donation-sheet.tsx");
const loadReport = () => import("./report-sheet.tsx");

/** The product's page, rendered by the server: it has both buttons, and CSS shows one. */
export function ProductView(props: Place & Extract<BuyerView, { at: "product" }>) {
  const { page, product, back, paying, renews, go } = props;
  const bridge = useBridge(back);
  const { reference } = product;
  const [open, setOpen] = useState<"none" | "amount" | "payment" | "report">("none");
  const [amount, setAmount] = useState(product.price);
  const first = product.group ? "payment" : "amount";
  const donation = usePart(open === "amount", loadDonation);
  const report = usePart(open === "report", loadReport);
  const underWay = useOrderUnderWay(reference);
  const [own, setOwn] = useState(false);
  useEffect(() => {
    if (paying && readLaunch()) setOpen(first);
  }, [paying, first]);

  useEffect(() => {
    // Signs in ahead of the purchase, and counts one view a day (decision 39).
    if (!readLaunch()) return;
    call("GET /api/public/products/:reference", { params: { reference } }).then(
      () => setOwn(personId() === product.seller.id),
      () => {},
    );
  }, [product, reference]);

  const close = () => setOpen("none");
  const buy = () => {
    bridge?.haptic("light");
    setOpen(first);
  };
  const { group } = product;
  const gift = group ? null : copy.donation;
  const sellable = product.status === "active" && product.providers.length > 0;
  const full = product.places_left === 0;
  const link = telegramLink(page, reference);
  return (
    <>
      <main className={styles.whole}>
        <Picture
          of={product}
          look={styles.cover}
          sizes="(max-width: 480px) 100vw, 480px"
          fetchPriority="high"
        />
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
          <button className={styles.report} type="button" onClick={() => go({ at: "accesses" })}>
            {copy.status.myAccesses}
          </button>
          <button className={styles.report} type="button" onClick={() => setOpen("report")}>
            {copy.report}
          </button>
        </div>
        <div className={styles.bar}>
          {underWay !== null ? (
            <p className={styles.underWay}>
              {copy.underWay}{" "}
              <button
                className={common.link}
                type="button"
                onClick={() => go({ at: "order", orderId: underWay })}
              >
                {copy.follow}
              </button>
            </p>
          ) : null}
          {renews && !full ? <p className={styles.underWay}>{renews}</p> : null}
          {own || !sellable ? (
            <p className={common.note} role="status">
              {own ? copy.own : product.providers.length > 0 ? copy.notOnSale : copy.noProvider}
            </p>
          ) : (
            <>
              {full ? (
                <p className={common.note} role="status">
                  {copy.full}
                </p>
              ) : null}
              <button
                className={full ? styles.report : styles.buy}
                type="button"
                data-buy={full ? undefined : ""}
                onClick={buy}
              >
                {full || renews ? copy.renew : (gift?.give ?? copy.buy)}
              </button>
              {link ? (
                <div className={styles.outside}>
                  <a className={styles.buy} href={link}>
                    {copy.openInTelegram}
                  </a>
                  <p className={common.note}>{copy.openInTelegramHint}</p>
                </div>
              ) : null}
            </>
          )}
        </div>
      </main>
      {report && open === "report" ? (
        <report.ReportSheet
          send={async (words) =>
            (await call("POST /api/reports", { body: { reference, ...words } })).message
          }
          onClose={close}
        />
      ) : null}
      {donation && open === "amount" ? (
        <donation.DonationSheet
          minimum={product.price}
          suggestions={product.suggestions}
          onChoose={(francs) => {
            setAmount(francs);
            setOpen("payment");
          }}
          onClose={close}
        />
      ) : null}
      {open === "payment" ? (
        <PayFlow
          amount={amount}
          gift={gift !== null}
          reference={reference}
          providers={page.providers.filter(({ id }) => product.providers.includes(id))}
          onOpened={(orderId) => {
            rememberOrder(reference, orderId);
            close();
            go({ at: "order", orderId });
          }}
          onClose={close}
        />
      ) : null}
    </>
  );
}

/** The number of an order that was begun here and that the server says is not paid yet. */
function useOrderUnderWay(reference: string): string | null {
  const [underWay, setUnderWay] = useState<string | null>(null);
  useEffect(() => {
    const orderId = readLaunch() ? rememberedOrder(reference) : null;
    if (orderId === null) return;
    call("GET /api/orders/:id", { params: { id: orderId } })
      .then(real)
      .then(
        ({ status }) => {
          if (status === "pending") setUnderWay(orderId);
          else forgetOrder(reference);
        },
        () => {},
      );
  }, [reference]);
  return underWay;
}

type PictureProps = Pick<ComponentProps<"img">, "sizes" | "fetchPriority" | "loading"> & {
  readonly of: Pick<PublicProductOnWire, "picture" | "image_url">;
  readonly look: string | undefined;
};

/** AVIF by size, else JPEG; the box keeps its size while the image loads. */
export function Picture({ of: { picture, image_url: url }, look, sizes, ...when }: PictureProps) {
  if (!picture) {
    return (
      <div className={look} aria-hidden="true">
        <span />
      </div>
    );
  }
  const srcSet = (format: "avif" | "jpeg") =>
    picture.sources.map((source) => `${source[format]} ${source.width}w`).join(", ");
  return (
    <picture className={look}>
      <source type="image/avif" srcSet={srcSet("avif")} sizes={sizes} />
      <img
        src={url ?? undefined}
        srcSet={srcSet("jpeg")}
        sizes={sizes}
        width={picture.width}
        height={picture.height}
        alt=""
        decoding="async"
        {...when}
      />
    </picture>
  );
}

/** Says that there is nothing to show here, and where to go. */
export function NoticePage(props: { title: string; text: string; page: BuyerPage }) {
  const { botUsername } = props.page;
  return (
    <main className={styles.whole}>
      <div className={common.empty}>
        <h1 className={common.title}>{props.title}</h1>
        <p>{props.text}</p>
        {botUsername ? (
          <a className={styles.buy} href={`https://t.me/${botUsername}`}>
            {copy.openInTelegram}
          </a>
        ) : null}
      </div>
    </main>
  );
}
