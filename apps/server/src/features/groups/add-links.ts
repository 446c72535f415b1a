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

export function createLinkPayloads(secret: Uint8Array): LinkPayloads {
  const mac = (sellerId: bigint) =>
    createHmac("sha256", secret)
      .update(`groups.link:${sellerId}`)
      .digest("base64url")
      .slice(0, MAC_CHARS);
  return {
    of: (sellerId) => `v${sellerId}_${mac(sellerId)}`,
    sellerOf(payload) {
      const match = /^v(\d{1,18})_([\w-]{22})$/.exec(payload);
      if (!match?.[1] || !match[2]) return null;
      const sellerId = BigInt(match[1]);
      const expected = Buffer.from(mac(sellerId));
      return timingSafeEqual(expected, Buffer.from(match[2])) ? sellerId : null;
    },
  };
}
