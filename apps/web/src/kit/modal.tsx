import {
  type ComponentProps,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button, type ButtonProps, PlainButton } from "./button.tsx";
import { classes } from "../lib/text.ts";
import { Stack, Text } from "./layout.tsx";
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
  const [dialog, titleId, shell] = useShell(onClose, true);
  const { offset, grip } = useDragToClose(() => dialog.current?.close());
  return (
    <dialog
      {...shell}
      className={classes(styles.dialog, styles.sheet)}
      style={offset > 0 ? { translate: `0 ${offset}px` } : undefined}
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
          {close ? <PlainButton onClick={onClose}>{close}</PlainButton> : null}
        </Stack>
      </div>
    </dialog>
  );
}

export type DialogAction = Pick<ButtonProps, "look" | "busy" | "disabled" | "lack"> & {
  readonly label: string;
  run(): void;
};

/**
 * A question or a message in the middle of the screen. `locked`: while it is sent, only its actions close it.
 */
export function Dialog(
  props: Shell & { actions: readonly DialogAction[]; locked?: boolean; picture?: ReactNode },
) {
  const [, titleId, shell] = useShell(props.onClose, !props.locked);
  return (
    <dialog {...shell} className={classes(styles.dialog, styles.middle)}>
      <div className={styles.middleBody}>
        {props.picture}
        <Text as="h2" id={titleId} size="heading" center>
          {props.title}
        </Text>
        {props.children ? <div className={styles.middleText}>{props.children}</div> : null}
        <div className={styles.actions}>
          {props.actions.map(({ label, run, ...look }) => (
            <Button key={label} {...look} onClick={run}>
              {label}
            </Button>
          ))}
        </div>
      </div>
    </dialog>
  );
}

/**
 * Opens it over everything; "back", Escape and a tap outside close it unless only its actions may. The
 * browser restores the focus when it closes; when React removes it while it is open, we do.
 */
function useShell(onClose: () => void, closable: boolean) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const opener = useRef<Element | null>(null);
  useOverlay(() => {
    if (closable) dialog.current?.close();
  });
  // Before anybody sees the page, or a test: until it is open, nothing in it can be pressed.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || element.open) return;
    opener.current ??= document.activeElement;
    element.showModal();
    // The focus is on the actions below: a long word is read from its beginning.
    element.scrollTo(0, 0);
  }, []);
  useEffect(() => {
    const element = dialog.current;
    // By then React has removed it: what it covered can have the focus again.
    return () => {
      if (element?.open && opener.current instanceof HTMLElement) {
        opener.current.focus({ preventScroll: true });
      }
    };
  }, []);
  const shell: ComponentProps<"dialog"> = {
    ref: dialog,
    "aria-labelledby": titleId,
    onClose,
    onCancel: (event) => {
      if (!closable) event.preventDefault();
    },
    onClick: (event) => {
      if (closable && event.target === event.currentTarget) event.currentTarget.close();
    },
  };
  return [dialog, titleId, shell] as const;
}
