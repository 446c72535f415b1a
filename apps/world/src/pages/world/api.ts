import type {
  ActorAction,
  ActorAnswer,
  ActorCalls,
  CheckoutAction,
  CheckoutView,
  ControlAction,
  ControlAnswer,
  ControlCalls,
} from "../../wire.ts";

/** The world said why a person could not do that, in English: for the console of a test. */
export class WorldRefusal extends Error {}

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
  throw new WorldRefusal(typeof sentence === "string" ? sentence : `HTTP ${answer.status}`);
}

export function act<K extends keyof ActorCalls>(
  name: K,
  takes: ActorCalls[K]["takes"],
): Promise<ActorAnswer<K>> {
  return call("/world/act", { act: name, ...takes } as ActorAction);
}

export function control<K extends keyof ControlCalls>(
  name: K,
  takes: ControlCalls[K]["takes"],
): Promise<ControlAnswer<K>> {
  return call("/world/control", { control: name, ...takes } as ControlAction);
}

export function readCheckout(id: string): Promise<CheckoutView> {
  return call(`/world/moneroo/payments/${encodeURIComponent(id)}`);
}

export function actOnCheckout(id: string, action: CheckoutAction): Promise<CheckoutView> {
  return call(`/world/moneroo/payments/${encodeURIComponent(id)}`, action);
}
