/** Reading what a mini app sends: every field may be absent or of another type. */
export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

export function text(fields: Fields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === "string" ? value : undefined;
}

export function flag(fields: Fields, key: string): boolean | undefined {
  const value = fields[key];
  return typeof value === "boolean" ? value : undefined;
}

export type BridgeMessage = { eventType: string; data: Fields };

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
