import { RequestError } from "../lib/request.ts";
import { buyerToken } from "./session.ts";

/** The web view has no init data: the page was opened outside Telegram. */
export class OutsideTelegram extends Error {
  override name = "OutsideTelegram";
}

/** Runs a call with the buyer's token; a refused token is replaced once. */
export async function withToken<T>(call: (token: string) => Promise<T>): Promise<T> {
  const token = await buyerToken();
  if (!token) throw new OutsideTelegram();
  try {
    return await call(token);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error;
    const fresh = await buyerToken({ fresh: true });
    if (!fresh) throw error;
    return call(fresh);
  }
}
