import type { ProductOnWire } from "@sesame/contract/catalogue";
import { Stack, Text } from "../../../kit/layout.tsx";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../../lib/api.ts";
import { read } from "../../../lib/read.ts";
import { sayError } from "../../../lib/request.ts";
import { productsQuery, refreshResources } from "../../../lib/resources.ts";
import { useUserId } from "../../../lib/session.ts";
import { useSend } from "../../../lib/use-write.ts";
import { haptic } from "../../../telegram/native.ts";
import { Dialog, Sheet } from "../../../kit/modal.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { toast } from "../../../kit/toast.tsx";
import { catalogueCopy as copy } from "../messages.fr.ts";
import { usePutProduct } from "../products.ts";

/** View, edit, switch, delete. Deleting archives, after a question (decision 32). */
export function ProductActions(props: { product: ProductOnWire; onClose(): void }) {
  const { product, onClose } = props;
  const [archiving, setArchiving] = useState(false);
  const [, navigate] = useLocation();
  const toggle = useToggleSale();
  const go = (path: string) => () => {
    onClose();
    navigate(path);
  };
  if (archiving) return <ArchiveQuestion product={product} onClose={onClose} />;
  const on = product.status !== "inactive";
  return (
    <Sheet title={product.title} onClose={onClose}>
      <Stack>
        <Section>
          <Cell icon="eye" title={copy.list.see} onClick={go(`/ProductCard/${product.id}`)} />
          <Cell icon="edit" title={copy.list.edit} onClick={go(`/ModifierProduit/${product.id}`)} />
          <Cell
            icon="clock"
            title={on ? copy.list.switchOff : copy.list.switchOn}
            onClick={() => {
              toggle(product, !on);
              onClose();
            }}
          />
        </Section>
        <Section>
          <Cell icon="trash" title={copy.list.remove} danger onClick={() => setArchiving(true)} />
        </Section>
      </Stack>
    </Sheet>
  );
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
