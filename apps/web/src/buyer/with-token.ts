import type { CallName, Sent } from "@sesame/contract/routes";
import { ask, type Manner, RequestError, type Told } from "../lib/request.ts";
import { buyerToken } from "./session.ts";

/** The web view has no init data: the page was opened outside Telegram. */
export class OutsideTelegram extends Error {
  override name = "OutsideTelegram";
}

type Given<C extends CallName> = Sent<C> & Manner;

/** A declared call with the buyer's token; a refused token is replaced once. */
export async function call<C extends CallName>(
  name: C,
  ...[given]: object extends Given<C> ? [given?: Given<C>] : [given: Given<C>]
): Promise<Told<C>> {
  const once = (token: string) => ask(name, { ...given, token } as Given<C>);
  const token = await buyerToken();
  if (!token) throw new OutsideTelegram();
  try {
    return await once(token);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error;
    const fresh = await buyerToken({ fresh: true });
    if (!fresh) throw error;
    return once(fresh);
  }
}
