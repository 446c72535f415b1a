import type { BodyOf, CallName, Sent } from "@sesame/contract/routes";
import { useQueryClient } from "@tanstack/react-query";
import { Fragment, isValidElement, type ReactElement, type ReactNode, useState } from "react";
import { call, type How, TAKEN_BACK, useWaiting } from "../lib/api.ts";
import { type RequestError, sayError, type Answered } from "../lib/request.ts";
import { useSession } from "../lib/session.ts";
import { useWrite } from "../lib/use-write.ts";
import { haptic } from "../telegram/native.ts";
import styles from "./controls.module.css";
import { Button, type ButtonProps, PlainButton } from "./button.tsx";
import { Stack, Text } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import { Sheet } from "./modal.tsx";
import { toast } from "./toast.tsx";
import { Fields, Form, type FormOf, useForm, type Values } from "./use-form.tsx";
import { Note } from "./records.tsx";

/** An action of the person, as data: its button, its fields, the call, and what follows. */
export type ActOf<C extends CallName, K extends string> = {
  readonly button: string;
  readonly look?: ButtonProps["look"];
  readonly icon?: ButtonProps["icon"];
  /** Whether it is allowed now, and why not. `shown`: its button stands there all the same. */
  readonly may?: {
    readonly allowed: boolean;
    readonly reason: string | null;
    readonly shown?: boolean;
  };
  /** Title of the sheet; without one, a tap on the button runs it. */
  readonly title?: string;
  readonly text?: string | undefined;
  readonly about?: ReactNode;
  readonly confirm?: string;
  readonly cancel?: string;
  readonly danger?: boolean;
  /** Why there is nothing to send yet, beside what the fields lack. */
  readonly lack?: string | false | ((said: Values) => string | false);
  readonly fields?: FormOf<K>;
  /** The body of the call; absent: the values of the fields. */
  body?(values: Readonly<Record<K, string>>): BodyOf<C>;
  /** Words of the toast when it is done; absent: the answer's own message. */
  done?(answer: Answered<C>): string;
  /** The next action, opened at once. */
  next?(answer: Answered<C>): Act | null;
  /** What else follows: another page, a secret to be read. */
  after?(answer: Answered<C>): void;
  /** Words for a refusal without a message of its own. */
  readonly failed?: string | ((error: RequestError) => string);
  /** True when a gate has shown the refusal already. */
  caught?(error: RequestError): boolean;
};

export type Act = Omit<ActOf<never, never>, "fields" | "body" | "done" | "next" | "after"> &
  How & {
    readonly name: CallName;
    readonly fields?: FormOf<string>;
    body?(values: Values): object;
    done?(answer: Answer): string;
    next?(answer: Answer): Act | null;
    after?(answer: Answer): void;
  };

type Answer = { readonly message?: string };

/** Names the call. What it needs beside its body, such as `params` or a time limit, stands among the rest. */
export function act<C extends CallName, const K extends string = never>(
  name: C,
  what: ActOf<C, K> & Omit<Sent<C>, "body" | "form"> & How,
): Act {
  return { ...what, name } as unknown as Act;
}

export function useAction(of: Act) {
  const client = useQueryClient();
  const [caught, setCaught] = useState<RequestError | null>(null);
  const write = useWrite<object, Answer>(
    (body, how) =>
      (call as (name: CallName, given: object) => Promise<Answer>)(of.name, {
        ...of,
        body,
        ...how,
      }),
    {
      onSuccess: (answer) => {
        haptic("success");
        of.after?.(answer);
        const said = of.done?.(answer) ?? answer.message;
        if (said) toast(said);
      },
      onError: (error) => {
        haptic("error");
        // The card may leave with the list that is read again: a toast shows its refusal all the same.
        if (of.caught?.(error)) setCaught(error);
        else toast(sayNo(of, error), "bad");
      },
      // A sheet closes at once; a button without a sheet stays busy until the screen shows the result.
      onSettled: () => {
        const anew = client.invalidateQueries();
        return of.title === undefined ? anew : undefined;
      },
    },
  );
  return { ...write, error: write.error === caught ? null : write.error };
}

function sayNo({ failed }: Act, error: RequestError): string {
  return typeof failed === "function" ? failed(error) : sayError(error, failed ?? error.message);
}

/** For actions that need a signed-in seller. */
export function useSignedIn() {
  const { at } = useSession();
  const reason = at === "offline" ? kitCopy.offline : null;
  return { allowed: at === "live", reason, shown: true } as const;
}

export type Offer = Act | ReactElement | false | null | undefined;

