import { describe, expect, test } from "vitest";
import { type Binding, createVault, SecretUnreadable } from "./vault.ts";

const keyOf = (seed: number) => Uint8Array.from({ length: 32 }, (_, at) => (at * 7 + seed) & 255);
const [first, second] = [keyOf(1), keyOf(2)];
const PLACE: Binding = { ownerId: 7n, provider: "fedapay", rowId: 12n, field: "keys" };
const SECRET = '{"secretKey":"sk_live_é\u0000 of the tests"}';

const whyNot = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (error instanceof SecretUnreadable) return error.reason;
    throw error;
  }
  return "opened";
};

describe("the vault", () => {
  const vault = createVault({ current: first, previous: [] });

  test("decrypts what it encrypted, and never encrypts twice alike", () => {
    const seals = [vault.seal(SECRET, PLACE), vault.seal(SECRET, PLACE)];
    for (const sealed of seals) expect(vault.open(sealed, PLACE)).toBe(SECRET);
    expect(Buffer.compare(seals[0]?.bytes ?? keyOf(0), seals[1]?.bytes ?? keyOf(0))).not.toBe(0);
    expect(Buffer.from(seals[0]?.bytes ?? keyOf(0)).includes("sk_live")).toBe(false);
    expect(vault.open(vault.seal("", PLACE), PLACE)).toBe("");
  });

  test("refuses a text of which one bit was changed, or a part of it", () => {
    const sealed = vault.seal(SECRET, PLACE);
    for (let at = 0; at < sealed.bytes.length; at++) {
      const bytes = Uint8Array.from(sealed.bytes);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8));
      expect(whyNot(() => vault.open({ ...sealed, bytes }, PLACE))).toBe("tampered");
      const cut = sealed.bytes.subarray(0, at);
      expect(whyNot(() => vault.open({ ...sealed, bytes: cut }, PLACE))).toBe("tampered");
    }
  });

  test.each<[string, Partial<Binding>]>([
    ["another seller's", { ownerId: 8n }],
    ["another provider's", { provider: "moneroo" }],
    ["another row's", { rowId: 13n }],
    ["another field's", { field: "webhookSecret" }],
    ["one that splits the parts elsewhere", { ownerId: 71n, rowId: 2n }],
  ])("decrypts nothing in %s place", (_place, moved) => {
    const sealed = vault.seal(SECRET, PLACE);
    expect(whyNot(() => vault.open(sealed, { ...PLACE, ...moved }))).toBe("tampered");
  });

  test("decrypts with a previous key, and encrypts with the newest alone", () => {
    const old = vault.seal(SECRET, PLACE);
    const rotated = createVault({ current: second, previous: [first] });
    expect(rotated.open(old, PLACE)).toBe(SECRET);
    expect(rotated.keyId).not.toBe(old.keyId);
    const renewed = rotated.seal(SECRET, PLACE);
    expect(renewed.keyId).toBe(rotated.keyId);
    expect(whyNot(() => vault.open(renewed, PLACE))).toBe("unknown-key");
    expect(whyNot(() => createVault({ current: second, previous: [] }).open(old, PLACE))).toBe(
      "unknown-key",
    );
    // The id of one key with the bytes of another.
    expect(whyNot(() => rotated.open({ ...old, keyId: rotated.keyId }, PLACE))).toBe("tampered");
  });

  test("reveals of a key its id only", () => {
    const error = new SecretUnreadable("unknown-key", { keyId: vault.keyId });
    const texts = [vault.keyId, error.message].join(" ");
    expect(texts).not.toContain(Buffer.from(first).toString("hex").slice(0, 8));
    expect(texts).not.toContain(Buffer.from(first).toString("base64").slice(0, 8));
  });
});
