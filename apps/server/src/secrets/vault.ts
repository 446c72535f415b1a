import * as crypto from "node:crypto";
import type { Db } from "../postgres/database.ts";

/** The stored form: useless without the key that it names. */
export type Sealed = {
  readonly bytes: Uint8Array;
  /** Which SECRETS_KEY encrypts it; reveals nothing of the key. */
  readonly keyId: string;
};

/**
 * What a secret belongs to: its owner, its provider, its row, its field. In another place it cannot
 * be decrypted.
 */
export type Binding = {
  readonly ownerId: bigint;
  readonly provider: string;
  readonly rowId: bigint;
  readonly field: string;
};

export type Vault = ReturnType<typeof createVault>;

/** `unknown-key`: no key of the configuration has that id. `tampered`: changed since it was encrypted. */
export class SecretUnreadable extends Error {
  override name = "SecretUnreadable";
  readonly reason: "unknown-key" | "tampered";

  constructor(reason: SecretUnreadable["reason"], { keyId }: Pick<Sealed, "keyId">) {
    super(
      reason === "unknown-key"
        ? `a secret is under the key ${keyId}, which SECRETS_KEY and SECRETS_KEY_PREVIOUS do not hold`
        : `a secret under the key ${keyId} is not as it was sealed`,
    );
    this.reason = reason;
  }
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

type Key = { readonly id: string; readonly bytes: Uint8Array };

/**
 * AES-256-GCM with a random nonce for each secret. `SECRETS_KEY` has other uses too, so the
 * encryption keys are derived from it by HKDF.
 */
export function createVault(keys: {
  readonly current: Uint8Array;
  readonly previous: readonly Uint8Array[];
}) {
  const current = deriveKey(keys.current);
  const known = new Map(
    [current, ...keys.previous.map(deriveKey)].reverse().map((key) => [key.id, key]),
  );
  return {
    /** The key for new secrets. */
    keyId: current.id,
    seal(plain: string, binding: Binding): Sealed {
      const nonce = crypto.randomBytes(NONCE_BYTES);
      const cipher = crypto.createCipheriv("aes-256-gcm", current.bytes, nonce);
      cipher.setAAD(placeOf(binding));
      const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()]);
      const bytes = Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), text]);
      return { bytes, keyId: current.id };
    },
    /** Throws `SecretUnreadable` for anything that does not decrypt whole. */
    open(sealed: Sealed, binding: Binding) {
      const key = known.get(sealed.keyId);
      if (!key) throw new SecretUnreadable("unknown-key", sealed);
      const plain = decrypt(key, sealed.bytes, placeOf(binding));
      if (plain === null) throw new SecretUnreadable("tampered", sealed);
      return plain;
    },
  };
}

function decrypt(key: Key, bytes: Uint8Array, place: Uint8Array): string | null {
  if (bytes.length < HEAD_BYTES || bytes[0] !== VERSION) return null;
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
  const tag = bytes.subarray(1 + NONCE_BYTES, HEAD_BYTES);
  const decipher = crypto.createDecipheriv("aes-256-gcm", key.bytes, nonce, {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(place);
  decipher.setAuthTag(tag);
  try {
    const text = [decipher.update(bytes.subarray(HEAD_BYTES)), decipher.final()];
    return Buffer.concat(text).toString("utf8");
  } catch {
    return null;
  }
}

function deriveKey(secret: Uint8Array): Key {
  const bytes = new Uint8Array(
    crypto.hkdfSync("sha256", secret, "", "sesame secrets at rest 1", 32),
  );
  const id = crypto.createHmac("sha256", bytes).update("id").digest("hex").slice(0, 12);
  return { id, bytes };
}

/** JSON, so that no field can be mistaken for a part of another. */
function placeOf({ ownerId, provider, rowId, field }: Binding): Uint8Array {
  return Buffer.from(JSON.stringify([String(ownerId), provider, String(rowId), field]));
}

/** Secrets, and the contents of repeated calls, are stored as hashes only. */
export function hashOf(text: string): Buffer {
  return crypto.createHash("sha256").update(text).digest();
}

type Table<Row> = {
  /** Some of the rows with another key, locked; without some ids. */
  readonly list: (tx: Db, without: readonly bigint[], limit: number) => Promise<Row[]>;
  /** Decrypts the secrets of a row, encrypts them again and writes them. */
  readonly rewrite: (tx: Db, row: Row) => Promise<unknown>;
};

/** Few at a time: a sale that reads one of them waits for this many at most. */
const IN_A_BATCH = 50;

/**
 * Re-encrypts every secret of a table with the newest key, during normal work, including what a
 * process still encrypts with the old one; if it was interrupted, run it again. → how many; and the
 * rows that are damaged, or whose key is not configured: left as they are.
 */
export async function reseal<Row extends { readonly id: bigint }>(
  db: Db,
  { list, rewrite }: Table<Row>,
): Promise<{ rewritten: number; unreadable: bigint[] }> {
  const unreadable: bigint[] = [];
  for (let rewritten = 0; ; ) {
    const rows = await db.transaction().execute(async (tx) => {
      const batch = await list(tx, unreadable, IN_A_BATCH);
      for (const row of batch) {
        try {
          await rewrite(tx, row);
          rewritten += 1;
        } catch (error) {
          if (!(error instanceof SecretUnreadable)) throw error;
          unreadable.push(row.id);
        }
      }
      return batch;
    });
    if (rows.length === 0) return { rewritten, unreadable };
  }
}
