import { FEDAPAY, PAYDUNYA, SECRET_KEY, type TestWorld } from "./test-world.ts";

export type Told = { status: number; body: Record<string, unknown> };

/** What an app asks of the three, as bare calls. */
export function callers(world: () => TestWorld) {
  const ask = async (
    path: string,
    { method = "POST", headers, body }: { method?: string; headers: object; body?: unknown },
  ): Promise<Told> => {
    const answer = await fetch(`${world().apiRoot}${path}`, {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const byKey = (key: string) => (method: string, path: string, body?: unknown) =>
    ask(`/v1${path}`, { method, headers: { authorization: `Bearer ${key}` }, body });
  return {
    paydunya: (name: string, body: object, keys: Partial<typeof PAYDUNYA> = {}) => {
      const { masterKey, privateKey, token } = { ...PAYDUNYA, ...keys };
      const headers = {
        "paydunya-master-key": masterKey,
        "paydunya-private-key": privateKey,
        "paydunya-token": token,
      };
      return ask(`/api/v2/disburse/${name}`, { headers, body });
    },
    fedapay: byKey(FEDAPAY.secretKey),
    moneroo: byKey(SECRET_KEY),
    /** With whatever key. */
    byKey,
  };
}

export const AWA = "+2250700000001";
