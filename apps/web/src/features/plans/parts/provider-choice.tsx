import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import { useId } from "react";
import { Badge } from "../../../kit/badge.tsx";
import { Banner } from "../../../kit/banner.tsx";
import { paymentCopy } from "../messages.fr.ts";
import styles from "../payment.module.css";

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
      <fieldset className={styles.choices} disabled={props.disabled}>
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
            <span className={styles.choiceWords}>
              <span className={styles.choiceName}>
                <strong>{provider.name}</strong>
                {provider.quote ? (
                  <span className={styles.quote}>{provider.quote.label}</span>
                ) : null}
              </span>
              <small>{provider.methods.join(", ") || provider.description}</small>
              {provider.disturbed || provider.own ? (
                <span className={styles.marks}>
                  {provider.disturbed ? <Badge tone="warning">{copy.disturbed}</Badge> : null}
                  {provider.own ? <Badge tone="accent">{copy.own}</Badge> : null}
                </span>
              ) : null}
            </span>
          </label>
        ))}
      </fieldset>
      {chosen?.disturbed ? (
        <Banner tone="warning" icon="warning">
          {copy.disturbedText}
        </Banner>
      ) : null}
    </>
  );
}
