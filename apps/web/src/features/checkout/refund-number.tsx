import { COUNTRY_TERMS, PAYOUT_COUNTRIES, PAYOUT_METHODS } from "@sesame/contract/withdrawals";
import { useState } from "react";
import { checkoutCopy } from "./messages.fr.ts";
import styles from "../../kit/buyer.module.css";
import { useSending } from "./use-sending.ts";

const copy = checkoutCopy.care;
const METHODS = Object.values(PAYOUT_METHODS);

/** Where an agent sends what no provider can give back. */
export function RefundNumber(props: {
  send(place: { methode: string; numero: string }): Promise<string>;
}) {
  const [methode, setMethode] = useState("");
  const [numero, setNumero] = useState("");
  const sending = useSending();
  return (
    <div className={styles.form}>
      <label>
        {copy.method}
        <select
          className={styles.field}
          value={methode}
          onChange={(event) => setMethode(event.target.value)}
        >
          <option value="">…</option>
          {PAYOUT_COUNTRIES.map((country) => (
            <optgroup key={country} label={COUNTRY_TERMS[country].name}>
              {METHODS.filter((method) => method.country === country).map((method) => (
                <option key={method.id} value={method.id}>
                  {method.label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <label>
        {copy.number}
        <input
          className={styles.field}
          type="tel"
          autoComplete="tel"
          maxLength={32}
          value={numero}
          onChange={(event) => setNumero(event.target.value)}
        />
      </label>
      <p className={styles.complaint} role="alert">
        {sending.complaint}
      </p>
      <button
        type="button"
        className={styles.action}
        aria-busy={sending.busy}
        onClick={() => void sending.run(() => props.send({ methode, numero }))}
      >
        {copy.sendNumber}
      </button>
    </div>
  );
}
