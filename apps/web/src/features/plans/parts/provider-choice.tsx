import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import { useId } from "react";
import { Badge } from "../../../kit/badge.tsx";
import { Banner } from "../../../kit/banner.tsx";
import { Line, Stack, Text } from "../../../kit/layout.tsx";
import { paymentCopy } from "../messages.fr.ts";
import styles from "../plans.module.css";

const copy = paymentCopy.selector;

/** The open providers, one to be chosen: what it takes, its price there, and how it is today. */
export function ProviderChoice(props: {
  providers: readonly PaymentProviderOnWire[];
  chosen: string | null;
  disabled: boolean;
  onChoose(id: string): void;
}) {
  const name = useId();
  const chosen = props.providers.find(({ id }) => id === props.chosen);
  return (
    <>
      <Stack as="fieldset" disabled={props.disabled}>
        <legend className="only-heard">{copy.methods}</legend>
        {props.providers.map((provider) => (
          <label key={provider.id} className={styles.choice}>
            <input
              type="radio"
              name={name}
              value={provider.id}
              checked={provider.id === props.chosen}
              onChange={() => props.onChoose(provider.id)}
            />
            <Stack as="span" gap={1}>
              <Line as="span" gap={3} between>
                <strong>{provider.name}</strong>
                {provider.quote ? (
                  <Text as="span" size="small" tone="soft">
                    {provider.quote.label}
                  </Text>
                ) : null}
              </Line>
              <Text as="small" size="small" tone="soft">
                {provider.methods.join(", ") || provider.description}
              </Text>
              {provider.disturbed || provider.own ? (
                <Line as="span">
                  {provider.disturbed ? <Badge tone="warning">{copy.disturbed}</Badge> : null}
                  {provider.own ? <Badge tone="accent">{copy.own}</Badge> : null}
                </Line>
              ) : null}
            </Stack>
          </label>
        ))}
      </Stack>
      {chosen?.disturbed ? (
        <Banner tone="warning" icon="warning">
          {copy.disturbedText}
        </Banner>
      ) : null}
    </>
  );
}
