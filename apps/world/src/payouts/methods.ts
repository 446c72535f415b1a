import { type Network, NETWORKS } from "../mobile-money/networks.ts";
import { NotPossible } from "../telegram/api-error.ts";
import type { PayoutProviderName } from "../wire.ts";

/** The codes by which a provider names a network; the first is its own choice. */
export function methodsOf(provider: PayoutProviderName, network: Network): readonly string[] {
  switch (provider) {
    case "paydunya":
      return [network.id];
    case "moneroo":
      return network.moneroo === null ? [] : [network.moneroo];
    case "fedapay":
      return network.fedapay;
  }
}

export function findNetwork(provider: PayoutProviderName, method: unknown): Network | undefined {
  return NETWORKS.find((network) => methodsOf(provider, network).some((code) => code === method));
}

export function networkOfMethod(provider: PayoutProviderName, method: string): Network {
  const network = findNetwork(provider, method);
  if (network === undefined) throw new NotPossible(`${provider} has no method ${method}`);
  return network;
}
