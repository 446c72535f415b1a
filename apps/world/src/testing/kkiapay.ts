import { KKIAPAY, type TestWorld } from "./test-world.ts";

const KEYS = {
  "x-api-key": KKIAPAY.publicKey,
  "x-private-key": KKIAPAY.privateKey,
  "x-secret-key": KKIAPAY.secretKey,
};

type Told = { status: number; body: Record<string, unknown> };

/** What an app asks of KkiaPay, and what browsers say to it, as bare calls. */
export function kkiapayCallers(world: () => TestWorld) {
  let orders = 0;
  /** As our page opens it in a browser: our reference in both places. */
  const opened = (more: object = {}): string => {
    const reference = `order-${++orders}`;
    const config = { amount: 5_000, data: reference, partnerId: reference, ...more };
    world().collectors.kkiapay.open(config);
    return reference;
  };
  const paid = (outcome: "success" | "failure" = "success"): { reference: string; id: string } => {
    const reference = opened();
    const view = world().collectors.kkiapay.settle(reference, outcome, { silent: true });
    return { reference, id: view.transactionId ?? "" };
  };
  const post = async (path: string, body: object, headers: object = KEYS): Promise<Told> => {
    const answer = await fetch(`${world().apiRoot}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Told["body"] };
  };
  const ask = (name: "status" | "revert", transactionId: unknown, headers?: object) =>
    post(`/api/v1/transactions/${name}`, { transactionId }, headers);
  return { keys: KEYS, opened, paid, post, ask };
}
