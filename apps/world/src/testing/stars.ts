import { textOf } from "@sesame/kernel";
import { expect } from "vitest";
import type { TestWorld } from "./test-world.ts";

export const INVOICE = {
  title: "Club VIP",
  description: "Un mois d'accès au Club VIP",
  provider_token: "",
  currency: "XTR",
  prices: [{ label: "Club VIP", amount: 625 }],
};

type Moves = { id: string; amount: number; source?: object; receiver?: object }[];

/** What a bot asks and is told about payments in Stars, as bare calls. */
export function starCallers(world: () => TestWorld) {
  let payload = 0;
  /** An invoice of its own for each test. */
  const invoice = async (): Promise<{ payload: string; link: string }> => {
    const own = `order-${++payload}`;
    const answer = await world().call("buyer", "createInvoiceLink", { ...INVOICE, payload: own });
    return { payload: own, link: textOf(answer.result) };
  };
  const queryOf = (own: string) =>
    world()
      .updates("buyer")
      .flatMap(({ pre_checkout_query: query }) => query ?? [])
      .findLast(({ invoice_payload: asked }) => asked === own);
  const paymentsOf = (own: string) =>
    world()
      .updates("buyer")
      .flatMap(({ message }) => message ?? [])
      .filter(({ successful_payment: paid }) => paid?.invoice_payload === own);
  const answer = (id: string | undefined, how: object = { ok: true }) =>
    world().refusal("buyer", "answerPreCheckoutQuery", { pre_checkout_query_id: id, ...how });
  const paid = async () => {
    const { link, payload: own } = await invoice();
    const { telegram, panel, buyer: personId } = world();
    if (telegram.previewInvoice({ personId, link }).stars < 625) {
      panel.setStars({ personId, stars: 625 });
    }
    const ended = telegram.payInvoice({ personId, link });
    expect(await answer(queryOf(own)?.id)).toBe("no refusal");
    expect(await ended).toMatchObject({ status: "paid", why: null });
    const [message] = paymentsOf(own);
    const chargeId = message?.successful_payment?.telegram_payment_charge_id ?? "";
    return { link, own, chargeId };
  };
  const moves = async (params: object = {}): Promise<Moves> => {
    const { result } = await world().call("buyer", "getStarTransactions", params);
    return (result as { transactions: Moves } | undefined)?.transactions ?? [];
  };
  return { invoice, queryOf, paymentsOf, answer, paid, moves };
}
