import type { AggregatorOnWire } from "@sesame/contract/payment-accounts";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useSearch } from "wouter";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { Badge, Banner, Button } from "../../kit/button.tsx";
import { Cell, Text } from "../../kit/layout.tsx";
import { Sheet } from "../../kit/modal.tsx";
import { NotYet, Page } from "../../kit/screen.tsx";
import { Rows } from "../../kit/records.tsx";
import { aggregatorsCopy as copy } from "./messages.fr.ts";
import {
  aggregatorsQuery,
  KeysForm,
  namedIn,
  ProviderMark,
  SuccessSheet,
  useOwnAggregators,
} from "./own-aggregators.tsx";

/** /AjouterMethode, and with ?nom= the sheet of that provider; a key in the address never counts. */
export function AjouterMethode() {
  const all = useQuery(aggregatorsQuery);
  const named = namedIn(useSearch());
  const { allowed } = usePremiumGate("own-aggregators");
  return (
    <Page title={copy.addTitle} subtitle={copy.addSubtitle}>
      {allowed ? null : (
        <Banner tone="accent" icon="star" action={[copy.seePlans, "/Plans"]}>
          {copy.premiumText}
        </Banner>
      )}
      {all.data ? (
        <Choice aggregators={all.data} named={named} />
      ) : (
        <NotYet query={all} copy={copy} rows={5} />
      )}
    </Page>
  );
}

function Choice(props: { aggregators: readonly AggregatorOnWire[]; named: string | null }) {
  const { named } = props;
  const own = useOwnAggregators().data;
  const [, navigate] = useLocation();
  const { pass, gate } = usePremiumGate("own-aggregators");
  const [done, setDone] = useState(false);
  const offered = props.aggregators.filter(({ requiredKeys }) => requiredKeys.length > 0);
  const chosen = offered.find(({ key }) => key === named);
  const has = (key: string) => own?.some((each) => each.key === key && each.own) ?? false;
  const close = () => navigate("/AjouterMethode", { replace: true });
  const saved = () => {
    // Moneroo's sheet says it in place, as specified; the others on their own page.
    if (chosen?.key === "moneroo") setDone(true);
    else navigate(`/SuccesBottomSheetIndex?nom=${chosen?.key ?? ""}`);
  };
  return (
    <>
      <Rows>
        {offered.map((aggregator) => (
          <Cell
            key={aggregator.key}
            before={<ProviderMark provider={aggregator.key} />}
            title={aggregator.name}
            subtitle={aggregator.description}
            after={has(aggregator.key) ? <Badge tone="positive">{copy.already}</Badge> : undefined}
            onClick={() =>
              pass(() =>
                navigate(
                  has(aggregator.key)
                    ? `/ModifierKey?nom=${aggregator.key}`
                    : `/AjouterMethode?nom=${aggregator.key}`,
                ),
              )
            }
            chevron
          />
        ))}
      </Rows>
      {named && !chosen ? (
        <Sheet title={copy.missing} onClose={close}>
          <p role="alert">{copy.missingText}</p>
          <Button onClick={close}>{copy.addTitle}</Button>
        </Sheet>
      ) : null}
      {chosen && !done ? (
        <Sheet title={copy.sheet.title(chosen.name)} onClose={close} close={copy.sheet.later}>
          <Text tone="soft">{has(chosen.key) ? copy.sheet.replaces : chosen.description}</Text>
          <Text tone="soft">{copy.sheet.countries(chosen.countries)}</Text>
          <KeysForm
            aggregator={chosen}
            replacing={has(chosen.key)}
            save={copy.sheet.save}
            onSaved={saved}
          />
        </Sheet>
      ) : null}
      {done ? <SuccessSheet name={chosen?.name ?? null} leaves /> : null}
      {gate}
    </>
  );
}
