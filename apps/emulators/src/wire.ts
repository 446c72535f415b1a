/**
 * The emulators' own control API: what the phones, the control panel and the tests say to it.
 * It is no protocol of Telegram or of a provider: those are spoken to the letter under their own paths.
 *
 *   GET  /emulators/state      EmulatorState, whole
 *   GET  /emulators/events     SSE, each `data:` an EmulatorEvent; the first is the whole state
 *   GET  /emulators/clock      SSE, `data: {"offset_ms":N}` at once and after each change
 *   POST /emulators/act        { act, … } of ActorCalls   (422 { error } when nobody could do that)
 *   POST /emulators/control    { control, … } of ControlCalls
 *   GET  /emulators/pay/:provider/:token   CheckoutView (404 { error })
 *   POST /emulators/pay/:provider/:token   CheckoutAction → CheckoutView (422 { error })
 *
 * Instants are ISO 8601 on the emulators' clock. Money is whole francs.
 */
export type * from "./wire/act.ts";
export type * from "./wire/control.ts";
export type * from "./wire/money.ts";
export type * from "./wire/state.ts";
