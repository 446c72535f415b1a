import { DAY_MS } from "@sesame/kernel";
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { Action, AlertBox, IconButton, StatusBar, type Question } from "../phone/parts/parts.tsx";
import css from "../phone/phone.module.css";
import {
  type OpenApp,
  usePhone,
  type ClosedInvoice,
  type PhoneHandle,
  minimise,
} from "../phone/phone-state.ts";
import { type Scheme, THEMES } from "../../theme.ts";
import { useEmulatorEvent } from "../emulators.ts";
import { miniAppCopy as copy } from "../phone/messages.fr.ts";
import type { Launch } from "../../wire.ts";

/**
 * The channel to one web view: accepts only what comes from its window and its origin, and posts
 * to that origin alone (JSON strings both ways).
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

/** The phone's own colours in the launch parameters: the app must not flash another theme. */
export function themedUrl(url: string, scheme: Scheme): string {
  const at = url.indexOf("#");
  if (at < 0) return url;
  const params = new URLSearchParams(url.slice(at + 1));
  params.set("tgWebAppThemeParams", JSON.stringify(THEMES[scheme]));
  return `${url.slice(0, at)}#${params.toString()}`;
}

/** The instant of the init data in the address of an app. */
function signedAtMs(url: string): number {
  const data = new URLSearchParams(new URL(url).hash.slice(1)).get("tgWebAppData");
  return 1_000 * Number(new URLSearchParams(data ?? "").get("auth_date"));
}

/** A full web view: the phone is Telegram's client around it. */
export function MiniApp({ app }: { app: OpenApp }) {
  const phone = usePhone();
  const { launch, minimised } = app;
  const frame = useRef<HTMLIFrameElement>(null);
  const [state, setState] = useState<AppState>(FIRST_APP_STATE);
  const [src] = useState(() => themedUrl(launch.url, systemScheme()));
  // An app stays where it is while a server takes its init data: for a day.
  useEmulatorEvent((event) => {
    if (event.type !== "clockJumped") return;
    const ageMs = Date.now() + event.offsetMs - signedAtMs(launch.url);
    if (ageMs < 0 || ageMs > DAY_MS) void phone.reopenApp();
  });
  const change: Change = (part) =>
    setState((before) => ({ ...before, ...(typeof part === "function" ? part(before) : part) }));

  const sendViewport = (post: Post) => {
    if (frame.current === null) return;
    const { clientWidth: width, clientHeight: height } = frame.current;
    post("viewport_changed", { width, height, is_expanded: true, is_state_stable: true });
  };
  const post = useBridge(frame, new URL(launch.url).origin, ({ eventType, data }, post) => {
    const context = { phone, launch, post, change, sendViewport: () => sendViewport(post) };
    // A message that this phone does not know is ignored, as by an old client.
    HANDLERS[eventType]?.(context, data);
  });
  const resized = useEffectEvent(() => sendViewport(post));
  const themed = useEffectEvent(() =>
    post("theme_changed", { theme_params: THEMES[systemScheme()] }),
  );
  useEffect(() => {
    const observer = new ResizeObserver(() => resized());
    if (frame.current !== null) observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  useEffect(() => {
    const query = matchMedia(DARK);
    const listener = () => themed();
    query.addEventListener("change", listener);
    return () => query.removeEventListener("change", listener);
  }, []);

  const close = () => {
    const done = () => phone.dispatch({ app: null });
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
        <Action
          text={main.text}
          disabled={!main.active}
          busy={main.progress}
          onClick={() => post("main_button_pressed")}
        />
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
          {item(copy.minimise, () => dispatch(minimise(true)))}
          {onClose !== null && item(copy.close, onClose)}
        </div>
      )}
    </>
  );
}

/** What a mini app sends: every field may be absent or of another type. */
type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function text(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === "string" ? value : undefined;
}

function flag(fields: Fields, key: string): boolean | undefined {
  const value = fields[key];
  return typeof value === "boolean" ? value : undefined;
}

type BridgeMessage = { eventType: string; data: Fields };

/** A call of the bridge is a JSON string; anything else on the channel is not for us. */
export function readBridgeMessage(raw: unknown): BridgeMessage | null {
  if (typeof raw !== "string") return null;
  try {
    const message = fieldsOf(JSON.parse(raw));
    const eventType = text(message, "eventType");
    return eventType === undefined ? null : { eventType, data: fieldsOf(message.eventData) };
  } catch {
    return null;
  }
}

