import type {
  ActorCalls,
  CheckoutAction,
  CheckoutView,
  ControlCalls,
  KkiapayConfig,
} from "../../wire.ts";

/** The emulators' reason why a person cannot do that, in English, for the console. */
export class EmulatorRefusal extends Error {}

async function call<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(path, {
    method: body === undefined ? "GET" : "POST",
    ...(body === undefined
      ? {}
      : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json: unknown = text === "" ? null : JSON.parse(text);
  if (answer.ok) return json as T;
  const sentence = (json as { error?: unknown } | null)?.error;
  throw new EmulatorRefusal(typeof sentence === "string" ? sentence : `HTTP ${answer.status}`);
}

export function act<K extends keyof ActorCalls>(
  name: K,
  takes: ActorCalls[K]["takes"],
): Promise<ActorCalls[K]["gives"]> {
  return call("/emulators/act", { act: name, ...takes });
}

export function control<K extends keyof ControlCalls>(
  name: K,
  takes: ControlCalls[K]["takes"],
): Promise<ControlCalls[K]["gives"]> {
  return call("/emulators/control", { control: name, ...takes });
}

/** What FedaPay's widget asks for by the public key and the transaction's id. */
export function readFedapayWidget(query: string): Promise<CheckoutView> {
  return call(`/emulators/fedapay/widget${query}`);
}

/** A payment by its provider and what stands in the address of its page. */
export type HostedPayment = { provider: string; token: string };

export function readCheckout(payment: HostedPayment): Promise<CheckoutView> {
  return call(hostedPath(payment));
}

export function actOnCheckout(
  payment: HostedPayment,
  action: CheckoutAction,
): Promise<CheckoutView> {
  return call(hostedPath(payment), action);
}

function hostedPath({ provider, token }: HostedPayment): string {
  return `/emulators/pay/${provider}/${encodeURIComponent(token)}`;
}

export function openKkiapay(config: KkiapayConfig): Promise<CheckoutView> {
  return call("/emulators/kkiapay/openings", config);
}
