import type { AggregatorKey, UserAggregatorOnWire } from "@sesame/contract/payment-accounts";
import type { AnswerOf } from "@sesame/contract/routes";
import type { ProductOnWire } from "@sesame/contract/catalogue";
import type { CreateOrderAnswer } from "@sesame/contract/checkout";
import { sql } from "kysely";
import { fundSeller } from "./funds.ts";
import type { SignedInBuyer, SignedInSeller, TestApp } from "./harness.ts";
import { messagesTo } from "./said.ts";
import { publishProduct } from "./stage.ts";

type UserAggregatorAnswer = AnswerOf<"PUT /api/user-aggregators/:userId/:key">;
type UserAggregatorsAnswer = AnswerOf<"GET /api/user-aggregators/:userId">;

type Keys = Readonly<Record<string, string>>;
type Said = { readonly code?: string; readonly message?: string };

/** What sellers do with accounts of their own, and what can be seen of it. */
export function createKeysStage(app: TestApp) {
  const pathOf = (seller: SignedInSeller, key = "") =>
    `/api/user-aggregators/${seller.id}${key && `/${key}`}`;
  const stage = {
    pathOf,
    /** An account the seller opens at the emulated provider. */
    openAccount(provider: AggregatorKey): { id: string; keys: Keys } {
      const { id, keys } = app.emulators.merchants[provider].open();
      return { id, keys: { ...keys } };
    },
    /** A seller the bot may write to. */
    async sellerOn(plan: "free" | "premium"): Promise<SignedInSeller> {
      const seller = await app.signInSeller();
      const { id: personId } = seller.person;
      app.emulators.telegram.sendMessage({ personId, to: { bot: "seller" }, text: "/start" });
      await fundSeller(app, seller, 0, plan);
      await app.drain();
      return seller;
    },
    put: (seller: SignedInSeller, key: string, body: unknown) =>
      app.call<UserAggregatorAnswer & Said>("PUT", pathOf(seller, key), {
        token: seller.token,
        body,
      }),
    takeAway: (seller: SignedInSeller, key: string) =>
      app.call<UserAggregatorAnswer>("DELETE", pathOf(seller, key), { token: seller.token }),
    tryOut: (seller: SignedInSeller, key: string) =>
      app.call<CreateOrderAnswer & Said>("POST", `${pathOf(seller, key)}/trial`, {
        token: seller.token,
      }),
    /** All that the bot has said: of two messages at once either may come first. */
    saidTo: (seller: SignedInSeller): string =>
      messagesTo(app.emulators, seller.person.id, "seller")
        .map(({ text }) => text)
        .join("\n"),
    async methodsOf(seller: SignedInSeller): Promise<Record<string, UserAggregatorOnWire>> {
      const { token } = seller;
      const answer = await app.call<UserAggregatorsAnswer>("GET", pathOf(seller), { token });
      return Object.fromEntries(answer.body.aggregators.map((one) => [one.key, one]));
    },
    async shopOf(seller: SignedInSeller): Promise<ProductOnWire> {
      const group = await app.linkGroup(seller);
      return publishProduct(app, { seller, group }, { minutes: 1_440 });
    },
    order: (who: SignedInBuyer, reference: string, provider: string) =>
      app.call<CreateOrderAnswer & Said>("POST", "/api/orders", {
        token: who.token,
        body: { reference, provider },
      }),
    async productOf(reference: string): Promise<{ status: string; providers: string[] }> {
      const path = `/api/public/products/${reference}`;
      return (await app.call<{ status: string; providers: string[] }>("GET", path)).body;
    },
    async auditOf(seller: SignedInSeller): Promise<string[]> {
      const { rows } = await sql<{ action: string }>`
        SELECT action FROM audit_log
        WHERE subject = ${`seller:${seller.id}`} AND action LIKE 'aggregator.%' ORDER BY seq
      `.execute(app.db);
      return rows.map(({ action }) => action);
    },
  };
  return {
    ...stage,
    /** A seller with a product, whose own account tells the application what is paid there. */
    async sellerCollecting(provider: AggregatorKey) {
      const seller = await stage.sellerOn("premium");
      const product = await stage.shopOf(seller);
      const { id, keys } = stage.openAccount(provider);
      const { own } = (await stage.put(seller, provider, { keys })).body.aggregator;
      const webhookUrl = own?.webhookUrl ?? "";
      app.emulators.merchants[provider].pointNotices(id, webhookUrl);
      return { seller, product, keys, webhookUrl };
    },
  };
}

export type KeysStage = ReturnType<typeof createKeysStage>;
