import type { KkiapayConfig } from "../../wire.ts";
import { type MessageName, readMessage } from "./messages.ts";

/** The page that opened the widget, once it has said what is to be paid. */
export type PageAround = { config: KkiapayConfig; say(name: MessageName, data?: unknown): void };

export function pageAround(): Promise<PageAround> {
  return new Promise((resolve) => {
    addEventListener("message", (event: MessageEvent<unknown>) => {
      const message = readMessage(event.data);
      if (event.source !== window.parent || message?.name !== "INIT_WIDGET") return;
      const { origin } = event;
      resolve({
        config: (message.data ?? {}) as KkiapayConfig,
        say: (name, data = {}) => window.parent.postMessage({ name, data }, origin),
      });
    });
  });
}