/** The actions on one thing, a button each; a forbidden one shows why. Words may stand between them. */
export function Acts(props: { of: Offer | readonly Offer[]; size?: "small" | "large" }) {
  const [opened, setOpened] = useState<Act | null>(null);
  const acts = [props.of]
    .flat()
    .filter((each) => each !== false && each !== null && each !== undefined);
  // An action that has just become impossible stays open: what was typed is not lost, and the server's
  // refusal explains.
  const isOpen = (each: Act | ReactElement): each is Act =>
    opened !== null && !isValidElement(each) && (each as Act).title === opened.title;
  const open = acts.find(isOpen) ?? opened;
  return (
    <>
      {acts.map((each, at) => {
        if (isValidElement(each)) return <Fragment key={at}>{each}</Fragment>;
        const { button, may, title, look, icon } = each;
        const barred = may && !may.allowed;
        if (barred && !may.shown) {
          return <Note key={button}>{may.reason}</Note>;
        }
        if (title === undefined) return <ActNow key={button} of={each} size={props.size} />;
        return (
          <Button
            key={button}
            look={look}
            icon={icon}
            size={props.size ?? "large"}
            disabled={barred ?? false}
            lack={barred ? may.reason : null}
            onClick={() => setOpened(each)}
          >
            {button}
          </Button>
        );
      })}
      {open ? (
        <ActSheet key={open.title} of={open} onNext={setOpened} onClose={() => setOpened(null)} />
      ) : null}
    </>
  );
}

/** Runs with one tap. */
function ActNow({ of, size = "large" }: { of: Act; size?: "small" | "large" | undefined }) {
  const action = useAction(of);
  return (
    <>
      <Button
        look={of.look}
        icon={of.icon}
        size={size}
        busy={action.isPending}
        onClick={() => action.mutate(of.body?.({}) ?? {})}
      >
        {of.button}
      </Button>
      <Refusal of={of} error={action.error} />
    </>
  );
}

/** An action with a sheet: what it does, its fields, and the refusal, in one place. */
export function ActSheet(props: { of: Act; onNext?(next: Act): void; onClose(): void }) {
  return (
    <Sheet title={props.of.title ?? props.of.button} onClose={props.onClose}>
      <ActForm {...props} />
    </Sheet>
  );
}

/**
 * The fields of an action, and its button. In the page, not in a sheet, the fields are emptied once it
 * succeeds.
 */
export function ActForm(props: { of: Act; onNext?(next: Act): void; onClose?(): void }) {
  const { of, onClose } = props;
  const form = useForm(of.fields ?? {});
  const action = useAction(of);
  // Until it is sent, closing its sheet cancels it.
  const waiting = useWaiting() > 0 && action.isPending;
  const barred = of.may !== undefined && !of.may.allowed;
  const own = typeof of.lack === "function" ? of.lack(form.values) : of.lack;
  const lack = own || form.lack;
  const danger = of.danger ?? of.look === "danger-tinted";
  const send = () => {
    if (action.isPending || lack) return;
    action.mutate(of.body?.(form.values) ?? form.said, {
      onSuccess: (answer) => {
        const next = of.next?.(answer);
        if (next) props.onNext?.(next);
        else if (onClose) onClose();
        else form.clear();
      },
    });
  };
  const close = () => {
    if (of.waits) action.takeBack();
    onClose?.();
  };
  return (
    <Form gap={onClose ? 4 : 3} onSubmit={send}>
      {of.text ? (
        <Text tone="soft" center>
          {of.text}
        </Text>
      ) : null}
      {of.about}
      <Fields form={form} />
      <Refusal of={of} error={action.error} />
      <Text size="small" tone="amber" center role="status">
        {waiting ? kitCopy.waiting : null}
      </Text>
      <Stack gap={2}>
        <Button
          type="submit"
          look={danger ? "danger" : "filled"}
          icon={onClose ? undefined : of.icon}
          busy={action.isPending}
          disabled={barred && !onClose}
          lack={barred && !onClose ? (of.may?.reason ?? null) : lack}
        >
          {of.confirm ?? of.button}
        </Button>
        {onClose ? <PlainButton onClick={close}>{of.cancel ?? kitCopy.cancel}</PlainButton> : null}
      </Stack>
    </Form>
  );
}

/** The server's refusal, beside the button that caused it. */
function Refusal({ of, error }: { of: Act; error: RequestError | null }) {
  return (
    <p className={styles.complaint} role="alert">
      {error && error.code !== TAKEN_BACK ? sayNo(of, error) : ""}
    </p>
  );
}
