import { createHmac, timingSafeEqual } from "node:crypto";
import { NEEDED_RIGHTS } from "@sesame/contract/groups";

const ADMIN = NEEDED_RIGHTS.join("+");

/** Telegram's choosers, with the rights asked for (`reference/telegram.md` §2). */
export function addLinks(bot: string, payload: string): { group: string; channel: string } {
  return {
    group: `https://t.me/${bot}?startgroup=${payload}&admin=${ADMIN}`,
    // A channel's link can carry no parameter.
    channel: `https://t.me/${bot}?startchannel&admin=${ADMIN}`,
  };
}

/** Names a seller in a group where nobody else does: its admin acts anonymously. */
export type LinkPayloads = {
  of(sellerId: bigint): string;
  sellerOf(payload: string): bigint | null;
};

const MAC_CHARS = 22;

/** Made with the newest secret; those of `previous` ones still say who made them. */
export function createLinkPayloads(
  secret: Uint8Array,
  previous: readonly Uint8Array[] = [],
): LinkPayloads {
  const macBy = (key: Uint8Array, sellerId: bigint) =>
    createHmac("sha256", key)
      .update(`groups.link:${sellerId}`)
      .digest("base64url")
      .slice(0, MAC_CHARS);
  return {
    of: (sellerId) => `v${sellerId}_${macBy(secret, sellerId)}`,
    sellerOf(payload) {
      const match = /^v(\d{1,18})_([\w-]{22})$/.exec(payload);
      if (!match?.[1] || !match[2]) return null;
      const sellerId = BigInt(match[1]);
      const given = Buffer.from(match[2]);
      const isOurs = [secret, ...previous].some((key) =>
        timingSafeEqual(Buffer.from(macBy(key, sellerId)), given),
      );
      return isOurs ? sellerId : null;
    },
  };
}
