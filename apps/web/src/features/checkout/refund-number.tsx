import {
  COUNTRY_TERMS,
  groupPhone,
  isPayoutMethod,
  PAYOUT_COUNTRIES,
  PAYOUT_METHODS,
  phoneShape,
} from "@sesame/contract/withdrawals";
import { useState } from "react";
import { takeFocus } from "../../buyer/page.ts";
import common from "../../kit/buyer.module.css";
import { careCopy as copy } from "./care-messages.fr.ts";
import { useSending } from "./sheet.tsx";

const METHODS = Object.values(PAYOUT_METHODS);

/** The number to which an agent sends a refund that no provider can send. */
export function RefundNumber(props: {
  send(place: { methode: string; numero: string }): Promise<unknown>;
}) {
  const [methode, setMethode] = useState("");
  const [numero, setNumero] = useState("");
  /** What the buyer is asked to read again; a change of the form takes the question back. */
  const [asked, setAsked] = useState("");
  const place =
    isPayoutMethod(methode) && numero.length > 7
      ? `${PAYOUT_METHODS[methode].label}, ${groupPhone(numero)}`
      : "";
  const sending = useSending(copy.failed);
  return (
    <div className={common.form} onChange={() => setAsked("")}>
      <label>
        {copy.method}
        <select
          className={common.field}
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
          className={common.field}
          type="tel"
          autoComplete="tel"
          maxLength={32}
          placeholder={isPayoutMethod(methode) ? phoneShape(methode) : undefined}
          value={numero}
          onChange={(event) => setNumero(event.target.value)}
        />
      </label>
      {asked ? (
        <p role="status" tabIndex={-1} ref={takeFocus}>
          {copy.readNumber(asked)}
        </p>
      ) : null}
      <p className={common.complaint} role="alert">
        {sending.complaint}
      </p>
      <button
        type="button"
        className={common.action}
        aria-busy={sending.busy}
        onClick={() => {
          if (place && !asked) setAsked(place);
          else void sending.run(() => props.send({ methode, numero }));
        }}
      >
        {asked ? copy.rightNumber : copy.sendNumber}
      </button>
    </div>
  );
}
