import type { ApiMethods } from "grammy/types";
import type { Call } from "../access.ts";
import type { ChatMember, Message, Update } from "../bot-api.ts";
import type { Town } from "../town.ts";

type Named = { [M in keyof ApiMethods]: ReturnType<ApiMethods[M]> };

/** What each method answers: grammY's types, at 10.1, with one type for all messages. */
type Answers = {
  [M in keyof Named]: M extends "getUpdates"
    ? Update[]
    : M extends "getChatMember"
      ? ChatMember
      : M extends "getChatAdministrators"
        ? ChatMember[]
        : Named[M] extends Message.ServiceMessage
          ? Message
          : true extends Named[M]
            ? Message | true
            : Named[M];
};

/** Some answers come with a sentence beside the result. */
export class Described {
  readonly result: unknown;
  readonly description: string;

  constructor(result: unknown, description: string) {
    this.result = result;
    this.description = description;
  }
}

export type MethodTable = {
  [M in keyof Answers]?: (
    town: Town,
    call: Call,
  ) => Answers[M] | Described | Promise<Answers[M] | Described>;
};

export type Method = (town: Town, call: Call) => unknown;
