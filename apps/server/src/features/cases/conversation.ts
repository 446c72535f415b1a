import type { App } from "../../app.ts";
import type { BotName } from "../../bot/gateway.ts";
import type { Html, Telling } from "../../bot/message.ts";
import { listStaffInTouch } from "../../people/people.ts";
import type { Principal } from "../../http/server.ts";
import type { Db } from "../../postgres/database.ts";

/** What somebody does to a case; the words are read where they count. */
export type Step = { readonly id: bigint; readonly caller: Principal; readonly words: unknown };

/** What a bot says of a case, and the page that its button opens. */
type Said = { readonly text: Html; readonly button: string; readonly path: string };

export function toPerson(
  { appButton }: App,
  personId: bigint,
  { text, button, path }: Said,
  bot: BotName = "seller",
): Telling {
  return { bot, personId, message: { text, buttons: [appButton(button, path)] } };
}

/** To those of these agents and operators who are in touch. */
export async function toStaff(
  app: App,
  tx: Db,
  telegramIds: Iterable<bigint>,
  said: Said,
): Promise<Telling[]> {
  const staff = await listStaffInTouch(tx, telegramIds);
  return staff.map(({ id }) => toPerson(app, id, said));
}
