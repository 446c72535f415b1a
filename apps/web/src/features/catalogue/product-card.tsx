import { type ProductOnWire, PRODUCT_TEXT_KEYS, PRODUCT_TEXTS } from "@sesame/contract/catalogue";
import { useQuery } from "@tanstack/react-query";
import { read } from "../../lib/read.ts";
import { formatDay, formatFcfa, formatNumber } from "../../lib/format.ts";
import { Banner, Button, TintedButton } from "../../kit/button.tsx";
import { SwitchCell } from "../../kit/choices.tsx";
import { NotYet } from "../../kit/screen.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Card, Cell, Fold, Heading, Line, Section, Stack, Text, Title } from "../../kit/layout.tsx";
import { Acts } from "../../kit/use-action.tsx";
import styles from "./catalogue.module.css";
import { catalogueCopy } from "./messages.fr.ts";
import { LinkBox } from "./my-shop.tsx";
import {
  ProductImage,
  StatusBadge,
  SubscriptionRows,
  useArchive,
  useToggleSale,
} from "./product-parts.tsx";
import { OneProduct, shareProduct } from "./products.tsx";

const copy = catalogueCopy.card;

export function ProductCard({ id }: { id: string }) {
  return (
    <OneProduct id={id} title={catalogueCopy.list.title}>
      {(product) => <Known product={product} />}
    </OneProduct>
  );
}

function Known({ product }: { product: ProductOnWire }) {
  const archive = useArchive(product);
  const { isOn, toggle } = useToggleSale(product);
  const { group } = product;
  const gift = group ? null : catalogueCopy.donation;
  return (
    <Stack gap={5} page>
      <div className={styles.cover}>
        <ProductImage
          product={product}
          alt={product.image_url ? copy.cover(product.title) : ""}
          sizes="(max-width: 560px) 100vw, 560px"
        />
      </div>
      <Stack as="header" gap={2}>
        <Line soft>
          <StatusBadge status={product.status} />
          <span>{copy.createdOn(formatDay(product.created_at))}</span>
        </Line>
        <Title>{product.title}</Title>
        <Text size="hero">
          {gift ? gift.free(formatFcfa(product.price)) : formatFcfa(product.price)}
        </Text>
      </Stack>
      {product.status === "pending" && product.status_reason ? (
        <Banner>{product.status_reason}</Banner>
      ) : null}
      <LinkBox
        title={copy.share}
        text={product.status === "active" ? (gift?.shareText ?? copy.shareText) : copy.shareClosed}
        label={copy.link}
        link={product.share_link}
        lead={
          <Line as="p" between soft>
            <span>{copy.reference}</span>
            <Text as="strong" size="body" code>
              {product.reference}
            </Text>
          </Line>
        }
        beside={
          <Button icon="send" onClick={() => shareProduct(product)}>
            {copy.byTelegram}
          </Button>
        }
      />
      <Overview product={product} />
      {PRODUCT_TEXT_KEYS.map((key) => (
        <Section key={key} title={PRODUCT_TEXTS[key].label}>
          <Text pad lines>
            {product[key] || PRODUCT_TEXTS[key].none}
          </Text>
        </Section>
      ))}
      <Section>
        <SwitchCell icon="bag" label={catalogueCopy.list.sell} checked={isOn} onChange={toggle} />
        {group ? (
          <Cell
            icon={group.type === "canal" ? "megaphone" : "people"}
            title={group.name}
            subtitle={group.type === "canal" ? catalogueCopy.channel : catalogueCopy.group}
            href={`/GroupeDetail/${product.idGroup}/${group.type}/${encodeURIComponent(group.name)}`}
          />
        ) : null}
        <Cell
          icon="document"
          title={catalogueCopy.list.categoryLabel}
          after={catalogueCopy.category[product.category]}
        />
      </Section>
      <SubscriptionHistory product={product} />
      <Stack>
        <TintedButton icon="edit" href={`/ModifierProduit/${product.id}`}>
          {gift?.edit ?? catalogueCopy.form.edit.title}
        </TintedButton>
        <Acts of={archive} />
      </Stack>
    </Stack>
  );
}

function Overview({ product }: { product: ProductOnWire }) {
  const gift = product.group === null ? catalogueCopy.donation : null;
  const sold = formatNumber(product.sales);
  const amounts = product.suggestions.map(formatNumber).join(" · ");
  const split = (
    <>
      {sold}
      <Text size="tiny" tone="soft">
        {copy.salesSplit(product.sales_new, product.sales_renewed)}
      </Text>
    </>
  );
  const places =
    product.stock === null ? (
      <>
        <span aria-hidden="true">{copy.unlimited}</span>
        <span className="visually-hidden">{copy.unlimitedAloud}</span>
      </>
    ) : (
      formatNumber(product.stock)
    );
  return (
    <Section pad title={copy.overview}>
      <Facts
        facts={[
          gift ? [gift.giftsTitle, sold] : [copy.sales, product.sales > 0 ? split : sold],
          gift
            ? [gift.suggestions, amounts || gift.noSuggestion]
            : [copy.duration, product.duration_label],
          [copy.gross, formatFcfa(product.revenue_gross)],
          [copy.net, formatFcfa(product.revenue_net), true],
          [copy.views, formatNumber(product.views)],
          [copy.places, gift ? null : places],
        ]}
      />
    </Section>
  );
}

const HISTORY = { loading: copy.historyLoading, loadFailed: copy.historyFailed };

/** A §2: the newest. */
const NEWEST = 5;

/** The newest of a product, folded away at will. */
function SubscriptionHistory({ product }: { product: ProductOnWire }) {
  const query = { product: product.id, limit: NEWEST };
  const newest = useQuery(read("GET /api/subscriptions", { query }));
  const rows = newest.data?.subscriptions ?? [];
  const gift = product.group ? null : catalogueCopy.donation;
  return (
    <Card flush gap={1}>
      <Fold open title={<Heading>{gift?.giftsTitle ?? copy.history}</Heading>}>
        {!newest.data ? (
          <NotYet query={newest} copy={HISTORY} rows={3} />
        ) : rows.length === 0 ? (
          <Text tone="soft" pad>
            {gift?.historyNone ?? copy.historyNone}
          </Text>
        ) : (
          <>
            <SubscriptionRows rows={rows} />
            <Cell
              href={`/ProductCard/${product.id}/abonnements`}
              title={
                <Text as="span" tone="green" strong>
                  {copy.seeAll(newest.data.total)}
                </Text>
              }
            />
          </>
        )}
      </Fold>
    </Card>
  );
}
