import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { phoneStyle, type Scheme, THEMES } from "../phone/theme.ts";
import { usePhone } from "../phone/phone-context.ts";
import { AlertBox } from "../phone/parts/sheet.tsx";
import type { OpenApp } from "../phone/ui-state.ts";
import { type AppState, type BottomButton, type Change, FIRST_APP_STATE } from "./app-state.ts";
import { AppHeader } from "./app-header.tsx";
import { miniAppCopy } from "./copy.fr.ts";
import { answerBridge, type Post } from "./handlers.ts";
import css from "./mini-app.module.css";
import { type BridgeMessage, readBridgeMessage } from "./fields.ts";

/**
 * The channel to one web view: accepts only what comes from its window and its origin, and posts
 * to that origin alone (reference telegram.md §1.3: JSON strings both ways).
 */
function useBridge(
  frame: RefObject<HTMLIFrameElement | null>,
  origin: string,
  onMessage: (message: BridgeMessage, post: Post) => void,
): Post {
  // Before the app has spoken its window may still be on the way to its origin.
  const heard = useRef(false);
  const post: Post = (eventType, eventData = {}) => {
    if (!heard.current) return;
    frame.current?.contentWindow?.postMessage(JSON.stringify({ eventType, eventData }), origin);
  };
  const receive = useEffectEvent((event: MessageEvent<unknown>) => {
    if (event.source === null || event.source !== frame.current?.contentWindow) return;
    if (event.origin !== origin) return;
    const message = readBridgeMessage(event.data);
    if (message === null) return;
    heard.current = true;
    onMessage(message, post);
  });
  useEffect(() => {
    const listener = (event: MessageEvent<unknown>) => receive(event);
    addEventListener("message", listener);
    return () => removeEventListener("message", listener);
  }, []);
  return post;
}

/** An app that never says it is ready is shown all the same: its own error must be seen. */
const LATE_MS = 6000;

function Loader({ onLate }: { onLate: () => void }) {
  const late = useEffectEvent(onLate);
  useEffect(() => {
    const timer = setTimeout(() => late(), LATE_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={css.loader} role="status" aria-label={miniAppCopy.loading}>
      <svg width="72" height="72" viewBox="0 0 24 24" aria-hidden="true">
        <path d="M5 21.5V11a7 7 0 0 1 14 0v10.5z" fill="currentColor" />
      </svg>
    </div>
  );
}

/** The phone's own colours in the launch parameters: the app must not flash another theme. */
export function themedUrl(url: string, scheme: Scheme): string {
  const at = url.indexOf("#");
  if (at < 0) return url;
  const params = new URLSearchParams(url.slice(at + 1));
  params.set("tgWebAppThemeParams", JSON.stringify(THEMES[scheme]));
  return `${url.slice(0, at)}#${params.toString()}`;
}

type Props = { app: OpenApp; onHaptic: (kind: string) => void };

/** A full web view: the phone plays the client's side of the bridge around it. */
export function MiniApp({ app, onHaptic }: Props) {
  const phone = usePhone();
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<AppState>(FIRST_APP_STATE);
  const [src] = useState(() => themedUrl(app.launch.url, phone.scheme));
  const change: Change = (part) =>
    setState((before) => ({ ...before, ...(typeof part === "function" ? part(before) : part) }));

  const close = () => closeApp(state, change, () => phone.dispatch({ type: "closeApp" }));
  const post = useBridge(frame, new URL(app.launch.url).origin, (message, post) =>
    answerBridge(
      {
        phone,
        launch: app.launch,
        post,
        change,
        haptic: onHaptic,
        sendViewport: () => sendViewport(frame.current, post),
      },
      message,
    ),
  );
  const covered = app.minimised || phone.ui.browserUrl !== null;
  useClientEvents({ frame, post, app, scheme: phone.scheme });

  return (
    <section
      className={css.layer}
      aria-label={miniAppCopy.region(app.launch.botName)}
      data-minimised={app.minimised}
      inert={covered}
      aria-hidden={covered}
      style={phoneStyle(phone.scheme)}
    >
      <AppHeader
        app={app}
        state={state}
        color={THEMES[phone.scheme][state.header]}
        post={post}
        onClose={close}
      />
      <div className={css.view}>
        <iframe
          ref={frame}
          className={css.frame}
          title={miniAppCopy.frame}
          src={src}
          allow="clipboard-write; fullscreen"
        />
        {!state.ready && <Loader onLate={() => change({ ready: true })} />}
      </div>
      <div className={css.bottom}>
        {state.main.visible && (
          <MainButton button={state.main} onPress={() => post("main_button_pressed")} />
        )}
      </div>
      {state.popup !== null && <AlertBox {...state.popup} />}
    </section>
  );
}

/** Under the web view, as on real clients: it takes its height from it. */
function MainButton({ button, onPress }: { button: BottomButton; onPress: () => void }) {
  return (
    <button
      type="button"
      className={css.native}
      disabled={!button.active}
      aria-busy={button.progress}
      onClick={onPress}
    >
      <span className={button.progress ? css.nativeTextBusy : ""}>{button.text}</span>
      {button.progress && <span className={css.spinner} aria-hidden="true" />}
    </button>
  );
}

function closeApp(state: AppState, change: Change, done: () => void) {
  if (!state.confirmClose) return done();
  const copy = miniAppCopy.leave;
  change({
    popup: {
      message: copy.message,
      buttons: [
        { id: "stay", text: copy.stay, tone: "default" },
        { id: "leave", text: copy.leave, tone: "destructive" },
      ],
      onChoice: (id) => {
        change({ popup: null });
        if (id === "leave") done();
      },
    },
  });
}

function sendViewport(frame: HTMLIFrameElement | null, post: Post): void {
  if (frame === null) return;
  const { clientWidth: width, clientHeight: height } = frame;
  post("viewport_changed", { width, height, is_expanded: true, is_state_stable: true });
}

type ClientEvents = {
  frame: { current: HTMLIFrameElement | null };
  post: Post;
  app: OpenApp;
  scheme: keyof typeof THEMES;
};

/** What the client tells by itself: its size, its theme, whether the app is in sight. */
function useClientEvents({ frame, post, app, scheme }: ClientEvents): void {
  const resized = useEffectEvent(() => sendViewport(frame.current, post));
  useEffect(() => {
    if (frame.current === null) return;
    const observer = new ResizeObserver(() => resized());
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame]);

  const themed = useEffectEvent(() => post("theme_changed", { theme_params: THEMES[scheme] }));
  useEffect(() => themed(), [scheme]);

  const seen = useEffectEvent((visible: boolean) =>
    post("visibility_changed", { is_visible: visible }),
  );
  useEffect(() => seen(!app.minimised), [app.minimised]);
}
