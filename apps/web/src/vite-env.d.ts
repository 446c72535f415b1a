/// <reference types="vite/client" />

interface Window {
  /** Set by telegram/before-paint.js. */
  sesamePaint?: (theme: Readonly<Record<string, string | undefined>>) => void;
}
