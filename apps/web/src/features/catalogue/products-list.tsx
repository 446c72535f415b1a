import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useState } from "react";
import { useLocation } from "wouter";
import { useProducts, useRefreshAll } from "../../lib/use-seller.ts";
import { haptic, useMainButton } from "../../telegram/native.ts";
import { Button, IconButton } from "../../kit/button.tsx";
import { EmptyState } from "../../kit/empty-state.tsx";
import { MoreLink, Text } from "../../kit/layout.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { PullToRefresh } from "../../kit/pull-to-refresh.tsx";
import { BROWSE_ALL, type Browse, browseProducts, isFiltered } from "./browse.ts";
import styles from "./catalogue.module.css";
import { catalogueCopy } from "./messages.fr.ts";
import { AddProduct } from "./parts/add-product.tsx";
import { BrowseBar } from "./parts/browse-bar.tsx";
import { ProductActions } from "./parts/product-actions.tsx";
import { ProductItem } from "./parts/product-item.tsx";

const copy = catalogueCopy.list;

type Over = { at: "none" } | { at: "adding" } | { at: "actions"; productId: string };

export function ProductsList() {
  const products = useProducts();
  const refreshAll = useRefreshAll();
  const [, navigate] = useLocation();
  const [over, setOver] = useState<Over>({ at: "none" });
  const add = () => {
    haptic("light");
    setOver({ at: "adding" });
  };
  useMainButton({ text: copy.mainButton, active: true, busy: false }, add);
  const chosen =
    over.at === "actions" ? products.data?.find(({ id }) => id === over.productId) : undefined;
  const close = () => setOver({ at: "none" });
  return (
    <PullToRefresh label={catalogueCopy.loading} onRefresh={refreshAll}>
      <Page
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
          <Catalogue
            products={products.data}
            onAdd={add}
            onActions={(productId) => setOver({ at: "actions", productId })}
          />
        ) : (
          <NotYet query={products} copy={catalogueCopy} rows={5} />
        )}
      </Page>
      {over.at === "adding" ? <AddProduct onClose={close} /> : null}
      {chosen ? <ProductActions product={chosen} onClose={close} /> : null}
    </PullToRefresh>
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
  if (products.length === 0) {
    return (
      <EmptyState
        drawing="product"
        title={copy.none}
        text={copy.noneText}
        action={
          <>
            <Button icon="plus" onClick={props.onAdd}>
              {copy.add}
            </Button>
            <MoreLink href="/soni">{copy.guided}</MoreLink>
          </>
        }
      />
    );
  }
  const shown = browseProducts(products, browse);
  return (
    <>
      <BrowseBar
        products={products}
        browse={browse}
        onBrowse={setBrowse}
        grid={grid}
        onGrid={setGrid}
      />
      <Text size="small" tone="soft" role="status">
        {copy.count(shown.length)}
      </Text>
      {shown.length === 0 ? (
        <EmptyState
          drawing="search"
          title={copy.noneAvailable}
          text={copy.noneAvailableText}
          action={
            isFiltered(browse) ? (
              <Button look="tinted" onClick={() => setBrowse({ ...BROWSE_ALL, sort: browse.sort })}>
                {copy.clear}
              </Button>
            ) : undefined
          }
        />
      ) : (
        <ul className={grid ? styles.grid : styles.list}>
          {shown.map((product) => (
            <ProductItem
              key={product.id}
              product={product}
              grid={grid}
              onActions={() => props.onActions(product.id)}
            />
          ))}
        </ul>
      )}
    </>
  );
}
