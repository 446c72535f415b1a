/// <reference types="vite/client" />

interface Window {
  /** Telegram's applications put it there; Telegram Web frames the page instead. */
  TelegramWebviewProxy?: unknown;
  /** Set by telegram/ask-start.js: the first sign-in, on its way, and the proof it went with. */
  sesameStart?: { readonly data: string; readonly answer: Promise<Response> };
  /** Set by telegram/before-paint.js. */
  sesamePaint?: (theme: unknown) => void;
}
