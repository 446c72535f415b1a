import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { AlertBox, IconButton, StatusBar } from "../phone/parts/parts.tsx";
import css from "../phone/phone.module.css";
import { type OpenApp, usePhone } from "../phone/phone-state.ts";
import { type Scheme, THEMES } from "../../wire/theme.ts";
import {
  answerBridge,
  type AppState,
  ask,
  type BridgeMessage,
  type Change,
  FIRST_APP_STATE,
  type Post,
  readBridgeMessage,
} from "./bridge.ts";
import { miniAppCopy as copy } from "../phone/messages.fr.ts";

/**
 * The channel to one web view: accepts only what comes from its window and its origin, and posts
 * to that origin alone (reference telegram.md §1.3: JSON strings both ways).
 */
function useBridge(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  onMessage: (message: BridgeMessage, post: Post) => void,
): Post {
  // Before its first message the app's window may still be on the way to its origin.
  const received = useRef(false);
  const post: Post = (eventType, eventData = {}) => {
    if (!received.current) return;
    frame.current?.contentWindow?.postMessage(JSON.stringify({ eventType, eventData }), origin);
  };
  const receive = useEffectEvent((event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.current?.contentWindow) return;
    if (event.origin !== origin) return;
    const message = readBridgeMessage(event.data);
    if (message === null) return;
    received.current = true;
    onMessage(message, post);
  });
  useEffect(() => {
    const listener = (event: MessageEvent<unknown>) => receive(event);
    addEventListener("message", listener);
    return () => removeEventListener("message", listener);
  }, []);
  return post;
}

const DARK = "(prefers-color-scheme: dark)";

/** The phones follow the visitor's system. */
const systemScheme = (): Scheme => (matchMedia(DARK).matches ? "dark" : "light");

function onScheme(listener: () => void): () => void {
  const query = matchMedia(DARK);
  query.addEventListener("change", listener);
  return () => query.removeEventListener("change", listener);
}

/** The phone's own colours in the launch parameters: the app must not flash another theme. */
export function themedUrl(url: string, scheme: Scheme): string {
  const at = url.indexOf("#");
  if (at < 0) return url;
  const params = new URLSearchParams(url.slice(at + 1));
  params.set("tgWebAppThemeParams", JSON.stringify(THEMES[scheme]));
  return `${url.slice(0, at)}#${params.toString()}`;
}

/** A full web view: the phone is Telegram's client around it. */
export function MiniApp({ app }: { app: OpenApp }) {
  const phone = usePhone();
  const { launch, minimised } = app;
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<AppState>(FIRST_APP_STATE);
  const [src] = useState(() => themedUrl(launch.url, systemScheme()));
  const change: Change = (part) =>
    setState((before) => ({ ...before, ...(typeof part === "function" ? part(before) : part) }));

  const sendViewport = (post: Post) => {
    if (frame.current === null) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    post("viewport_changed", { width, height, is_expanded: true, is_state_stable: true });
  };
  const post = useBridge(frame, new URL(launch.url).origin, (message, post) =>
    answerBridge({ phone, launch, post, change, sendViewport: () => sendViewport(post) }, message),
  );
  const resized = useEffectEvent(() => sendViewport(post));
  const themed = useEffectEvent(() =>
    post("theme_changed", { theme_params: THEMES[systemScheme()] }),
  );
  useEffect(() => {
    const observer = new ResizeObserver(() => resized());
    if (frame.current !== null) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => onScheme(() => themed()), []);

  const close = () => {
    const done = () => phone.dispatch({ type: "closeApp" });
    if (!state.confirmClose) return done();
    const { message, stay: no, leave: yes } = copy.leave;
    ask(change, { message, no, yes }, (agreed) => agreed && done());
  };
  const covered = minimised || phone.ui.browserUrl !== null;
  const { main } = state;
  return (
    <section
      className={css.layer}
      aria-label={copy.region(launch.botName)}
      data-minimised={minimised}
      data-header={state.header}
      inert={covered}
      aria-hidden={covered}
    >
      <StatusBar />
      <div className={css.header}>
        {state.back ? (
          <IconButton icon="back" label={copy.back} onClick={() => post("back_button_pressed")} />
        ) : (
          <IconButton icon="close" label={copy.close} onClick={close} />
        )}
        <b className={css.grow}>{launch.botName}</b>
        <Menu onClose={state.back ? close : null} />
      </div>
      <iframe
        ref={frame}
        className={css.frame}
        title={copy.frame}
        src={src}
        allow="clipboard-write; fullscreen"
      />
      {main.visible && (
        <button
          type="button"
          className={css.wide}
          disabled={!main.active}
          aria-busy={main.progress}
          onClick={() => post("main_button_pressed")}
        >
          {main.text}
        </button>
      )}
      {state.popup !== null && <AlertBox {...state.popup} />}
    </section>
  );
}

function Menu({ onClose }: { onClose: (() => void) | null }) {
  const { dispatch } = usePhone();
  const [open, setOpen] = useState(false);
  const item = (text: string, run: () => void) => (
    <button
      type="button"
      role="menuitem"
      className={css.row}
      onClick={() => {
        setOpen(false);
        run();
      }}
    >
      {text}
    </button>
  );
  return (
    <>
      <IconButton icon="more" label={copy.menu} expanded={open} onClick={() => setOpen(!open)} />
      {open && (
        <div className={css.menu} role="menu">
          {item(copy.minimise, () => dispatch({ type: "minimiseApp", minimised: true }))}
          {onClose !== null && item(copy.close, onClose)}
        </div>
      )}
    </>
  );
}
