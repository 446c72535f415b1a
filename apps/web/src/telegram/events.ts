const TELEGRAM_WEB = "https://web.telegram.org";

/**
 * Who frames us, among those the server allows (`<meta name="sesame-web-origins">`). Messages are
 * posted to that origin and no other.
 */
function frameOrigin(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="sesame-web-origins"]');
  const allowed = (meta?.content ?? TELEGRAM_WEB).split(" ").filter((origin) => origin !== "");
  const parent = parentOrigin();
  return allowed.find((origin) => origin === parent) ?? allowed[0] ?? TELEGRAM_WEB;
}

function parentOrigin(): string | null {
  const ancestor = window.location.ancestorOrigins?.[0];
  if (ancestor) return ancestor;
  return URL.canParse(document.referrer) ? new URL(document.referrer).origin : null;
}

// Telegram's messages, both ways, without a library: its parsers and tables weigh seven kilobytes
// on a page whose budget is counted (QUALITY §2), for the dozen messages we exchange.

type Payload = Readonly<Record<string, unknown>>;
type Listener = (payload: Payload) => void;
type NativeProxy = { postEvent(type: string, payload: string): void };

const listeners = new Map<string, Set<Listener>>();
let listening = false;

/** To the client. In a frame, to the origin that may frame us and to no other. */
export function postEvent(type: string, payload?: Payload): void {
  const proxy = window.TelegramWebviewProxy as NativeProxy | undefined;
  if (window.parent !== window) {
    const message = JSON.stringify({ eventType: type, eventData: payload });
    window.parent.postMessage(message, frameOrigin());
  } else {
    proxy?.postEvent(type, JSON.stringify(payload ?? {}));
  }
}

/** From the client. Returns how to stop listening. */
export function onEvent(type: string, listener: Listener): () => void {
  listen();
  const set = listeners.get(type) ?? new Set();
  listeners.set(type, set.add(listener));
  return () => void set.delete(listener);
}

/** The client's next answer of this type, or null after a while. */
export function nextEvent(type: string, timeoutMs: number): Promise<Payload | null> {
  return new Promise((resolve) => {
    const end = (payload: Payload | null) => {
      clearTimeout(timer);
      off();
      resolve(payload);
    };
    const timer = setTimeout(() => end(null), timeoutMs);
    const off = onEvent(type, end);
  });
}

/** Whether a client of this version ("7.10") knows what came with `since`. */
export function isAtLeast(version: string, since: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [sinceMajor = 0, sinceMinor = 0] = since.split(".").map(Number);
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor);
}

/** Frames speak by messages; the applications call one of three names, by their age and system. */
function listen(): void {
  if (listening) return;
  listening = true;
  const receiveEvent = (type: string, payload: unknown) => {
    const known = typeof payload === "object" && payload !== null ? (payload as Payload) : {};
    for (const listener of listeners.get(type) ?? []) listener(known);
  };
  window.addEventListener("message", (event) => {
    if (event.source !== window.parent || event.origin !== frameOrigin()) return;
    const { eventType, eventData } = readMessage(event.data);
    if (eventType) receiveEvent(eventType, eventData);
  });
  Object.assign(window, {
    TelegramGameProxy: { receiveEvent },
    TelegramGameProxy_receiveEvent: receiveEvent,
    Telegram: { WebView: { receiveEvent } },
  });
}

/** Empty when it is none of Telegram's. */
function readMessage(text: string): { readonly eventType?: string; readonly eventData?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
