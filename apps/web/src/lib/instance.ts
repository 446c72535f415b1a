/** What the server says of this instance in the page itself, so that nothing waits for a call. */
export type Instance = {
  /** Bots by user name, without @; null while the server does not know them. */
  readonly sellerBot: string | null;
  readonly buyerBot: string | null;
  readonly communityUrl: string | null;
  readonly supportTelegram: string | null;
  readonly supportWhatsapp: string | null;
  readonly demo: boolean;
};

function meta(name: string): string | null {
  const element = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`);
  return element?.content.trim() || null;
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function parse(json: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(json ?? "{}");
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

export function readInstance(): Instance {
  const given = parse(meta("sesame-instance"));
  return {
    sellerBot: text(given["sellerBot"]),
    buyerBot: text(given["buyerBot"]),
    communityUrl: text(given["communityUrl"]),
    supportTelegram: text(given["supportTelegram"]),
    supportWhatsapp: text(given["supportWhatsapp"]),
    demo: given["demo"] === true,
  };
}

/** Where the support is written to; null: this instance names none. */
export function supportAddress(instance: Instance): string | null {
  const { supportTelegram, supportWhatsapp } = instance;
  if (supportTelegram) {
    return supportTelegram.startsWith("http")
      ? supportTelegram
      : `https://t.me/${supportTelegram.replace(/^@/, "")}`;
  }
  return supportWhatsapp ? `https://wa.me/${supportWhatsapp.replace(/\D/g, "")}` : null;
}
