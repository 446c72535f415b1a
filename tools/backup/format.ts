import { createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, renameSync } from "node:fs";
import { pipeline, promises } from "node:stream";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";

/**
 * A backup is one zstd stream of lines of JSON: the header, then rows of tables, sequences and
 * files. The last line seals all before it with the instance's SECRETS_KEY: a file that is damaged,
 * cut short, or changed by somebody without the key is refused.
 */
export type Header = {
  format: typeof FORMAT;
  made_at: string;
  /** Version and commit. */
  made_by: string;
  /** Migrations that made its tables, "name checksum" each. */
  migrations: string[];
};
export type Line =
  | Header
  /** Each row as PostgreSQL writes it in text. A table without rows has one line too. */
  | { table: string; columns: string[]; rows: string[] }
  | { sequences: { name: string; next: string }[] }
  | { file: string; base64: string };

export const FORMAT = "sesame-backup-4";

const NEW_LINE = 10;
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The seal has a key of its own, so that no other use of SECRETS_KEY can sign a backup. */
function sealWith(secretsKey: Uint8Array): Hmac {
  const key = createHmac("sha256", secretsKey).update("sesame backup seal").digest();
  return createHmac("sha256", key);
}

const sealLine = (seal: Hmac): Buffer =>
  Buffer.from(`${JSON.stringify({ seal: seal.digest("hex") })}\n`);

/** The file is damaged or cut short: no part of it may be used. */
export class DamagedBackup extends Error {
  override name = "DamagedBackup";
}

/** `secretsKey` seals the file: 32 bytes, needed again to restore it. */
export async function writeBackup(path: string, secretsKey: Uint8Array) {
  const seal = sealWith(secretsKey);
  const draft = `${path}.draft`;
  const stream = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const output = createWriteStream(draft, { mode: 0o600, flush: true });
  const written = promises.pipeline(stream, output);
  // A full disk is an error of the next write or of the end, whichever comes first.
  written.catch((error: Error) => stream.destroy(error));
  return {
    async write(line: Line) {
      const text = `${JSON.stringify(line)}\n`;
      seal.update(text);
      if (!stream.write(text)) await once(stream, "drain");
    },
    /** Seals the file and gives it its name: by then its content is on disk. */
    async finish() {
      stream.end(sealLine(seal));
      await written;
      renameSync(draft, path);
    },
  };
}

/** `secretsKeys`: the current key and the former ones; one of them made the seal. */
export type SealedFile = { readonly path: string; readonly secretsKeys: readonly Uint8Array[] };

/**
 * Reads a whole backup, line by line, and checks the seal at its end. Throws `DamagedBackup` when
 * its content is not exactly what was sealed: read it once to check it, and again to use it.
 */
export async function* readBackup({ path, secretsKeys }: SealedFile): AsyncGenerator<Line, void> {
  const seals = secretsKeys.map(sealWith);
  let place: "start" | "inside" | "end" = "start";
  for await (const bytes of readLines(path)) {
    if (place === "end") throw new DamagedBackup("There is more after the end");
    const line = parse(bytes);
    if (place === "start" && !(line && "format" in line && line.format === FORMAT)) {
      throw new DamagedBackup("This is no backup of this version of Sésame");
    }
    if (!line) throw new DamagedBackup("A line is no JSON");
    if ("seal" in line) {
      requireSeal(bytes, seals);
      place = "end";
      continue;
    }
    place = "inside";
    for (const seal of seals) seal.update(bytes);
    yield line;
  }
  if (place !== "end") throw new DamagedBackup("The file is cut short");
}

function requireSeal(found: Buffer, seals: readonly Hmac[]): void {
  const fits = seals.some((one) => {
    const wanted = sealLine(one);
    return wanted.length === found.length && timingSafeEqual(wanted, found);
  });
  if (fits) return;
  throw new DamagedBackup(
    "The seal does not fit: the file was changed, or SECRETS_KEY is not the one it was made with",
  );
}

async function* readLines(path: string): AsyncGenerator<Buffer, void> {
  let left = Buffer.alloc(0);
  try {
    // The callback is not needed: whoever reads the stream gets its error.
    const content = pipeline(createReadStream(path), createZstdDecompress(), () => {});
    for await (const chunk of content) {
      left = Buffer.concat([left, chunk as Buffer]);
      for (let end = 0; (end = left.indexOf(NEW_LINE) + 1) > 0; left = left.subarray(end)) {
        yield left.subarray(0, end);
      }
      if (left.length > MAX_LINE_BYTES) throw new DamagedBackup("A line of impossible length");
    }
  } catch (error) {
    if (error instanceof DamagedBackup) throw error;
    throw new DamagedBackup(`The file cannot be read to its end: ${(error as Error).message}`);
  }
  if (left.length > 0) yield left;
}

function parse(bytes: Buffer): Line | { seal: string } | null {
  try {
    const line: unknown = JSON.parse(bytes.toString());
    return typeof line === "object" ? (line as Line | null) : null;
  } catch {
    return null;
  }
}
