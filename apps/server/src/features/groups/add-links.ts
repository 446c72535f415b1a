import { createHmac, timingSafeEqual } from "node:crypto";
import { NEEDED_RIGHTS } from "@sesame/contract/groups";
import type { App } from "../../app.ts";

const ADMIN = NEEDED_RIGHTS.join("+");

/** Telegram's choosers, with the rights asked for (`reference/telegram.md` §2). */
export function addLinks(
  app: App,
  bot: string,
  sellerId: bigint,
): { group: string; channel: string } {
  const payload = `v${sellerId}_${macBy(app.config.secretsKey, sellerId)}`;
  return {
    group: `https://t.me/${bot}?startgroup=${payload}&admin=${ADMIN}`,
    // A channel's link can carry no parameter.
    channel: `https://t.me/${bot}?startchannel&admin=${ADMIN}`,
  };
}

const MAC_CHARS = 22;

/**
 * The payload of an add link names a seller in a group where nobody else does: its admin acts
 * anonymously. Made with the newest secret; those of earlier ones still say who made them.
 */
export function sellerOfPayload({ config }: App, payload: string): bigint | null {
  const match = /^v(\d{1,18})_([\w-]{22})$/.exec(payload);
  if (!match?.[1] || !match[2]) return null;
  const sellerId = BigInt(match[1]);
  const given = Buffer.from(match[2]);
  const isOurs = [config.secretsKey, ...config.previousSecretsKeys].some((key) =>
    timingSafeEqual(Buffer.from(macBy(key, sellerId)), given),
  );
  return isOurs ? sellerId : null;
}

function macBy(key: Uint8Array, sellerId: bigint): string {
  const mac = createHmac("sha256", key).update(`groups.link:${sellerId}`).digest("base64url");
  return mac.slice(0, MAC_CHARS);
}
