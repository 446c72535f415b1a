import type { PaymentProviderOnWire } from "@sesame/contract/checkout";
import { Fragment, type ReactNode } from "react";
import { checkoutCopy as copy } from "./messages.fr.ts";
import styles from "./checkout.module.css";

export type ProviderChoicesProps = {
  readonly providers: readonly PaymentProviderOnWire[];
  readonly chosen: string | null;
  readonly disabled: boolean;
  onChoose(id: string): void;
  /** Under the chosen one. */
  readonly children: ReactNode;
};

/** Who answers us badly of late comes after those who do not. */
export function calmFirst(
  providers: readonly PaymentProviderOnWire[],
): readonly PaymentProviderOnWire[] {
  return [
    ...providers.filter(({ disturbed }) => !disturbed),
    ...providers.filter(({ disturbed }) => disturbed),
  ];
}

/** Each provider with its mark, what it takes, its price where that is not in francs. */
export function ProviderChoices(props: ProviderChoicesProps) {
  const { providers, chosen, disabled, onChoose, children } = props;
  return (
    <fieldset className={styles.choices} disabled={disabled}>
      <legend className={styles.hidden}>{copy.chooseTitle}</legend>
      {providers.map((provider) => (
        <Fragment key={provider.id}>
          <label className={styles.choice}>
            <input
              type="radio"
              name="provider"
              value={provider.id}
              checked={chosen === provider.id}
              onChange={() => onChoose(provider.id)}
            />
            <span className={styles.provider} data-provider={provider.id} aria-hidden="true">
              {MARKS[provider.id] ?? provider.name.charAt(0)}
            </span>
            <span>
              <strong>{provider.name}</strong>
              {provider.quote ? <b className={styles.quote}> {provider.quote.label}</b> : null}
              {provider.disturbed ? <em className={styles.disturbed}>{copy.disturbed}</em> : null}
              <small>{provider.methods.join(", ")}</small>
              {chosen === provider.id ? <small>{provider.description}</small> : null}
            </span>
          </label>
          {chosen === provider.id ? children : null}
        </Fragment>
      ))}
    </fieldset>
  );
}

const MARKS: Readonly<Record<string, string>> = { paydunya: "PD", cryptopay: "₮", stars: "★" };
