import type { AggregatorOnWire, UserAggregatorOnWire } from "@sesame/contract/payment-accounts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { formatInstant } from "../../lib/format.ts";
import { paymentPath } from "../../lib/text.ts";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { useUserId } from "../../lib/session.ts";
import { openPayment } from "../../telegram/native.ts";
import { Banner, Button } from "../../kit/button.tsx";
import { Empty, NotYet, Page } from "../../kit/screen.tsx";
import { Icon } from "../../kit/icons.tsx";
import { Cell, Heading, Section, Stack, Text } from "../../kit/layout.tsx";
import { copyAloud, Note } from "../../kit/records.tsx";
import { toast } from "../../kit/toast.tsx";
import { act, Acts } from "../../kit/use-action.tsx";
import { aggregatorsCopy } from "./messages.fr.ts";
import {
  aggregatorsQuery,
  KeysForm,
  namedIn,
  OwnKeysSection,
  useOwnAggregators,
  VERIFIED,
} from "./own-aggregators.tsx";

const copy = aggregatorsCopy.keys;

/** /ModifierKey and /ModifierKeyIndex: the keys of one provider, masked, and others in their place. */
export function ModifierKey() {
  const named = namedIn(useSearch());
  const own = useOwnAggregators();
  const all = useQuery(aggregatorsQuery);
  if (!own.data || !all.data) {
    const both = {
      isError: own.isError || all.isError,
      refetch: () => Promise.all([own.refetch(), all.refetch()]),
    };
    return (
      <Page title={copy.titleBare}>
        <NotYet query={both} copy={aggregatorsCopy} />
      </Page>
    );
  }
  const owned = own.data.filter((method) => method.own);
  const method = owned.find(({ key }) => key === named) ?? (named ? undefined : owned[0]);
  const aggregator = all.data.find(({ key }) => key === method?.key);
  if (!method || !aggregator) return <NoKeys named={named} />;
  const others = owned.filter(({ key }) => key !== method.key);
  return <Keys key={method.key} method={method} aggregator={aggregator} others={others} />;
}

function NoKeys({ named }: { named: string | null }) {
  const [, navigate] = useLocation();
  const { pass, gate } = usePremiumGate("own-aggregators");
  return (
    <Page title={copy.titleBare}>
      <Empty of={["door", copy.none, copy.noneText]}>
        <Button
          icon="plus"
          onClick={() => pass(() => navigate(`/AjouterMethode${named ? `?nom=${named}` : ""}`))}
        >
          {aggregatorsCopy.add}
        </Button>
      </Empty>
      {gate}
    </Page>
  );
}

function Keys(props: {
  method: UserAggregatorOnWire;
  aggregator: AggregatorOnWire;
  others: readonly UserAggregatorOnWire[];
}) {
  const { method, aggregator } = props;
  const [round, setRound] = useState(0);
  const [, navigate] = useLocation();
  const params = { userId: useUserId(), key: method.key };
  const { caught, gate } = usePremiumGate("own-aggregators");
  const { own } = method;
  if (!own) return null;
  return (
    <Page title={copy.title(method.name)} subtitle={copy.savedOn(formatInstant(own.verifiedAt))}>
      {own.refusedAt || !own.readable ? (
        <Banner tone="danger">
          {own.refusedAt ? copy.refused(formatInstant(own.refusedAt)) : copy.unreadable}
        </Banner>
      ) : own.asleep ? (
        <Banner icon="info">{copy.asleep}</Banner>
      ) : null}
      <Section title={copy.current}>
        {aggregator.requiredKeys.map(({ name, label }) =>
          own.keys[name] ? <Cell key={name} title={label} subtitle={code(own.keys[name])} /> : null,
        )}
      </Section>
      <Section title={copy.webhook} footer={copy.webhookText}>
        <Cell
          title={code(own.webhookUrl)}
          after={
            <Text as="span" tone="green">
              <Icon name="copy" size={20} />
              <span className="visually-hidden">{copy.copy}</span>
            </Text>
          }
          onClick={() => void copyAloud(own.webhookUrl)}
        />
      </Section>
      {own.asleep || own.refusedAt ? null : (
        <Stack as="section" gap={4}>
          {/* 100 francs to oneself: they prove that the keys collect (decision 95). */}
          <Acts
            of={act("POST /api/user-aggregators/:userId/:key/trial", {
              params,
              ...VERIFIED,
              button: copy.trial,
              look: "tinted",
              icon: "wallet",
              done: () => "",
              after({ id, payment_url: url, opens }) {
                if (!url) return toast(copy.noUrl, "bad");
                openPayment(url, opens);
                navigate(paymentPath(id));
              },
              failed: aggregatorsCopy.updateFailed,
              caught,
            })}
          />
          <Note center>{copy.trialText}</Note>
          {gate}
        </Stack>
      )}
      <Stack as="section" gap={4} aria-labelledby="new-keys">
        <Heading id="new-keys">{copy.change}</Heading>
        <Text tone="soft">{copy.changeHint}</Text>
        <KeysForm
          key={round}
          aggregator={aggregator}
          replacing
          save={copy.save}
          onSaved={() => {
            setRound(round + 1);
            toast(copy.saved);
          }}
        />
      </Stack>
      <OwnKeysSection methods={props.others} title={copy.others} />
      {/* The question says what happens to the next sales. */}
      <Acts
        of={act("DELETE /api/user-aggregators/:userId/:key", {
          params,
          ...VERIFIED,
          button: copy.remove,
          look: "danger-tinted",
          icon: "trash",
          title: copy.removeTitle(method.name),
          text: copy.removeText(method.builtIn),
          done: () => copy.removed,
          after: () => navigate("/ActivationMethode", { replace: true }),
          failed: aggregatorsCopy.updateFailed,
        })}
      />
    </Page>
  );
}

function code(text: string) {
  return (
    <Text as="code" size="small" code>
      {text}
    </Text>
  );
}
