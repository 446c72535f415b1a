import type { MethodKey } from "@sesame/contract/payment-accounts";
import { TintedIcon, type Tint } from "../../../kit/section.tsx";
import type { IconName } from "../../../kit/icons.tsx";

const LOOKS: Readonly<Record<MethodKey, readonly [IconName, Tint]>> = {
  moneroo: ["phone", "green"],
  fedapay: ["wallet", "blue"],
  kkiapay: ["phone", "orange"],
  paydunya: ["wallet", "teal"],
  cryptopay: ["globe", "violet"],
  stars: ["star", "orange"],
};

export function ProviderMark({ provider }: { provider: MethodKey }) {
  const [icon, tint] = LOOKS[provider];
  return <TintedIcon icon={icon} tint={tint} />;
}
