/** What the page in the frame and the page around it say to each other (payment-providers.md §6.2). */
export const MESSAGE_NAMES = [
  "NETWORK_STATE_CHANGED",
  "INIT_WIDGET",
  "WIDGET_SUCCESSFULLY_INIT",
  "CLOSE_WIDGET",
  "DESTROY_WIDGET",
  "WIDGET_SUCCESSFULLY_DESTROYED",
  "PAYMENT_INIT",
  "PAYMENT_ABORTED",
  "PENDING_PAYMENT",
  "ON_USER_FEEDBACK",
  "PAYMENT_FAILED",
  "PAYMENT_SUCCESS",
  "PAYMENT_END",
  "RETRY_PAYMENT",
  "WAVE_LINK",
] as const;

export type MessageName = (typeof MESSAGE_NAMES)[number];

export type WidgetMessage = { name: MessageName; data?: unknown };

export function readMessage(value: unknown): WidgetMessage | null {
  if (typeof value !== "object" || value === null || !("name" in value)) return null;
  const name = MESSAGE_NAMES.find((known) => known === value.name);
  return name === undefined ? null : { name, data: "data" in value ? value.data : undefined };
}
