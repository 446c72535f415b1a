import { PRODUCT_TEXT_KEYS, type ProductOnWire } from "@sesame/contract/catalogue";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { foldedIncludes } from "../../lib/text.ts";
import { useProducts, useRefreshAll } from "../../lib/use-seller.ts";
import { haptic, useMainButton } from "../../telegram/native.ts";
import { Button, IconButton, TintedButton } from "../../kit/button.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { SearchField } from "../../kit/choices.tsx";
import { SelectField } from "../../kit/field.tsx";
import { Card, Cell, Grid, Line, MoreLink, Name, Section, Stack, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { ActSheet } from "../../kit/use-action.tsx";
import styles from "./catalogue.module.css";
import { ChooseGroup } from "./choose-group.tsx";
import { catalogueCopy } from "./messages.fr.ts";
import { ProductImage, StatusBadge, useArchive, useToggleSale } from "./product-parts.tsx";
import { joined, Note } from "../../kit/records.tsx";

const copy = catalogueCopy.list;

export function ProductsList() {
  const products = useProducts();
  const refreshAll = useRefreshAll();
  const [, navigate] = useLocation();
  const [adding, setAdding] = useState(false);
  const [chosenId, setChosenId] = useState<string | null>(null);
  const add = () => {
    haptic("light");
    setChosenId(null);
    setAdding(true);
  };
  useMainButton(copy.mainButton, add);
  const chosen = products.data?.find(({ id }) => id === chosenId);
  return (
    <Page
      refresh={refreshAll}
      title={copy.title}
      actions={
        <>
          <IconButton
            icon="globe"
            label={copy.shop}
            onClick={() => navigate("/ProductsList/boutique")}
          />
          <IconButton icon="plus" label={copy.add} onClick={add} />
        </>
      }
    >
      {products.data ? (
        <Catalogue products={products.data} onAdd={add} onActions={setChosenId} />
      ) : (
        <NotYet query={products} copy={catalogueCopy} rows={5} />
      )}
      {adding ? <ChooseGroup onClose={() => setAdding(false)} /> : null}
      {chosen ? <ProductActions product={chosen} onClose={() => setChosenId(null)} /> : null}
    </Page>
  );
}

function Catalogue(props: {
  products: readonly ProductOnWire[];
  onAdd(): void;
  onActions(id: string): void;
}) {
  const { products } = props;
  const [browse, setBrowse] = useState<Browse>(BROWSE_ALL);
  const [grid, setGrid] = useState(false);
  const [filters, setFilters] = useState(false);
  if (products.length === 0) {
    return (
      <Empty of={["product", copy.none, copy.noneText]}>
        <Button icon="plus" onClick={props.onAdd}>
          {copy.add}
        </Button>
        <MoreLink href="/soni">{copy.guided}</MoreLink>
      </Empty>
    );
  }
  const shown = browseProducts(products, browse);
  const items = shown.map((product) => (
    <ProductItem
      key={product.id}
      product={product}
      grid={grid}
      onActions={() => props.onActions(product.id)}
    />
  ));
  const names = new Map(
    products.map((each) => [groupKey(each), each.group?.name ?? catalogueCopy.donation.many]),
  );
  // As a list: an object would put numeric ids in another order.
  const groups = [...names].map(([value, label]) => ({ value, label }));
  const fields = [
    ["sort", copy.sortLabel, undefined, copy.sort],
    ["status", copy.statusLabel, copy.all, catalogueCopy.status],
    ["group", copy.groupLabel, copy.all, groups],
    ["category", copy.categoryLabel, copy.allFeminine, catalogueCopy.category],
  ] as const;
  return (
    <>
      {/* The search, and the filters behind their button. */}
      <Stack>
        <SearchField
          label={copy.search}
          placeholder={copy.searchShort}
          value={browse.search}
          onChange={(search) => setBrowse({ ...browse, search })}
        />
        <Line between>
          <Note role="status">{copy.count(shown.length)}</Note>
          <span>
            <IconButton
              icon="filter"
              label={copy.filters}
              pressed={filters}
              onClick={() => setFilters(!filters)}
            />
            <IconButton
              icon={grid ? "list" : "grid"}
              label={copy.view}
              pressed={grid}
              onClick={() => setGrid(!grid)}
            />
          </span>
        </Line>
        {filters ? (
          <Grid>
            {fields.map(([name, label, empty, choices]) => (
              <SelectField
                key={name}
                label={label}
                value={browse[name]}
                empty={empty}
                choices={choices}
                onChange={(value) => setBrowse({ ...browse, [name]: value })}
              />
            ))}
          </Grid>
        ) : null}
      </Stack>
      {shown.length === 0 ? (
        <Empty of={["search", copy.noneAvailable, copy.noneAvailableText]}>
          {isFiltered(browse) ? (
            <TintedButton onClick={() => setBrowse({ ...BROWSE_ALL, sort: browse.sort })}>
              {copy.clear}
            </TintedButton>
          ) : null}
        </Empty>
      ) : grid ? (
        <Grid as="ul">{items}</Grid>
      ) : (
        <Card as="ul" flush gap={0}>
          {items}
        </Card>
      )}
    </>
  );
}

function sayPrice(product: ProductOnWire): string {
  const price = formatFcfa(product.price);
  return product.group ? price : catalogueCopy.donation.price(price);
}

function sayFacts({ sales, views, group }: ProductOnWire): string {
  const sold = group ? copy.sales : catalogueCopy.donation.gifts;
  const seen = copy.views(formatNumber(views), views > 1);
  return joined(sold(formatNumber(sales), sales > 1), seen, group?.name);
}

/** One product of the catalogue, as a row or as a tile. */
function ProductItem(props: { product: ProductOnWire; onActions(): void; grid: boolean }) {
  const { product, grid } = props;
  return (
    <li className={grid ? styles.tile : styles.row}>
      <Link href={`/ProductCard/${product.id}`} className={styles.open}>
        <span className={styles.thumb}>
          <ProductImage product={product} sizes={grid ? "50vw" : "72px"} />
        </span>
        <Stack as="span" gap={1} pad={grid}>
          <Name>{product.title}</Name>
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
        </Stack>
      </Link>
      <span className={styles.more}>
        <IconButton icon="more" label={copy.actions(product.title)} onClick={props.onActions} />
      </span>
    </li>
  );
}

/** View, edit, switch, delete. */
function ProductActions(props: { product: ProductOnWire; onClose(): void }) {
  const { product, onClose } = props;
  const [archiving, setArchiving] = useState(false);
  const archive = useArchive(product);
  const { isOn, toggle } = useToggleSale(product);
  if (archiving) return <ActSheet of={archive} onClose={onClose} />;
  return (
    <Sheet title={product.title} onClose={onClose}>
      <Section>
        <Cell icon="eye" title={copy.see} href={`/ProductCard/${product.id}`} />
        <Cell icon="edit" title={copy.edit} href={`/ModifierProduit/${product.id}`} />
        <Cell
          icon="clock"
          title={isOn ? copy.switchOff : copy.switchOn}
          onClick={() => {
            toggle();
            onClose();
          }}
        />
      </Section>
      <Section>
        <Cell icon="trash" title={copy.remove} danger onClick={() => setArchiving(true)} />
      </Section>
    </Sheet>
  );
}

/** A §9. Empty means all. */
export type Browse = Readonly<Record<"search" | "sort" | "status" | "group" | "category", string>>;

export const BROWSE_ALL: Browse = {
  search: "",
  sort: "recent",
  status: "",
  group: "",
  category: "",
};

export function isFiltered({ sort: _sort, ...filters }: Browse): boolean {
  return Object.values(filters).some((value) => value.trim() !== "");
}

/** The products that pass the search and the filters, in the chosen order. */
export function browseProducts(
  products: readonly ProductOnWire[],
  { search, sort, status, group, category }: Browse,
): ProductOnWire[] {
  const words = search.trim();
  return products
    .filter(
      (product) =>
        (status === "" || product.status === status) &&
        (group === "" || groupKey(product) === group) &&
        (category === "" || product.category === category) &&
        (words === "" || wordsOf(product).some((text) => foldedIncludes(text, words))),
    )
    .sort((a, b) => (ORDERS[sort]?.(a, b) ?? 0) || newest(a, b));
}

/** What has no group is a donation. */
function groupKey(product: ProductOnWire): string {
  return product.group_id ?? "donation";
}

function wordsOf(product: ProductOnWire): string[] {
  const texts = PRODUCT_TEXT_KEYS.map((key) => product[key]);
  return [product.title, ...texts, product.reference, product.group?.name ?? ""];
}

const newest = (a: ProductOnWire, b: ProductOnWire) =>
  Date.parse(b.created_at) - Date.parse(a.created_at);

const ORDERS: Record<string, (a: ProductOnWire, b: ProductOnWire) => number> = {
  "price-asc": (a, b) => a.price - b.price,
  "price-desc": (a, b) => b.price - a.price,
  views: (a, b) => b.views - a.views,
  sales: (a, b) => b.sales - a.sales,
};
