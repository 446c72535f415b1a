import { BUG_MESSAGE } from "@sesame/contract";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { VendorSubscriptionOnWire } from "@sesame/contract/reports";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { formatFcfa } from "../../lib/format.ts";
import { read } from "../../lib/read.ts";
import { productsQuery } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { sayShortDay, sayShortInstant } from "../../lib/time-words.fr.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge, type BadgeTone } from "../../kit/button.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Cell, Line, Text } from "../../kit/layout.tsx";
import { type Act, act, useAction } from "../../kit/use-action.tsx";
import styles from "./catalogue.module.css";
import { catalogueCopy as copy } from "./messages.fr.ts";
import { usePutProduct } from "./products.tsx";

/** Puts the product on sale, or takes it off sale. */
export function useToggleSale(product: ProductOnWire) {
  const isOn = product.status !== "inactive";
  const put = usePutProduct();
  const change = useAction(
    act("PUT /api/products/:id", {
      params: { id: product.id },
      waits: true,
      button: copy.list.sell,
      done: ({ product: { status } }) =>
        status === "inactive" ? copy.list.switchedOff : copy.list.switchedOn,
      after: put,
      failed: copy.list.switchFailed,
    }),
  );
  return { isOn, toggle: () => change.mutate({ status: isOn ? "inactive" : "active" }) };
}

/** Deleting archives, after a question (decision 32). */
export function useArchive(product: ProductOnWire): Act {
  const [path, navigate] = useLocation();
  const client = useQueryClient();
  const list = productsQuery(useUserId()).queryKey;
  const about = product.group ? <Members productId={product.id} /> : null;
  return act("DELETE /api/products/:id", {
    params: { id: product.id },
    waits: true,
    button: copy.list.remove,
    icon: "trash",
    look: "danger-tinted",
    title: product.group ? copy.archive.title : copy.donation.archive,
    text: copy.archive.text(product.title),
    about,
    done: () => {
      if (path.toLowerCase().startsWith("/productcard")) navigate("/ProductsList");
      return copy.archive.done;
    },
    after: () =>
      client.setQueryData(list, (before) => before?.filter(({ id }) => id !== product.id)),
    failed: BUG_MESSAGE,
  });
}

/** How many members remain when it is archived. */
function Members({ productId }: { productId: string }) {
  const members = useQuery({
    ...read("GET /api/products/:id/members", { params: { id: productId }, pick: "members" }),
    staleTime: 0,
  });
  return (
    <Text strong center role="status">
      {members.isPending ? copy.archive.counting : sayMembers(members.data)}
    </Text>
  );
}

function sayMembers(members: number | undefined): string {
  if (members === undefined) return "";
  return members === 0 ? copy.archive.noMembers : copy.archive.members(members);
}

/** The product's picture in the lightest format the phone reads; a placeholder when it fails. */
export function ProductImage(props: { product: ProductOnWire; alt?: string; sizes: string }) {
  const { product, alt = "", sizes } = props;
  const [broken, setBroken] = useState(false);
  const { picture, image_url } = product;
  if (broken || !image_url) {
    return (
      <span className={styles.noImage} role={alt ? "img" : undefined} aria-label={alt || undefined}>
        <Icon name="image" size={32} />
      </span>
    );
  }
  const set = (format: "avif" | "jpeg") =>
    picture?.sources.map((source) => `${source[format]} ${source.width}w`).join(", ");
  return (
    <picture className={styles.picture}>
      {picture ? <source type="image/avif" srcSet={set("avif")} sizes={sizes} /> : null}
      <img
        src={image_url}
        srcSet={set("jpeg")}
        sizes={sizes}
        width={picture?.width}
        height={picture?.height}
        alt={alt}
        decoding="async"
        onError={() => setBroken(true)}
      />
    </picture>
  );
}

const TONES: Record<string, BadgeTone> = {
  active: "positive",
  inactive: "neutral",
  pending: "warning",
};

export function StatusBadge({ status }: { status: string }) {
  return (
    <Badge tone={TONES[status] ?? "accent"}>{copy.status[status] ?? copy.unknownStatus}</Badge>
  );
}

export function SubscriptionRows({ rows }: { rows: readonly VendorSubscriptionOnWire[] }) {
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id}>
          <Cell
            before={<Avatar name={row.nomClient} />}
            title={row.nomClient}
            subtitle={
              <>
                <Line as="span" between>
                  <span>{sayShortInstant(row.dateCreation)}</span>
                  <KindBadge subscription={row} />
                </Line>
                {row.dateRenouvellement ? (
                  <Text as="span" block>
                    {copy.card.until(sayShortDay(row.dateRenouvellement))}
                  </Text>
                ) : null}
                {row.direct ? (
                  <Text as="span" block>
                    {copy.card.direct}
                  </Text>
                ) : null}
              </>
            }
            after={<strong>{formatFcfa(row.prix)}</strong>}
          />
        </li>
      ))}
    </ul>
  );
}

function KindBadge({ subscription }: { subscription: VendorSubscriptionOnWire }) {
  const { valide, groupId, estRenouvellement } = subscription;
  if (valide === false) return <Badge tone="neutral">{copy.card.refunded}</Badge>;
  if (groupId === "" && valide) return null;
  return <Badge tone={estRenouvellement ? "accent" : "positive"}>{sayKind(subscription)}</Badge>;
}

export function sayKind({ estRenouvellement }: VendorSubscriptionOnWire): string {
  return estRenouvellement ? copy.card.renewal : copy.card.fresh;
}
