import type { Message, User } from "grammy/types";
import type { BotMessage, MessageButton } from "../../bot/message.ts";
import type { HttpServer } from "../../http/server.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import type { DeskBotDeps } from "./deps.ts";
import { registerDeskQueueHttp } from "./queue-http.ts";
import { deskJobs, replyToStaff, staffButtons } from "./tell-agents.ts";

export { closeSellerIn } from "./sellers-close.ts";

/** The agents' desk: requests for money, who takes them, what is decided. */
export type Desk = {
  registerHttp(app: HttpServer): void;
  readonly jobs: readonly JobHandler[];
  /** What the seller bot says to an agent's message; null when it is none of the desk's. */
  replyToStaff(message: Message): Promise<BotMessage | null>;
  /** The way to the desk, to agents and operators. */
  staffButtons(user: User): readonly MessageButton[];
};

export function createDesk(deps: DeskBotDeps): Desk {
  return {
    registerHttp: (app) => registerDeskQueueHttp(app, deps),
    jobs: deskJobs(deps),
    replyToStaff: (message) => replyToStaff(deps, message),
    staffButtons: (user) => staffButtons(deps, user),
  };
}
