import type { Route } from "@sesame/contract";
import { createOrder } from "@sesame/contract/checkout";
import { assert, DAY_MS } from "@sesame/kernel";
import type { RouteRow } from "../src/http/server.ts";
import { createDeveloperFixtures } from "./developers.ts";
import { askWithdrawal, fundSeller } from "./funds.ts";
import { AGENT_ID, OPERATOR_ID, type TestApp } from "./harness.ts";
import { buyProduct, openShelf, orderProduct, publishProduct } from "./sales.ts";

export type CallExamples = Awaited<ReturnType<typeof openCallExamples>>;

export const NOBODY = "999999999";

/** One row of each kind, and a caller of each role: every route can be played with them. */
export async function openCallExamples(app: TestApp) {
  const expired = await app.signInSeller();
  app.clock.advance(40 * DAY_MS);
  const seller = await app.signInSeller();
  const buyer = await app.signInBuyer();
  const { group, product, reference } = await openShelf(app, seller);
  const order = await orderProduct(app, buyer, reference);
  await fundSeller(app, seller, 10_000, "premium");
  await app.done("PUT /api/user-aggregators/:userId/:key", seller, {
    userId: seller.id,
    key: "fedapay",
    keys: app.emulators.merchants.fedapay.open().keys,
  });
  const withdrawal = await askWithdrawal(app, seller);
  const complaintAbout = async (id: string, motif: string): Promise<string> =>
    (await app.done("POST /api/orders/:id/complaint", buyer, { id, motif })).complaint.id;
  const complaint = await complaintAbout(order.id, "paid-not-confirmed");
  const question = { sujet: "other", message: "Une question sur mon compte" };
  const { ticket } = await app.done("POST /api/support/tickets", seller, question);
  const developers = createDeveloperFixtures(app);
  const { key: developerKey, secret } = await developers.createKey(seller);
  const { endpoint } = await developers.listen(seller, "matrix");
  const delivery = await developers.ping(seller, endpoint.id);
  // Of another product: a second order of the same unpaid product would give the same order.
  const sold = await publishProduct(app, { seller, group });
  const sale = await buyProduct(app, buyer, sold.reference);
  const dispute = await complaintAbout(await buyProduct(app, buyer, sold.reference), "no-access");
  const refunded = { id: await buyProduct(app, buyer, sold.reference), motif: "Erreur" };
  const { refund } = await app.done("POST /api/orders/:id/refund", seller, refunded);
  await app.drain();
  /** The id of one of each `thing` that a route names; the seller's and the buyer's. */
  const things: Readonly<Record<string, string>> = {
    user: seller.id,
    group: group.id,
    product: product.id,
    order: order.id,
    sale,
    refund: refund.id,
    complaint,
    dispute,
    withdrawal: withdrawal.id,
    ticket: ticket.id,
    "developer-key": developerKey.id,
    endpoint: endpoint.id,
    delivery: delivery.id,
  };
  /** For calls without an owned id in the address: addresses that exist. */
  const addresses: Readonly<Record<string, string>> = {
    "GET /api/public/products/:reference": `/api/public/products/${reference}`,
    "GET /api/products/:idVendeur/:idProduit": `/api/products/${seller.id}/${product.id}`,
    "GET /images/:id/:file": product.image_url ?? "",
    // For a seller's own account: none has this id.
    "POST /webhooks/:provider/:keyId": `/webhooks/moneroo/${NOBODY}`,
  };
  const tokens = {
    none: null,
    expired: expired.token,
    forged: "A".repeat(43),
    buyer: buyer.token,
    seller: seller.token,
    "other seller": (await app.signInSeller()).token,
    agent: (await app.signInSeller({ id: AGENT_ID, first_name: "Agent" })).token,
    operator: (await app.signInSeller({ id: OPERATOR_ID, first_name: "Opérateur" })).token,
  };
  /** `key`: for the seller's own program. */
  return { key: secret, things, addresses, tokens };
}

/** The call as declared, about rows of the examples, or about none. */
export function callOf(
  { method, url, route }: Pick<RouteRow, "method" | "url" | "route">,
  { things, addresses }: Pick<CallExamples, "things" | "addresses">,
  about: "own" | "absent" = "own",
): { readonly path: string; readonly body: unknown } {
  const ids = Object.fromEntries(
    Object.entries(route?.owns ?? {}).map(([name, { thing }]) => {
      const id = things[thing];
      assert(id, `no example of ${thing}`);
      return [name, about === "own" ? id : NOBODY];
    }),
  );
  const params: Readonly<Record<string, string>> = { ...route?.example?.params, ...ids };
  const query = new URLSearchParams(route?.example?.query).toString();
  const filled = url.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? NOBODY);
  const path = (addresses[`${method} ${url}`] ?? filled) + (query && `?${query}`);
  // An id that is not in the address is a field of the body.
  const fields = Object.entries(ids).filter(([name]) => !url.includes(`:${name}`));
  const example = route ? route.example?.body : {};
  if (example === undefined && fields.length === 0) return { path, body: undefined };
  return { path, body: { ...(example as object), ...Object.fromEntries(fields) } };
}

type Body = Readonly<Record<string, unknown>>;

/** A body that the call accepts, or refuses only for its content; an order is of this product. */
export function exampleBody(route: Route | null, reference: string): Body | undefined {
  const body = route?.example?.body as Body | undefined;
  return route?.call === createOrder.call ? { ...body, reference } : body;
}
