import {
  COUNTRY_TERMS,
  groupPhone,
  isPayoutMethod,
  normalisePhone,
  PAYOUT_METHODS,
} from "@sesame/contract/withdrawals";
import { keepTogether } from "../../../lib/format.ts";
import { TextField } from "../../../kit/field.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";

const copy = withdrawalsCopy.form;

/** What is typed, read back in groups as soon as it is a number of the method's country. */
export function PhoneField(props: {
  phone: string;
  method: string;
  error: string | null;
  onChange(phone: string): void;
}) {
  return (
    <TextField
      label={copy.phone}
      hint={readBack(props.phone, props.method)}
      value={props.phone}
      error={props.error}
      inputMode="tel"
      autoComplete="tel"
      maxLength={40}
      required
      onChange={props.onChange}
    />
  );
}

function readBack(phone: string, method: string): string | undefined {
  if (!isPayoutMethod(method)) return undefined;
  const read = normalisePhone(phone, method);
  if (read.ok) return copy.phoneReads(keepTogether(groupPhone(read.value)));
  const { nationalLength, dial } = COUNTRY_TERMS[PAYOUT_METHODS[method].country];
  return copy.phoneHint(nationalLength, dial);
}
