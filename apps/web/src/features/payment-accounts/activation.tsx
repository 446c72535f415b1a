import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import type { UserAggregatorOnWire } from "@sesame/contract/payment-accounts";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { premiumGateCopy } from "../../lib/messages.fr.ts";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { read } from "../../lib/read.ts";
import { sayError } from "../../lib/request.ts";
import { sayWay } from "../../lib/text.ts";
import { haptic } from "../../telegram/native.ts";
import { Badge } from "../../kit/button.tsx";
import { Cell, Line, Section } from "../../kit/layout.tsx";
import { NotYet, Page } from "../../kit/screen.tsx";
import { joined, Rows } from "../../kit/records.tsx";
import { SwitchCell } from "../../kit/choices.tsx";
import { toast } from "../../kit/toast.tsx";
import { aggregatorsCopy as copy } from "./messages.fr.ts";
import {
  OwnKeysSection,
  ProviderMark,
  useAggregatorWrite,
  useOwnAggregators,
} from "./own-aggregators.tsx";

/** /ActivationMethode: what buyers may pay with, switched on and off. */
export function ActivationMethode() {
  const own = useOwnAggregators();
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      {own.data ? <Methods methods={own.data} /> : <NotYet query={own} copy={copy} rows={5} />}
    </Page>
  );
}

function Methods({ methods }: { methods: readonly UserAggregatorOnWire[] }) {
  const providers = useQuery({
    ...read("GET /api/payment-providers", { pick: "providers" }),
    refetchInterval: 60_000,
  }).data;
  const openOne = (key: string) => providers?.find(({ id }) => id === key);
  const [, navigate] = useLocation();
  const { allowed, pass, gate } = usePremiumGate("own-aggregators");
  // A provider without an account of the instance or the seller has no switch: it needs keys first.
  const usable = methods.filter(({ builtIn, own }) => builtIn || own);
  const active = usable.filter(({ isActive }) => isActive);
  const inactive = usable.filter(({ isActive }) => !isActive);
  const closed = methods.filter(({ key, builtIn, own }) => key !== "stars" && !builtIn && !own);
  const marked = active.some(({ key }) => openOne(key)?.disturbed);
  const rows = (list: readonly UserAggregatorOnWire[]) =>
    list.map((method) => <Method key={method.key} method={method} open={openOne(method.key)} />);
  return (
    <>
      <Rows
        title={copy.active}
        none={copy.noneActive}
        footer={marked ? copy.disturbedNote : undefined}
      >
        {rows(active)}
      </Rows>
      <Rows title={copy.inactive} none={copy.noneInactive}>
        {rows(inactive)}
      </Rows>
      <OwnKeysSection methods={methods} />
      <Rows title={copy.closed} footer={copy.closedNote}>
        {closed.map(({ key, name }) => (
          <Cell
            key={key}
            before={<ProviderMark provider={key} />}
            title={name}
            onClick={() => pass(() => navigate(`/AjouterMethode?nom=${key}`))}
            chevron
          />
        ))}
      </Rows>
      <Section>
        <Cell
          icon="plus"
          title={copy.add}
          subtitle={copy.addText}
          after={allowed ? undefined : <Badge tone="accent">{premiumGateCopy.badge}</Badge>}
          onClick={() => pass(() => navigate("/AjouterMethode"))}
          chevron
        />
      </Section>
      {gate}
    </>
  );
}

/** `open`: as buyers see it, where they may pay by it. */
function Method(props: { method: UserAggregatorOnWire; open: PaymentProviderOnWire | undefined }) {
  const { method, open } = props;
  const [known, rest] = sayWay({ id: method.key, name: method.name, methods: open?.methods ?? [] });
  const change = useAggregatorWrite(method.key);
  const flip = (isActive: boolean) => {
    change.mutate(
      { isActive },
      {
        onSuccess: () => toast(copy.switched(method.name, isActive)),
        onError: (error) => {
          haptic("error");
          toast(sayError(error, copy.updateFailed), "bad");
        },
      },
    );
  };
  return (
    <SwitchCell
      before={<ProviderMark provider={method.key} />}
      title={
        <Line as="span">
          {known}
          {open?.disturbed && method.isActive ? (
            <Badge tone="warning">{copy.disturbed}</Badge>
          ) : null}
          {method.own?.refusedAt ? <Badge tone="danger">{copy.refused}</Badge> : null}
        </Line>
      }
      subtitle={joined(rest, sayWhere(method))}
      label={copy.switchFor(method.name)}
      checked={change.isPending ? !method.isActive : method.isActive}
      disabled={change.isPending}
      onChange={flip}
    />
  );
}

/** Where the money of its sales goes, or why there are none. */
function sayWhere(method: UserAggregatorOnWire): string {
  if (method.selling !== "none") return copy.by[method.selling];
  if (!method.isActive) return copy.by.off;
  return method.own?.refusedAt ? copy.by.refused : copy.by.nowhere;
}
