import type { AggregatorOnWire } from "@sesame/contract/payment-accounts";
import { useState } from "react";
import { usePremiumGate } from "../../../lib/premium-gate.tsx";
import { sayError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { TextField } from "../../../kit/field.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { aggregatorsCopy } from "../messages.fr.ts";
import { useAggregatorWrite } from "../own-aggregators.ts";

const copy = aggregatorsCopy.sheet;

/** The keys a provider asks for: checked by a call to it, then never shown again (decision 51). */
export function KeysForm(props: {
  aggregator: AggregatorOnWire;
  /** Keys are saved already: what is left empty stands. */
  replacing: boolean;
  save: string;
  onSaved(): void;
}) {
  const { aggregator, replacing } = props;
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const [complaint, setComplaint] = useState<string | null>(null);
  const change = useAggregatorWrite("PUT", aggregator.key);
  const { pass, caught, gate } = usePremiumGate("own-aggregators");
  const given = Object.entries(typed).filter(([, value]) => value.trim() !== "");
  const incomplete = aggregator.requiredKeys.some(
    ({ name, optional }) => !optional && !typed[name]?.trim(),
  );
  const refuse = (words: string) => {
    haptic("error");
    setComplaint(words);
  };
  const save = () => {
    if (change.isPending) return;
    if (replacing ? given.length === 0 : incomplete) {
      return refuse(copy.incomplete(aggregator.name));
    }
    setComplaint(null);
    const keys = Object.fromEntries(given.map(([name, value]) => [name, value.trim()]));
    change.mutate(
      { keys },
      {
        onSuccess: () => {
          haptic("success");
          // What was typed leaves the page's memory too.
          setTyped({});
          props.onSaved();
        },
        onError: (error) => {
          if (!caught(error)) refuse(sayError(error, aggregatorsCopy.updateFailed));
        },
      },
    );
  };
  return (
    <Stack
      as="form"
      gap={4}
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        pass(save);
      }}
    >
      {aggregator.requiredKeys.map((key) => (
        <TextField
          key={key.name}
          label={key.optional ? copy.optional(key.label) : key.label}
          hint={key.hint}
          required={!key.optional && !replacing}
          secret={key.secret}
          value={typed[key.name] ?? ""}
          onChange={(value) => {
            setTyped({ ...typed, [key.name]: value });
            setComplaint(null);
          }}
        />
      ))}
      <Text size="small" tone="brick" strong role="alert">
        {complaint}
      </Text>
      <Button type="submit" busy={change.isPending}>
        {props.save}
      </Button>
      <Text size="small" tone="soft" center>
        {copy.verified}
      </Text>
      {gate}
    </Stack>
  );
}
