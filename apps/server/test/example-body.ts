import type { Route } from "@sesame/contract";
import { createOrder } from "@sesame/contract/checkout";

type Body = Readonly<Record<string, unknown>>;

/** A body that the call accepts or refuses for its content alone; an order is one of this product. */
export function exampleBody(route: Route | null, reference: string): Body | undefined {
  const body = route?.example?.body as Body | undefined;
  return route?.call === createOrder.call ? { ...body, reference } : body;
}
