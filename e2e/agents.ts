import type { BuyerSignInAnswer } from "@sesame/contract/identity";
import type { AnswerOf } from "@sesame/contract/routes";
import type { WithdrawalOnWire } from "@sesame/contract/withdrawals";
import type { StartedProduct } from "../tools/launch/start-product.ts";
import { act } from "./outside.ts";
import { call, initDataOf, type Scene, until } from "./scene.ts";

/** The agent of the demonstration, by the doors of the desk. */

/** The person of the emulators' third phone. */
const AGENT_ID = 7_100_000_003;

/** Signs the agent in. The bearer token of the desk's calls. */
export async function enrolAgent(product: StartedProduct): Promise<string> {
  const initData = await initDataOf(product, { personId: AGENT_ID, bot: "seller" });
  const { token } = await call<BuyerSignInAnswer>(product, "POST /api/auth/acheteur", {
    headers: { "x-telegram-init-data": initData },
    json: {},
  });
  return token;
}

/** Takes a request, then decides it: `approve` { lane }, `reject` { reason_code, reason }. */
export async function decide(
  product: StartedProduct,
  id: string,
  decision: { approve: { lane: string; reference?: string } } | { reject: object },
): Promise<void> {
  const token = await enrolAgent(product);
  const at = `/api/desk/withdrawals/${id}`;
  await call(product, `POST ${at}/claim`, { token, json: {} });
  const [[name, json] = ["", {}]] = Object.entries(decision);
  await call(product, `POST ${at}/${name}`, { token, json });
}

/** Requests of the scene's seller, the newest first. */
export async function requestsOf(
  product: StartedProduct,
  scene: Scene,
): Promise<WithdrawalOnWire[]> {
  const { demandes } = await call<AnswerOf<"GET /api/users/retrait/mes-demandes">>(
    product,
    "GET /api/users/retrait/mes-demandes",
    {
      token: scene.seller.token,
    },
  );
  return demandes;
}

/** The newest request of the scene's seller, once there is one. */
export function newestRequest(product: StartedProduct, scene: Scene): Promise<WithdrawalOnWire> {
  return until(async () => (await requestsOf(product, scene))[0], "no withdrawal was asked for");
}

let numbers = 0;

/** A number of Orange Money of the seller's own, as he writes it: "07 00 00 01 23". */
export async function holdNumber(scene: Scene): Promise<string> {
  numbers += 1;
  const phone = `07${40_000_000 + numbers}`;
  const personId = scene.seller.person.id;
  await act(scene.emulators, "addNumber", { personId, network: "orange-money-ci", phone });
  return phone;
}
