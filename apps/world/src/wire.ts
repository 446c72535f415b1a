/**
 * The world's own control API: what the phones, the control panel and the tests say to it.
 * It is no protocol of Telegram or of a provider: those are spoken to the letter under their own paths.
 *
 *   GET  /world/state      WorldState, whole
 *   GET  /world/events     SSE, each `data:` a WorldEvent; the first is the whole state
 *   GET  /world/clock      SSE, `data: {"offset_ms":N}` at once and after each change
 *   POST /world/act        ActorAction → ActorAnswer   (422 { error } when nobody could do that)
 *   POST /world/control    ControlAction → ControlAnswer
 *   GET  /world/pay/:provider/:token   CheckoutView (404 { error })
 *   POST /world/pay/:provider/:token   CheckoutAction → CheckoutView (422 { error })
 *
 * Instants are ISO 8601 on the world's clock. Money is whole francs.
 */
export type * from "./wire/act.ts";
export type * from "./wire/control.ts";
export type * from "./wire/money.ts";
export type * from "./wire/state.ts";