type AppState = typeof FIRST_APP_STATE;
type BottomButton = AppState["main"];

/** A part of the new state, or a function of the former state. */
type Change = (part: Partial<AppState> | ((before: AppState) => Partial<AppState>)) => void;

export const FIRST_APP_STATE = {
  back: false,
  confirmClose: false,
  main: { visible: false, active: true, progress: false, text: "" },
  /** A colour of the theme by its key, so that it follows the theme. */
  header: "bg_color" as "bg_color" | "secondary_bg_color",
  popup: null as Question | null,
};

/** A field left out keeps its value, as on real clients; `{is_visible:false}` only hides. */
export function buttonFrom(fields: Fields, before: BottomButton): BottomButton {
  const visible = flag(fields, "is_visible") ?? before.visible;
  const words = (text(fields, "text") ?? before.text).trim();
  return {
    visible: visible && words !== "",
    active: flag(fields, "is_active") ?? before.active,
    progress: flag(fields, "is_progress_visible") ?? before.progress,
    text: words,
  };
}

type Post = (eventType: string, eventData?: unknown) => void;

/** What a call of the bridge may touch. */
export type BridgeContext = {
  phone: PhoneHandle;
  launch: Launch;
  post: Post;
  change: Change;
  sendViewport: () => void;
};

const HANDLERS: Record<string, (context: BridgeContext, data: Fields) => void> = {
  web_app_expand: ({ sendViewport }) => sendViewport(),
  web_app_setup_back_button: ({ change }, data) =>
    change({ back: flag(data, "is_visible") ?? false }),
  web_app_setup_closing_behavior: ({ change }, data) =>
    change({ confirmClose: flag(data, "need_confirmation") ?? false }),
  web_app_setup_main_button: ({ change }, data) =>
    change(({ main }) => ({ main: buttonFrom(data, main) })),
  web_app_set_header_color: ({ change }, data) => {
    const key = text(data, "color_key");
    if (key === "bg_color" || key === "secondary_bg_color") change({ header: key });
  },
  web_app_open_link: ({ phone }, data) => {
    const url = text(data, "url");
    if (url !== undefined) void phone.openUrl(url);
  },
  web_app_open_tg_link: ({ phone }, data) => {
    const path = text(data, "path_full");
    if (path !== undefined) void phone.openUrl(new URL(path, "https://t.me").href);
  },
  web_app_open_invoice: openInvoice,
  web_app_request_write_access: askWriteAccess,
};

/** Telegram's own question, over the app: one answer does something, the other nothing. */
function ask(
  change: Change,
  { message, no, yes }: { message: string; no: string; yes: string },
  answered: (agreed: boolean) => void,
): void {
  const buttons = [
    { id: "no", text: no },
    { id: "yes", text: yes },
  ];
  const onChoice = (id: string | null) => {
    change({ popup: null });
    answered(id === "yes");
  };
  change({ popup: { message, buttons, onChoice } });
}

function askWriteAccess({ phone, launch, post, change }: BridgeContext): void {
  const { message, refuse: no, allow: yes } = copy.write;
  ask(change, { message: message(launch.botName), no, yes }, (allowed) => {
    void phone.act("allowWrite", { bot: launch.options.bot, allowed }).then((answer) => {
      const done = answer !== null && allowed;
      post("write_access_requested", { status: done ? "allowed" : "cancelled" });
    });
  });
}

/** The invoice's sheet over the app; the app is notified once, whatever happens. */
export function openInvoice({ phone, post }: BridgeContext, data: Fields): void {
  const slug = text(data, "slug") ?? "";
  const closed = (status: ClosedInvoice) => post("invoice_closed", { slug, status });
  // One sheet at a time: the app behind it waits for the first.
  if (phone.ui.sheet?.kind === "invoice") return closed("failed");
  void phone.act("previewInvoice", { link: slug }).then((answer) => {
    if (answer === null) return closed("failed");
    const sheet = { kind: "invoice", invoice: answer.gives, onClosed: closed } as const;
    phone.dispatch({ sheet });
  });
}
