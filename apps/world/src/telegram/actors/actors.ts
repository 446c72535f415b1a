import type { ActorCalls } from "../../wire.ts";

/** What people do in Telegram, by name: the same functions serve tests and `POST /world/act`. */
export type Actors = {
  [K in keyof ActorCalls]: (input: ActorCalls[K]["takes"]) => ActorCalls[K]["gives"];
};
