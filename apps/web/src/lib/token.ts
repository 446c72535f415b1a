import { RequestError } from "./request.ts";

/** Where the token of a session stands, and how another is obtained. */
export type TokenSource = {
  current(): string | null;
  /** Signs in again; null when it cannot. Callers at the same time share one attempt. */
  renew(): Promise<string | null>;
};

/** A token that is refused is renewed once (A §6). Throws `none()` when there is no token. */
export async function withToken<T>(
  source: TokenSource,
  ask: (token: string) => Promise<T>,
  none: () => Error,
): Promise<T> {
  const token = source.current() ?? (await source.renew());
  if (!token) throw none();
  try {
    return await ask(token);
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 401) throw error;
    const fresh = await source.renew();
    if (!fresh) throw error;
    return ask(fresh);
  }
}

/** Callers at the same time share one attempt. */
export function shareOne<T>(run: () => Promise<T>): () => Promise<T> {
  let under: Promise<T> | null = null;
  return () => {
    under ??= run().finally(() => {
      under = null;
    });
    return under;
  };
}
