import {
  type AggregatorOnWire,
  type MethodKey,
  methodNamed,
  type UserAggregatorOnWire,
} from "@sesame/contract/payment-accounts";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { SETTINGS } from "../../lib/text.ts";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { read } from "../../lib/read.ts";
import { sayError } from "../../lib/request.ts";
import { botLinksQuery, useRefresh } from "../../lib/resources.ts";
import { useUserId } from "../../lib/session.ts";
import { useSend } from "../../lib/use-write.ts";
import { haptic, openTelegramLink } from "../../telegram/native.ts";
import { Badge, Button, TintedButton, PlainButton } from "../../kit/button.tsx";
import { TextField } from "../../kit/field.tsx";
import type { IconName } from "../../kit/icons.tsx";
import { Arch, Cell, Stack, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { Form } from "../../kit/use-form.tsx";
import { Rows, Note } from "../../kit/records.tsx";
import { aggregatorsCopy as copy } from "./messages.fr.ts";

const { sheet, success } = copy;

/** What each provider is, and the keys it asks for. */
export const aggregatorsQuery = read("GET /api/payment-aggregators", { pick: "aggregators" });

/** The seller's switches and masked keys. */
function ownQuery(userId: string) {
  return read("GET /api/user-aggregators/:userId", { params: { userId }, pick: "aggregators" });
}

export function useOwnAggregators() {
  const id = useUserId();
  return useQuery({ ...ownQuery(id), enabled: id !== "" });
}

/** Keys are checked by a call to the provider while the seller waits. */
export const VERIFIED = { timeoutMs: 30_000 };

/** Puts the answer into the list; the products may become sellable or not. */
export function useAggregatorWrite(key: string) {
  const userId = useUserId();
  const client = useQueryClient();
  const refreshProducts = useRefresh("products");
  return useSend("PUT /api/user-aggregators/:userId/:key", {
    params: { userId, key },
    ...VERIFIED,
    onSuccess: ({ aggregator }) => {
      client.setQueryData(ownQuery(userId).queryKey, (list) =>
        list?.map((each) => (each.key === aggregator.key ? aggregator : each)),
      );
      return refreshProducts();
    },
  });
}

/** Null: the address names none. */
export function namedIn(search: string): string | null {
  return methodNamed(new URLSearchParams(search).get("nom") ?? "") || null;
}

/** The seller's own accounts, each with a link to its keys. */
export function OwnKeysSection(props: {
  methods: readonly UserAggregatorOnWire[];
  title?: string;
}) {
  const owned = props.methods.filter(({ own }) => own !== null);
  return (
    <Rows title={props.title ?? copy.ownTitle} footer={props.title ? undefined : copy.ownNote}>
      {owned.map(({ key, name, own }) => (
        <Cell
          key={key}
          href={`/ModifierKey?nom=${key}`}
          before={<ProviderMark provider={key} />}
          title={name}
          subtitle={Object.values(own?.keys ?? {})[0]}
          after={
            own?.refusedAt ? (
              <Badge tone="danger">{copy.refused}</Badge>
            ) : own?.asleep ? (
              <Badge tone="neutral">{copy.asleep}</Badge>
            ) : undefined
          }
        />
      ))}
    </Rows>
  );
}

const ICONS: Readonly<Record<MethodKey, IconName>> = {
  moneroo: "phone",
  fedapay: "wallet",
  kkiapay: "phone",
  paydunya: "wallet",
  cryptopay: "globe",
  stars: "star",
};

export function ProviderMark({ provider }: { provider: MethodKey }) {
  return <Arch icon={ICONS[provider]} />;
}

/** B §9. */
const SHOWN_MS = 2_000;

/** 'Parfait !': what comes next. `leaves`: goes to the settings by itself, unless somebody touches the sheet. */
export function SuccessSheet({ name, leaves }: { name: string | null; leaves?: boolean }) {
  const [, navigate] = useLocation();
  const links = useQuery(botLinksQuery);
  const [touched, setTouched] = useState(false);
  const stay = () => setTouched(true);
  useEffect(() => {
    if (!leaves || touched) return;
    const timer = setTimeout(() => navigate(SETTINGS), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [leaves, touched, navigate]);
  const addGroup = () => {
    const link = links.data?.group;
    if (link) openTelegramLink(link);
    navigate("/GroupeListe");
  };
  return (
    <Sheet title={success.title} onClose={() => navigate(SETTINGS)}>
      <Stack center onPointerDown={stay} onKeyDown={stay}>
        <Arch icon="check" large />
        <p role="status">{success.text(name)}</p>
        <Button icon="people" onClick={addGroup}>
          {success.group}
        </Button>
        <TintedButton icon="plus" href="/AjouterMethode">
          {success.another}
        </TintedButton>
        <PlainButton href={SETTINGS}>{success.close}</PlainButton>
      </Stack>
    </Sheet>
  );
}

/** The keys a provider asks for: checked by a call to it, then never shown again (decision 51). */
export function KeysForm(props: {
  aggregator: AggregatorOnWire;
  /** Keys are saved already: an empty field keeps its key. */
  replacing: boolean;
  save: string;
  onSaved(): void;
}) {
  const { aggregator, replacing } = props;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [complaint, setComplaint] = useState<string | null>(null);
  const change = useAggregatorWrite(aggregator.key);
  const { pass, caught, gate } = usePremiumGate("own-aggregators");
  const given = Object.entries(typed).filter(([, value]) => value.trim() !== "");
  const incomplete = aggregator.requiredKeys.some(
    ({ name, optional }) => !optional && !typed[name]?.trim(),
  );
  const refuse = (words: string) => {
    haptic("error");
    setComplaint(words);
  };
  const save = () => {
    if (change.isPending) return;
    if (replacing ? given.length === 0 : incomplete) {
      return refuse(sheet.incomplete(aggregator.name));
    }
    setComplaint(null);
    const keys = Object.fromEntries(given.map(([name, value]) => [name, value.trim()]));
    change.mutate(
      { keys },
      {
        onSuccess: () => {
          haptic("success");
          // The keys leave the page's memory too.
          setTyped({});
          props.onSaved();
        },
        onError: (error) => {
          if (!caught(error)) refuse(sayError(error, copy.updateFailed));
        },
      },
    );
  };
  return (
    <Form autoComplete="off" onSubmit={() => pass(save)}>
      {aggregator.requiredKeys.map((key) => (
        <TextField
          key={key.name}
          label={key.optional ? sheet.optional(key.label) : key.label}
          hint={key.hint}
          required={!key.optional && !replacing}
          secret={key.secret}
          value={typed[key.name] ?? ""}
          onChange={(value) => {
            setTyped({ ...typed, [key.name]: value });
            setComplaint(null);
          }}
        />
      ))}
      <Text size="small" tone="brick" strong role="alert">
        {complaint}
      </Text>
      <Button type="submit" busy={change.isPending}>
        {props.save}
      </Button>
      <Note center>{sheet.verified}</Note>
      {gate}
    </Form>
  );
}
