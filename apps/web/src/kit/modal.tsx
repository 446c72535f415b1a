import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useWaiting } from "../lib/api.ts";
import { Button } from "./button.tsx";
import { classes } from "../lib/text.ts";
import { Stack, Text } from "./layout.tsx";
import { kitCopy } from "./messages.fr.ts";
import styles from "./over.module.css";
import { useOverlay } from "./toast.tsx";

const FAR_ENOUGH_PX = 90;
/** A flick: less far, but fast. */
const FLICK_PX = 24;
const FLICK_PX_PER_MS = 0.5;

/** Pulls a sheet down with the finger; far or fast enough, it closes; else it springs back. */
function useDragToClose(close: () => void) {
  const [start, setStart] = useState<{ y: number; at: number } | null>(null);
  const [offset, setOffset] = useState(0);
  const end = () => {
    setStart(null);
    setOffset(0);
  };
  return {
    /** Pixels below its place. */
    offset,
    grip: {
      onPointerDown(event: PointerEvent<HTMLElement>) {
        event.currentTarget.setPointerCapture(event.pointerId);
        setStart({ y: event.clientY, at: event.timeStamp });
      },
      onPointerMove(event: PointerEvent<HTMLElement>) {
        if (start !== null) setOffset(Math.max(0, event.clientY - start.y));
      },
      onPointerUp({ timeStamp }: PointerEvent<HTMLElement>) {
        const flick =
          start !== null &&
          offset > FLICK_PX &&
          offset / Math.max(1, timeStamp - start.at) > FLICK_PX_PER_MS;
        if (flick || offset > FAR_ENOUGH_PX) close();
        end();
      },
      onPointerCancel: end,
    },
  };
}

type Shell = {
  readonly title: string;
  readonly children?: ReactNode;
  onClose(): void;
};

/** A sheet from the bottom: dragged down, tapped outside or Escape, it closes; `close`: by a button too. */
export function Sheet({ title, children, onClose, close }: Shell & { close?: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const { offset, grip } = useDragToClose(() => dialog.current?.close());
  useOpen(dialog, true);
  return (
    <dialog
      ref={dialog}
      className={classes(styles.dialog, styles.sheet)}
      aria-labelledby={titleId}
      onClose={onClose}
      style={offset > 0 ? { translate: `0 ${offset}px` } : undefined}
      onClick={(event) => {
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
    >
      <div className={styles.sheetBody}>
        <div className={styles.grip} {...grip}>
          <span className={styles.handle} aria-hidden="true" />
          <Text as="h2" id={titleId} size="heading" center>
            {title}
          </Text>
        </div>
        <Stack gap={4}>
          {children}
          {close ? (
            <Button look="plain" onClick={onClose}>
              {close}
            </Button>
          ) : null}
        </Stack>
      </div>
    </dialog>
  );
}

export type DialogAction = {
  readonly label: string;
  readonly look?: "filled" | "tinted" | "danger" | "plain";
  readonly busy?: boolean;
  readonly disabled?: boolean;
  run(): void;
};

/** In a question whose answer waits for the network: closed, it takes its answer back. */
export function WaitsForNetwork({ of }: { of: { readonly isPending: boolean } }) {
  const waiting = useWaiting() > 0 && of.isPending;
  return (
    <Text size="small" tone="amber" center role="status">
      {waiting ? kitCopy.waiting : null}
    </Text>
  );
}

/** A question or a word in the middle of the screen. `locked`: only its actions end it, while it is sent. */
export function Dialog(
  props: Shell & { actions: readonly DialogAction[]; locked?: boolean; picture?: ReactNode },
) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useOpen(dialog, !props.locked);
  return (
    <dialog
      ref={dialog}
      className={classes(styles.dialog, styles.middle)}
      aria-labelledby={titleId}
      onClose={props.onClose}
      onCancel={(event) => {
        if (props.locked) event.preventDefault();
      }}
      onClick={(event) => {
        if (!props.locked && event.target === event.currentTarget) event.currentTarget.close();
      }}
    >
      <div className={styles.middleBody}>
        {props.picture}
        <Text as="h2" id={titleId} size="heading" center>
          {props.title}
        </Text>
        {props.children ? <div className={styles.middleText}>{props.children}</div> : null}
        <div className={styles.actions}>
          {props.actions.map((action) => (
            <Button
              key={action.label}
              look={action.look ?? "filled"}
              busy={action.busy ?? false}
              disabled={action.disabled ?? false}
              onClick={action.run}
            >
              {action.label}
            </Button>
          ))}
        </div>
      </div>
    </dialog>
  );
}

/**
 * Opens it over everything; "back" closes it unless only its actions may. The browser gives the
 * focus back when it is closed; when it is taken away still open, we do.
 */
function useOpen(dialog: RefObject<HTMLDialogElement | null>, closable: boolean): void {
  const opener = useRef<Element | null>(null);
  useOverlay(() => {
    if (closable) dialog.current?.close();
  });
  useEffect(() => {
    const element = dialog.current;
    if (element && !element.open) {
      opener.current ??= document.activeElement;
      element.showModal();
      // The focus is on the actions below: a long word is read from its beginning.
      element.scrollTo(0, 0);
    }
    return () => {
      if (element?.open && opener.current instanceof HTMLElement) {
        opener.current.focus({ preventScroll: true });
      }
    };
  }, [dialog]);
}
