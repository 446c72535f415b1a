import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { ChannelOnWire } from "@sesame/contract/groups";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useRef, useState } from "react";
import { useLocation } from "wouter";
import { copyText } from "../../lib/copy-text.ts";
import { read } from "../../lib/read.ts";
import { sayError } from "../../lib/request.ts";
import { productsQuery } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useChannels, useProduct, useProducts, useRefreshAll } from "../../lib/use-seller.ts";
import { useSend } from "../../lib/use-write.ts";
import { haptic } from "../../telegram/native.ts";
import { Avatar } from "../../kit/avatar.tsx";
import { Badge, type BadgeTone } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Grid, Line, Stack, Text } from "../../kit/layout.tsx";
import { Dialog, Sheet } from "../../kit/modal.tsx";
import { Screen } from "../../kit/screen.tsx";
import { Cell, Section } from "../../kit/section.tsx";
import { SkeletonRows } from "../../kit/skeleton.tsx";
import { toast } from "../../kit/toast.tsx";
import { type Act, act } from "../../kit/use-action.tsx";
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

/** Puts it on sale, or takes it off. */
export function useToggleSale(product: ProductOnWire) {
  const isOn = product.status !== "inactive";
  const put = usePutProduct();
  const change = useSend("PUT /api/products/:id", {
    params: { id: product.id },
    waits: true,
    onSuccess: (answer) => {
      haptic("success");
      toast(isOn ? copy.list.switchedOff : copy.list.switchedOn);
      put(answer);
    },
    onError: (error) => {
      haptic("error");
      toast(sayError(error, copy.list.switchFailed), "bad");
    },
  });
  return { isOn, toggle: () => change.mutate({ status: isOn ? "inactive" : "active" }) };
}

/** Deleting archives, after a question (decision 32). */
export function useArchive(product: ProductOnWire): Act {
  const [path, navigate] = useLocation();
  const about = product.group ? <Members productId={product.id} /> : null;
  return act(
    "DELETE /api/products/:id",
    { params: { id: product.id }, waits: true },
    {
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
    },
  );
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

/** Which alert of A §8 stands in the way of a new product; null: a group can be chosen. */
export function groupComplaint(channels: readonly ChannelOnWire[]): string | null {
  if (channels.length === 0) return copy.noGroup.none;
  if (!channels.some((channel) => channel.telegram_group_id)) return copy.noGroup.noId;
  return null;
}

/** The chooser of a group for a new product, or the reason there is none. */
export function ChooseGroup({
  onClose,
  onGroup,
}: {
  onClose(): void;
  /** Told the group before its form opens. */
  onGroup?: (channel: ChannelOnWire) => void;
}) {
  const channels = useChannels();
  const [, navigate] = useLocation();
  // Groups that could not be read are not groups that do not exist.
  const complaint = channels.data ? groupComplaint(channels.data) : null;
  const go = (path: string) => () => {
    onClose();
    navigate(path);
  };
  if (complaint) {
    const leave = go("/RelierBot");
    return (
      <Dialog
        title={copy.noGroup.title}
        onClose={leave}
        actions={[{ label: copy.understood, run: leave }]}
      >
        {complaint}
      </Dialog>
    );
  }
  return (
    <Sheet title={copy.chooser.title} onClose={onClose}>
      <Stack>
        {channels.data ? (
          <Choices
            channels={channels.data}
            onChoose={(channel) => {
              onGroup?.(channel);
              go(`/ajouterProduit/${channel.telegram_group_id}`)();
            }}
          />
        ) : channels.isError ? (
          <p role="alert">{copy.chooser.failed}</p>
        ) : (
          <SkeletonRows count={3} label={copy.chooser.loading} />
        )}
        <Section>
          <Cell icon="plus" title={copy.chooser.addGroup} onClick={go("/relierbot")} chevron />
        </Section>
      </Stack>
    </Sheet>
  );
}

function Choices(props: {
  channels: readonly ChannelOnWire[];
  onChoose(channel: ChannelOnWire): void;
}) {
  return (
    <Section>
      {props.channels
        .filter((channel) => channel.telegram_group_id)
        .map((channel) => (
          <Cell
            key={channel.id}
            before={<Avatar name={channel.name} />}
            title={channel.name}
            subtitle={
              <Line as="span" soft>
                {channel.type === "canal" ? copy.channel : copy.group}
                {channel.details.state === "connected" ? null : (
                  <Badge tone="warning">{channel.details.state_label}</Badge>
                )}
              </Line>
            }
            onClick={() => props.onChoose(channel)}
            chevron
          />
        ))}
    </Section>
  );
}
