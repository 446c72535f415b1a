import { readInstance } from "../../../lib/instance.ts";
import { openAddress } from "../../../telegram/native.ts";
import { Banner } from "../../../ui/banner.tsx";
import { withdrawalsCopy } from "../copy.fr.ts";

/** Frozen, suspended or closed: why, until when, and whom to ask (decision 99). */
export function BlockedNotice({ message }: { message: string }) {
  const { supportTelegram } = readInstance();
  const address = supportTelegram?.startsWith("https://")
    ? supportTelegram
    : `https://t.me/${supportTelegram?.replace(/^@/, "")}`;
  return (
    <Banner
      tone="danger"
      icon="shield"
      action={
        supportTelegram ? (
          <button type="button" onClick={() => openAddress(address)}>
            {withdrawalsCopy.support}
          </button>
        ) : undefined
      }
    >
      {message}
    </Banner>
  );
}
