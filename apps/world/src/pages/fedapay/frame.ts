/** What the widget hands to its frame, after the `#` of the frame's address. */
export type FrameOptions = {
  publicKey: string;
  /** Made by the merchant's server; else the browser says the amount itself. */
  id?: string;
  amount?: number;
  description?: string;
  customer?: Record<string, unknown>;
  metadata?: Record<string, unknown>;
};

export type FrameMessage = {
  about: "opened" | "complete";
  transaction: Record<string, unknown>;
};

const KIND = "fedapay:frame";

export function frameAddress(origin: string, options: FrameOptions): string {
  return `${origin}/fedapay/frame#${encodeURIComponent(JSON.stringify(options))}`;
}

export function readFrameOptions(hash: string): FrameOptions | null {
  try {
    return JSON.parse(decodeURIComponent(hash.slice(1))) as FrameOptions;
  } catch {
    return null;
  }
}

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
