/// <reference types="vite/client" />

interface Window {
  /** Telegram's applications put it there; Telegram Web frames the page instead. */
  TelegramWebviewProxy?: unknown;
  /** Set by telegram/before-paint.js. */
  sesamePaint?: (theme: Readonly<Record<string, string | undefined>>) => void;
}
