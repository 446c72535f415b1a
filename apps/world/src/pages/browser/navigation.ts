type Navigation = { kind: "world:navigate"; url: string };

/** Said by the hosted payment page to the browser around it, before it sends the buyer back. */
export function announceNavigation(url: string): void {
  if (window.parent === window) return;
  const message: Navigation = { kind: "world:navigate", url };
  window.parent.postMessage(message, location.origin);
}

export function readNavigation(event: MessageEvent<unknown>): string | null {
  if (event.origin !== location.origin) return null;
  const message = event.data as Partial<Navigation> | null;
  return message?.kind === "world:navigate" && typeof message.url === "string" ? message.url : null;
}
