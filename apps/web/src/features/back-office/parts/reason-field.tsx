import { REASON_CHARACTERS_MAX } from "@sesame/contract/treasury";
import { TextArea } from "../../../kit/field.tsx";
import { deskCopy } from "../messages.fr.ts";

/** Somebody's own words, as long as the server takes them. */
export function ReasonField(props: {
  label: string;
  hint?: string | undefined;
  value: string;
  onChange(value: string): void;
}) {
  const { length } = props.value;
  return (
    <TextArea
      label={props.label}
      hint={props.hint}
      value={props.value}
      max={REASON_CHARACTERS_MAX}
      length={length}
      counterLabel={deskCopy.characters(length, REASON_CHARACTERS_MAX)}
      onChange={props.onChange}
    />
  );
}
