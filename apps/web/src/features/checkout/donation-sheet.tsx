import { useState } from "react";
import common from "../../kit/buyer.module.css";
import { formatFcfa, formatNumber } from "../../lib/format.ts";
import { Choices, CloseButton, SendButton } from "./rare-sheet.tsx";
import { donationCopy as copy } from "./rare-messages.fr.ts";
import { BuyerSheet } from "./sheet.tsx";

/** The contract's DONATION_MAX: named there as a bigint, which this page does not load. */
const MOST = 1_000_000;

export type DonationSheetProps = {
  readonly minimum: number;
  readonly suggestions: readonly number[];
  onChoose(amount: number): void;
  onClose(): void;
};

/** What a donor gives: one of what is proposed, or an amount of his own. */
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
    const wrong = complaintOf(amount, minimum);
    if (wrong !== null || amount === null) return setComplaint(wrong);
    onChoose(amount);
  };
  return (
    <BuyerSheet title={copy.title} onClose={onClose}>
      {(close) => (
        <>
          {suggestions.length > 0 ? (
            <Choices
              legend={copy.amounts}
              of={suggestions.map((each) => [each, formatFcfa(each)])}
              chosen={typed === "" ? amount : null}
              side
              onChoose={(each) => choose(each, "")}
            />
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
          <SendButton
            label={amount === null ? copy.goOn : copy.go(formatFcfa(amount))}
            complaint={complaint}
            onSend={goOn}
          />
          <CloseButton onClose={close} />
        </>
      )}
    </BuyerSheet>
  );
}

function complaintOf(amount: number | null, minimum: number): string | null {
  if (amount === null) return copy.missing;
  if (amount < minimum) return copy.least(formatFcfa(minimum));
  return amount > MOST ? copy.most(formatFcfa(MOST)) : null;
}
