import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useState } from "react";
import { IconButton } from "../../../kit/button.tsx";
import { SelectField } from "../../../kit/field.tsx";
import { Grid, Stack } from "../../../kit/layout.tsx";
import { SearchField } from "../../../kit/search-field.tsx";
import { type Browse, groupKey, SORTS, type Sort } from "../browse.ts";
import styles from "../catalogue.module.css";
import { catalogueCopy } from "../messages.fr.ts";

const copy = catalogueCopy.list;

export function BrowseBar(props: {
  products: readonly ProductOnWire[];
  browse: Browse;
  onBrowse(browse: Browse): void;
  grid: boolean;
  onGrid(grid: boolean): void;
}) {
  const { browse, onBrowse } = props;
  const [filters, setFilters] = useState(false);
  return (
    <Stack>
      <div className={styles.searchRow}>
        <div className={styles.search}>
          <SearchField
            label={copy.search}
            placeholder={copy.searchShort}
            value={browse.search}
            onChange={(search) => onBrowse({ ...browse, search })}
          />
        </div>
        <IconButton
          icon="filter"
          label={copy.filters}
          pressed={filters}
          onClick={() => setFilters(!filters)}
        />
        <IconButton
          icon={props.grid ? "list" : "grid"}
          label={copy.view}
          pressed={props.grid}
          onClick={() => props.onGrid(!props.grid)}
        />
      </div>
      {filters ? <Filters {...props} /> : null}
    </Stack>
  );
}

function Filters(props: {
  products: readonly ProductOnWire[];
  browse: Browse;
  onBrowse(browse: Browse): void;
}) {
  const { products, browse, onBrowse } = props;
  const groups = new Map(
    products.map((product) => [
      groupKey(product),
      product.group?.name ?? catalogueCopy.donation.many,
    ]),
  );
  return (
    <Grid>
      <SelectField
        label={copy.sortLabel}
        value={browse.sort}
        choices={SORTS.map((sort) => ({ value: sort, label: copy.sort[sort] }))}
        onChange={(sort) => onBrowse({ ...browse, sort: sort as Sort })}
      />
      <SelectField
        label={copy.statusLabel}
        value={browse.status}
        empty={copy.all}
        choices={toChoices(catalogueCopy.status)}
        onChange={(status) => onBrowse({ ...browse, status })}
      />
      <SelectField
        label={copy.groupLabel}
        value={browse.group}
        empty={copy.all}
        choices={[...groups].map(([value, label]) => ({ value, label }))}
        onChange={(group) => onBrowse({ ...browse, group })}
      />
      <SelectField
        label={copy.categoryLabel}
        value={browse.category}
        empty={copy.allFeminine}
        choices={toChoices(catalogueCopy.category)}
        onChange={(category) => onBrowse({ ...browse, category })}
      />
    </Grid>
  );
}

function toChoices(names: Readonly<Record<string, string>>) {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
