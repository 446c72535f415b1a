import type { ProductOnWire } from "@sesame/contract/catalogue";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../lib/api.ts";
import { copyText } from "../../lib/copy-text.ts";
import { read } from "../../lib/read.ts";
import { sayError } from "../../lib/request.ts";
import { productsQuery, refreshResources } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useProduct, useProducts, useRefreshAll } from "../../lib/use-seller.ts";
import { useSend } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Badge, type BadgeTone } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Grid, Stack, Text } from "../../kit/layout.tsx";
import { Dialog } from "../../kit/modal.tsx";
import { Screen } from "../../kit/screen.tsx";
import { Section } from "../../kit/section.tsx";
import { toast } from "../../kit/toast.tsx";
import styles from "./catalogue.module.css";
import { catalogueCopy as copy } from "./messages.fr.ts";

function productQuery(id: string) {
  return read("GET /api/products/:id", { params: { id }, pick: "product" });
}

/** A product that is not among the listed ones is asked for by itself, e.g. just published. */
export function OneProduct(props: {
  id: string;
  title: string;
  children(product: ProductOnWire): ReactNode;
}) {
  const listed = useProduct(props.id);
  const { isPending } = useProducts();
  return (
    <Screen
      of={{ ...productQuery(props.id), enabled: !listed && !isPending }}
      known={listed}
      title={props.title}
      missing={copy.card.missing}
      missingText={copy.card.missingText}
      back={{ label: copy.card.back, href: "/ProductsList" }}
    >
      {props.children}
    </Screen>
  );
}

/** Puts a product the server answered into the list at once, then asks for the list anew. */
export function usePutProduct() {
  const client = useQueryClient();
  const refreshAll = useRefreshAll();
  const list = productsQuery(useUserId()).queryKey;
  return ({ product }: { readonly product?: ProductOnWire }) => {
    if (product?.id) {
      client.setQueryData(list, (before = []) =>
        before.some((each) => each.id === product.id)
          ? before.map((each) => (each.id === product.id ? product : each))
          : [product, ...before],
      );
      client.setQueryData(productQuery(product.id).queryKey, product);
    }
    // A §4: after a product is added all user data is refreshed.
    void refreshAll();
  };
}

export function useToggleSale() {
  const change = useMutation({
    mutationFn: ({ id, on }: { id: string; on: boolean }) => {
      const body = { status: on ? "active" : "inactive" };
      return call("PUT /api/products/:id", { params: { id }, body, waits: true });
    },
    onSuccess: usePutProduct(),
  });
  return (product: ProductOnWire, on: boolean) =>
    change.mutate(
      { id: product.id, on },
      {
        onSuccess: () => {
          haptic("success");
          toast(on ? copy.list.switchedOn : copy.list.switchedOff);
        },
        onError: (error) => {
          haptic("error");
          toast(sayError(error, copy.list.switchFailed), "bad");
        },
      },
    );
}

/** Deleting archives, after a question (decision 32). */
export function ArchiveQuestion(props: { product: ProductOnWire; onClose(): void }) {
  const { product, onClose } = props;
  const params = { id: product.id };
  // How many members remain when it is archived.
  const members = useQuery({
    ...read("GET /api/products/:id/members", { params, pick: "members" }),
    staleTime: 0,
  });
  const client = useQueryClient();
  const list = productsQuery(useUserId()).queryKey;
  const archive = useSend("DELETE /api/products/:id", {
    params,
    waits: true,
    onSuccess: () => {
      client.setQueryData(list, (before) => before?.filter(({ id }) => id !== product.id));
      void refreshResources(client, ["products", "channels"]);
    },
  });
  const [path, navigate] = useLocation();
  const remove = () =>
    archive.mutate(undefined, {
      onSuccess: () => {
        haptic("success");
        toast(copy.archive.done);
        onClose();
        if (path.toLowerCase().startsWith("/productcard")) navigate("/ProductsList");
      },
      onError: (error) => {
        haptic("error");
        toast(sayError(error, copy.archive.failed), "bad");
        onClose();
      },
    });
  return (
    <Dialog
      title={product.group ? copy.archive.title : copy.donation.archive}
      onClose={onClose}
      actions={[
        { label: copy.archive.yes, look: "danger", busy: archive.isPending, run: remove },
        { label: copy.cancel, look: "plain", run: onClose },
      ]}
    >
      <p>{copy.archive.text(product.title)}</p>
      {product.group ? (
        <Text strong role="status">
          {members.isPending ? copy.archive.counting : sayMembers(members.data)}
        </Text>
      ) : null}
    </Dialog>
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

/** A link to read and to copy: selected by hand where the clipboard is refused (A §8). */
export function LinkBox(props: {
  title: string;
  /** What the link is for; gives way to how to copy it by hand. */
  text: string;
  /** The field's name, as it is heard. */
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
    if (copied) toast(copy.card.copied);
    else field.current?.select();
  };
  return (
    <Section
      title={props.title}
      footer={failed ? <span role="alert">{copy.card.copyFailed}</span> : props.text}
    >
      <Stack pad>
        {props.lead}
        <input
          ref={field}
          className={styles.link}
          aria-label={props.label}
          value={props.link}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Grid least="9.5rem">
          <Button icon="copy" look="tinted" onClick={() => void copyLink()}>
            {copy.card.copy}
          </Button>
          {props.beside}
        </Grid>
      </Stack>
    </Section>
  );
}
