import { readPrice } from "@sesame/contract/catalogue";
import { DONATION_MAX } from "@sesame/contract/checkout";
import { useState } from "react";
import { formatFcfa, formatNumber } from "../../../lib/format.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { ChipField, TextField } from "../../../kit/field.tsx";
import { Stack } from "../../../kit/layout.tsx";
import { paymentCopy } from "../messages.fr.ts";
import type { Gift } from "./subject.tsx";

const copy = paymentCopy.gift;

export type GiftAmountProps = { readonly gift: Gift; onChoose(amount: number): void };

/** What a donor gives: one of what is proposed, or an amount of his own. */
export function GiftAmount({ gift, onChoose }: GiftAmountProps) {
  const [digits, setDigits] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const choose = (text: string) => {
    setDigits(text.replace(/\D/g, "").replace(/^0+/, ""));
    setComplaint(null);
  };
  const goOn = () => {
    const wrong = complaintOf(digits, gift.minimum);
    if (wrong === null) return onChoose(Number(digits));
    haptic("error");
    setComplaint(wrong);
  };
  return (
    <Stack
      as="form"
      gap={4}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        goOn();
      }}
    >
      {gift.suggestions.length > 0 ? (
        <ChipField
          label={copy.proposed}
          value={digits}
          choices={gift.suggestions.map((each) => ({
            value: String(each),
            label: formatFcfa(each),
          }))}
          onChange={choose}
        />
      ) : null}
      <TextField
        label={copy.own}
        value={digits === "" ? "" : formatNumber(Number(digits))}
        inputMode="numeric"
        suffix={copy.franc}
        maxLength={9}
        hint={copy.least(formatFcfa(gift.minimum))}
        error={complaint}
        onChange={choose}
      />
      <Button type="submit">
        {digits === "" ? copy.goOn : copy.go(formatFcfa(Number(digits)))}
      </Button>
    </Stack>
  );
}

function complaintOf(digits: string, minimum: number): string | null {
  const francs = readPrice(digits);
  if (francs === null) return copy.missing;
  if (francs < minimum) return copy.least(formatFcfa(minimum));
  return francs > DONATION_MAX ? copy.most(formatFcfa(Number(DONATION_MAX))) : null;
}
