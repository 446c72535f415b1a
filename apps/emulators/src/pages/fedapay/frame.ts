export type FrameMessage = {
  about: "opened" | "complete";
  transaction: Record<string, unknown>;
};

const KIND = "fedapay:frame";

/** The page around is the merchant's, of any origin; what is said is no secret. */
export function tellOpener(message: FrameMessage): void {
  window.parent.postMessage({ kind: KIND, ...message }, "*");
}

export function readFrameMessage(data: unknown): FrameMessage | null {
  const message = data as (Partial<FrameMessage> & { kind?: unknown }) | null;
  if (message?.kind !== KIND) return null;
  const { about, transaction } = message;
  return about && transaction ? { about, transaction } : null;
}
