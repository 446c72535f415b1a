import type { ActorCalls } from "../../wire.ts";

/** What people do in Telegram, by name: the same functions serve tests and `POST /world/act`. */
export type Actors = {
  [K in keyof ActorCalls]: (
    input: ActorCalls[K]["takes"],
  ) => K extends Waiting ? Promise<ActorCalls[K]["gives"]> : ActorCalls[K]["gives"];
};

/** Paying ends only when the bot has had its word. */
type Waiting = "payInvoice";
