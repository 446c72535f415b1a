import { type Network, NETWORKS } from "../mobile-money/networks.ts";
import type { CheckoutMethod } from "../wire.ts";

/** The mobile money of these countries as a provider's page offers it; null: not served. */
export function networkMethods(codeOf: (network: Network) => string | null): CheckoutMethod[] {
  return NETWORKS.flatMap((network) => {
    const code = codeOf(network);
    if (code === null) return [];
    const { name, iso, dial } = network;
    return [{ code, name, country: iso, dialCode: `+${dial}` }];
  });
}

/** Appends as a provider does, whatever the address already carries. */
export function withQuery(url: string, query: Record<string, string>): string {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) address.searchParams.append(name, value);
  return address.href;
}
