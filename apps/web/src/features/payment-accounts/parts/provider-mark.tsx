import type { MethodKey } from "@sesame/contract/payment-accounts";
import type { IconName } from "../../../kit/icons.tsx";
import { Arch } from "../../../kit/layout.tsx";

const ICONS: Readonly<Record<MethodKey, IconName>> = {
  moneroo: "phone",
  fedapay: "wallet",
  kkiapay: "phone",
  paydunya: "wallet",
  cryptopay: "globe",
  stars: "star",
};

export function ProviderMark({ provider }: { provider: MethodKey }) {
  return <Arch icon={ICONS[provider]} />;
}
