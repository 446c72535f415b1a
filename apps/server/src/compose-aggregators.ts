import { randomBytes } from "node:crypto";
import type { AggregatorKey } from "@sesame/contract/aggregators";
import { assert, type Clock, unreachable } from "@sesame/kernel";
import type { PaymentProvider, ProviderId } from "@sesame/providers";
import { createCryptopay } from "@sesame/providers/cryptopay";
import { createFedapay } from "@sesame/providers/fedapay";
import { createKkiapay } from "@sesame/providers/kkiapay";
import { createMoneroo } from "@sesame/providers/moneroo";
import { createPaydunya } from "@sesame/providers/paydunya";
import type { Config } from "./config.ts";
import { hush, type Keys } from "./features/aggregators/index.ts";

type Ground = { readonly config: Pick<Config, "providerRoots">; readonly clock: Clock };

/** A provider by a seller's own keys; they are whole, which the form was checked for. */
export function connectProvider(
  { config: { providerRoots: roots }, clock }: Ground,
  key: AggregatorKey,
  keys: Keys,
): PaymentProvider {
  const webhookSecret = keys.webhookSecret ?? secretOfNobody();
  const now = () => clock.now();
  switch (key) {
    case "moneroo":
      return createMoneroo({
        secretKey: need(keys.secretKey),
        webhookSecret,
        apiRoot: roots.moneroo,
      });
    case "fedapay": {
      const secretKey = need(keys.secretKey);
      const { live, sandbox, widgetUrl } = roots.fedapay;
      const apiRoot = secretKey.startsWith("sk_sandbox_") ? sandbox : live;
      const publicKey = keys.publicKey ?? null;
      return createFedapay({ secretKey, publicKey, webhookSecret, apiRoot, widgetUrl, now });
    }
    case "kkiapay": {
      const { apiRoot, widgetUrl } = roots.kkiapay;
      return createKkiapay({
        publicKey: need(keys.publicKey),
        privateKey: need(keys.privateKey),
        secretKey: need(keys.secretKey),
        webhookSecret,
        apiRoot,
        widgetUrl,
        sandbox: new URL(apiRoot).hostname.includes("sandbox"),
      });
    }
    case "paydunya":
      return createPaydunya({
        masterKey: need(keys.masterKey),
        privateKey: need(keys.privateKey),
        token: need(keys.token),
        apiRoot: roots.paydunya,
      });
    case "cryptopay":
      return createCryptopay({ token: need(keys.token), apiRoot: roots.cryptopay, now });
    default:
      return unreachable(key);
  }
}

/** Without a secret to sign by, no notice is signed: chance draws one that nobody knows. */
function secretOfNobody(): string {
  return randomBytes(32).toString("hex");
}

function need(key: string | undefined): string {
  assert(key, "a set of keys is saved whole");
  return key;
}

/** Where each one's calls go; shown to sellers. */
export function apiUrlsOf({
  providerRoots: roots,
  telegramApiRoot,
}: Pick<Config, "providerRoots" | "telegramApiRoot">): Record<ProviderId, string> {
  return {
    moneroo: roots.moneroo,
    fedapay: roots.fedapay.live,
    kkiapay: roots.kkiapay.apiRoot,
    paydunya: roots.paydunya,
    cryptopay: roots.cryptopay,
    stars: telegramApiRoot,
  };
}

/** The instance's own accounts, of which nothing says a key either; a public one is a browser's. */
export function hushInstance<Port extends object>(
  ports: readonly Port[],
  config: Pick<Config, "moneroo" | "fedapay" | "kkiapay" | "paydunya" | "cryptopay">,
): Port[] {
  const secrets = [
    config.moneroo,
    config.fedapay,
    config.kkiapay,
    config.paydunya,
    config.cryptopay,
  ]
    .flatMap((account) => Object.entries(account ?? {}))
    .filter(([name]) => /(?:key|secret|token)$/i.test(name) && name !== "publicKey")
    .flatMap(([, value]) => (typeof value === "string" ? [value] : []));
  return ports.map((port) => hush(port, secrets));
}
