import { useState } from "react";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import common from "../../kit/buyer.module.css";
import styles from "./checkout.module.css";
import { donationCopy as copy } from "./rare-messages.fr.ts";
import { CloseButton, Sheet } from "./sheet.tsx";

/** The contract's DONATION_MAX, which is a bigint: this page does not load that module. */
const MOST = 1_000_000;

type DonationSheetProps = {
  readonly minimum: number;
  readonly suggestions: readonly number[];
  onChoose(amount: number): void;
  onClose(): void;
};

/** The donor chooses a proposed amount or types another. */
export function DonationSheet({ minimum, suggestions, onChoose, onClose }: DonationSheetProps) {
  const [amount, setAmount] = useState<number | null>(null);
  const [typed, setTyped] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const choose = (francs: number | null, words: string) => {
    setAmount(francs);
    setTyped(words);
    setComplaint(null);
  };
  const goOn = () => {
    if (amount === null) return setComplaint(copy.missing);
    if (amount < minimum) return setComplaint(copy.least(formatFcfa(minimum)));
    if (amount > MOST) return setComplaint(copy.most(formatFcfa(MOST)));
    onChoose(amount);
  };
  return (
    <Sheet title={copy.title} onClose={onClose}>
      {suggestions.length > 0 ? (
        <fieldset className={styles.amounts}>
          <legend className={styles.hidden}>{copy.amounts}</legend>
          {suggestions.map((each) => (
            <label key={each} className={styles.choice}>
              <input
                type="radio"
                name="montant"
                checked={typed === "" && amount === each}
                onChange={() => choose(each, "")}
              />
              <span>{formatFcfa(each)}</span>
            </label>
          ))}
        </fieldset>
      ) : null}
      <input
        className={common.field}
        inputMode="numeric"
        maxLength={9}
        aria-label={copy.other}
        placeholder={`${copy.other} (${copy.franc})`}
        value={typed}
        onChange={({ target }) => {
          const digits = target.value.replace(/\D/g, "").replace(/^0+/, "");
          const francs = digits === "" ? null : Number(digits);
          choose(francs, francs === null ? "" : formatNumber(francs));
        }}
      />
      <p className={common.complaint} role="alert">
        {complaint}
      </p>
      <button className={common.action} type="button" onClick={goOn}>
        {amount === null ? copy.goOn : copy.go(formatFcfa(amount))}
      </button>
      <CloseButton />
    </Sheet>
  );
}
