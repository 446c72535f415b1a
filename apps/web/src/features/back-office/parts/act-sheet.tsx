import type { UseMutationResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { RequestError } from "../../../lib/request.ts";
import { haptic } from "../../../telegram/native.ts";
import { Button, type ButtonProps } from "../../../kit/button.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { deskCopy } from "../messages.fr.ts";
import styles from "./sheet.module.css";

export type ActSheetProps<B, A> = {
  readonly title: string;
  readonly text?: string | undefined;
  readonly confirm: string;
  readonly look?: ButtonProps["look"];
  readonly act: UseMutationResult<A, RequestError, B>;
  readonly body: B;
  /** Nothing to send yet. */
  readonly disabled?: boolean;
  readonly children?: ReactNode;
  onDone(answer: A): void;
  onClose(): void;
};

/** An act that is asked twice: what it does, its fields, and why it was refused, in one place. */
export function ActSheet<B, A>(props: ActSheetProps<B, A>) {
  const { act } = props;
  const send = () => {
    if (act.isPending || props.disabled) return;
    act.mutate(props.body, {
      onSuccess: (answer) => {
        haptic("success");
        props.onDone(answer);
      },
      onError: () => haptic("error"),
    });
  };
  return (
    <Sheet title={props.title} onClose={props.onClose}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {props.text ? <p className={styles.text}>{props.text}</p> : null}
        {props.children}
        <Complaint error={act.error} />
        <div className={styles.buttons}>
          <Button
            type="submit"
            look={props.look ?? "filled"}
            busy={act.isPending}
            disabled={props.disabled ?? false}
          >
            {props.confirm}
          </Button>
          <Button look="plain" onClick={props.onClose}>
            {deskCopy.cancel}
          </Button>
        </div>
      </form>
    </Sheet>
  );
}

/** The server's refusal, where it was asked. */
export function Complaint({ error }: { error: Error | null }) {
  return (
    <p className={styles.complaint} role="alert">
      {error?.message ?? ""}
    </p>
  );
}
