import { type ReactNode, useState } from "react";
import { haptic } from "../telegram/native.ts";
import { Button } from "../kit/button.tsx";
import type { IconName } from "../kit/icons.tsx";
import { TextArea } from "../kit/field.tsx";
import { Stack, Text } from "../kit/layout.tsx";
import { toast } from "../kit/toast.tsx";
import { type RequestError, sayError } from "./request.ts";

type WordsFormProps = {
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly max: number;
  readonly copy: { readonly failed: string };
  /** The write that takes them. */
  readonly act: {
    readonly isPending: boolean;
    mutate(
      said: { message: string },
      ends: { onSuccess(answer: { message: string }): void; onError(error: RequestError): void },
    ): void;
  };
  readonly send: string;
  readonly icon?: IconName;
  /** Why nothing can be sent now. */
  readonly offline?: string | null;
  /** Above the field. */
  readonly text?: string;
  /** Below the button. */
  readonly children?: ReactNode;
  onSent?(): void;
};

/** Somebody's words to somebody: gone from the field once they are taken, kept there until then. */
export function WordsForm(props: WordsFormProps) {
  const { act, copy, max, offline, onSent } = props;
  const [words, setWords] = useState("");
  const [complaint, setComplaint] = useState<string | null>(null);
  const write = (value: string) => {
    setWords(value);
    setComplaint(null);
  };
  const send = () => {
    if (act.isPending) return;
    act.mutate(
      { message: words.trim() },
      {
        onSuccess: ({ message }) => {
          haptic("success");
          toast(message);
          write("");
          onSent?.();
        },
        onError: (error) => {
          haptic("error");
          setComplaint(sayError(error, copy.failed));
        },
      },
    );
  };
  return (
    <Stack
      as="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {props.text ? <Text tone="soft">{props.text}</Text> : null}
      <TextArea
        label={props.label}
        hint={props.hint}
        required={props.required ?? false}
        error={complaint}
        value={words}
        max={max}
        onChange={write}
      />
      {offline ? (
        <Text size="small" tone="soft">
          {offline}
        </Text>
      ) : null}
      <Button
        type="submit"
        {...(props.icon ? { icon: props.icon } : {})}
        busy={act.isPending}
        disabled={Boolean(offline) || words.trim() === ""}
      >
        {props.send}
      </Button>
      {props.children}
    </Stack>
  );
}
