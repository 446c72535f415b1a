import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { KEY_PREFIX } from "@sesame/contract/developers";
import { type Chance, readableToken } from "@sesame/kernel";

const DRAWN = 36;
const CHECKSUM = 7;
const FORM = new RegExp(`^${KEY_PREFIX}[A-Za-z0-9]{${DRAWN}}[0-9a-z]{${CHECKSUM}}$`);

/** A key: 36 drawn characters (210 bits), then what shows that they are a key's and not mistyped. */
export function drawKey(chance: Chance): string {
  const drawn = KEY_PREFIX + readableToken(DRAWN, chance);
  return drawn + checksumOf(drawn);
}

/** Known without asking anybody: a scanner of leaks does the same. */
export function isKeyText(text: string): boolean {
  return FORM.test(text) && text.slice(-CHECKSUM) === checksumOf(text.slice(0, -CHECKSUM));
}

export function hashKey(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function checksumOf(text: string): string {
  return crc32(text).toString(36).padStart(CHECKSUM, "0");
}
