import type { ChannelOnWire } from "@sesame/contract/groups";
import { useState } from "react";
import { formatFcfa } from "../../../lib/format.ts";
import { foldedIncludes } from "../../../lib/text.ts";
import { useProducts } from "../../../lib/use-seller.ts";
import { SearchField } from "../../../kit/search-field.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { SkeletonRows } from "../../../kit/skeleton.tsx";
import { groupsCopy } from "../messages.fr.ts";
import { Arch, Stack, Text } from "../../../kit/layout.tsx";
import styles from "../groups.module.css";

const copy = groupsCopy.detail;

// A §9.
const SHOWN = 3;
const SHOWN_WHILE_SEARCHING = 10;

/** The group's first products; the search box comes with the fourth. */
export function GroupProducts({ channel }: { channel: ChannelOnWire }) {
  const products = useProducts();
  const [search, setSearch] = useState("");
  if (!products.data) return <SkeletonRows count={3} label={groupsCopy.loading} />;
  const own = products.data.filter((product) => product.group_id === channel.id);
  if (own.length === 0) {
    return (
      <Section title={copy.products}>
        <Cell title={copy.none} subtitle={copy.noneText} icon="bag" />
        <ToAll />
      </Section>
    );
  }
  const searching = search.trim() !== "";
  const found = searching ? own.filter(({ title }) => foldedIncludes(title, search)) : own;
  const shown = found.slice(0, searching ? SHOWN_WHILE_SEARCHING : SHOWN);
  return (
    <Stack>
      {own.length > SHOWN ? (
        <SearchField label={copy.search} value={search} onChange={setSearch} />
      ) : null}
      <Section title={copy.products}>
        {shown.length === 0 ? <Cell title={copy.noMatch} /> : null}
        {shown.map((product) => (
          <Cell
            key={product.id}
            href={`/ProductCard/${product.id}`}
            before={
              product.image_url ? (
                <img
                  className={styles.thumb}
                  src={product.picture?.sources[0]?.jpeg ?? product.image_url}
                  alt=""
                  loading="lazy"
                />
              ) : (
                <Arch icon="bag" />
              )
            }
            title={product.title}
            subtitle={`${formatFcfa(product.price)} · ${product.duration_label}`}
            chevron
          />
        ))}
        <ToAll />
      </Section>
    </Stack>
  );
}

function ToAll() {
  return (
    <Cell
      href="/ProductsList"
      title={
        <Text as="span" tone="green" strong>
          {copy.all}
        </Text>
      }
    />
  );
}
