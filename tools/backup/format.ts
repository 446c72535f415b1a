import { createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress, type ZstdCompress } from "node:zlib";

/**
 * A backup is one zstd stream of records: a kind (one byte), a length (four), then as many bytes.
 * JSON records are the header and the name of each section, whose bytes follow in records of bytes.
 * The last record seals all before it with the instance's SECRETS_KEY: a file that is damaged, cut
 * short, or changed by somebody without the key is refused.
 */
export type Header = {
  format: typeof FORMAT;
  made_at: string;
  /** Version and commit. */
  made_by?: string;
  /** Migrations that made its tables, "name checksum" each. */
  migrations: string[];
};
export type SectionName =
  | { table: string; columns: string[] }
  | { sequences: true }
  | { file: string };

export const FORMAT = "sesame-backup-3";

const JSON_RECORD = 0x4a;
const BYTES_RECORD = 0x42;
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** The seal has a key of its own, so that no other use of SECRETS_KEY can sign a backup. */
function sealWith(secretsKey: Uint8Array): Hmac {
  const key = createHmac("sha256", secretsKey).update("sesame backup seal").digest();
  return createHmac("sha256", key);
}

/** The file is damaged or cut short: no part of it may be used. */
export class DamagedBackup extends Error {
  override name = "DamagedBackup";
}

type Fill = (write: (bytes: Buffer) => Promise<void>) => Promise<void>;

/** `secretsKey` seals the file: 32 bytes, needed again to restore it. */
export async function writeBackup(
  path: string,
  { header, secretsKey }: { header: Header; secretsKey: Uint8Array },
) {
  const seal = sealWith(secretsKey);
  const draft = `${path}.draft`;
  const stream = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const written = pipeline(stream, createWriteStream(draft, { mode: 0o600 }));
  // A full disk is an error of the next write or of the end, whichever comes first.
  written.catch((error: Error) => stream.destroy(error));
  const record = (kind: number, bytes: Buffer) => {
    seal.update(headOf(kind, bytes)).update(bytes);
    return writeRecord(stream, kind, bytes);
  };
  await record(JSON_RECORD, json(header));
  return {
    async section(name: SectionName, fill: Fill) {
      await record(JSON_RECORD, json(name));
      await fill((chunk) => record(BYTES_RECORD, chunk));
    },
    /** Seals the file and gives it its name: only now is it complete and on disk. */
    async finish() {
      await writeRecord(stream, JSON_RECORD, json({ seal: seal.digest("hex") }));
      stream.end();
      await written;
      const file = await open(draft, "r");
      await file.sync();
      await file.close();
      renameSync(draft, path);
    },
  };
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function headOf(kind: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(bytes.length, 1);
  return head;
}

async function writeRecord(stream: ZstdCompress, kind: number, bytes: Buffer): Promise<void> {
  stream.write(headOf(kind, bytes));
  if (!stream.write(bytes)) await once(stream, "drain");
}

/** `secretsKeys`: the current key and the former ones; one of them made the seal. */
export type SealedFile = { readonly path: string; readonly secretsKeys: readonly Uint8Array[] };

type SectionReader = (name: SectionName, bytes: AsyncIterable<Buffer>) => Promise<void> | void;

/**
 * Reads a whole backup, section by section, and checks the seal. → its header. Throws
 * `DamagedBackup` when the file is not exactly what was written: read it once to check it, and
 * again to use it.
 */
export async function readBackup(
  { path, secretsKeys }: SealedFile,
  onSection: SectionReader,
): Promise<Header> {
  const seals = secretsKeys.map(sealWith);
  const records = readRecords(path);
  const take = async (): Promise<BackupRecord> => {
    const { value } = await records.next();
    if (!value) throw new DamagedBackup("The file is cut short");
    return value;
  };
  const sealed = <T>({ kind, bytes }: BackupRecord, content: T): T => {
    for (const seal of seals) seal.update(headOf(kind, bytes)).update(bytes);
    return content;
  };
  let record = await take();
  const header = sealed(record, parse<Header>(record));
  if (header.format !== FORMAT) {
    throw new DamagedBackup("This is no backup of this version of Sésame");
  }
  async function* bytesOfSection(): AsyncGenerator<Buffer, void> {
    for (record = await take(); record.kind === BYTES_RECORD; record = await take()) {
      yield sealed(record, record.bytes);
    }
  }
  record = await take();
  for (;;) {
    const opening = parse<SectionName | { seal: unknown }>(record);
    if ("seal" in opening) {
      requireSeal(opening, seals);
      if (!(await records.next()).done) throw new DamagedBackup("There is more after the end");
      return header;
    }
    const bytes = bytesOfSection();
    await onSection(sealed(record, opening), bytes);
    // A reader may leave bytes unread: they are read here, since the seal covers everything.
    for await (const _ of bytes) continue;
  }
}

function requireSeal({ seal }: { seal: unknown }, seals: readonly Hmac[]): void {
  const found = Buffer.from(typeof seal === "string" ? seal : "", "hex");
  const fits = seals.some((one) => {
    const wanted = one.digest();
    return wanted.length === found.length && timingSafeEqual(wanted, found);
  });
  if (fits) return;
  throw new DamagedBackup(
    "The seal does not fit: the file was changed, or SECRETS_KEY is not the one it was made with",
  );
}

type BackupRecord = { kind: number; bytes: Buffer };

async function* readRecords(path: string): AsyncGenerator<BackupRecord, void> {
  let left: Buffer = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path).pipe(createZstdDecompress())) {
      left = left.length === 0 ? (chunk as Buffer) : Buffer.concat([left, chunk as Buffer]);
      while (left.length >= 5) {
        const length = left.readUInt32BE(1);
        if (length > MAX_RECORD_BYTES) throw new DamagedBackup("A record of impossible length");
        if (left.length < 5 + length) break;
        yield { kind: left.readUInt8(0), bytes: left.subarray(5, 5 + length) };
        left = left.subarray(5 + length);
      }
    }
  } catch (error) {
    if (error instanceof DamagedBackup) throw error;
    throw new DamagedBackup(`The file cannot be read to its end: ${(error as Error).message}`);
  }
  if (left.length > 0) throw new DamagedBackup("The file is cut short");
}

function parse<T>(found: BackupRecord): T {
  if (found.kind !== JSON_RECORD) throw new DamagedBackup("The file is cut short");
  try {
    return JSON.parse(found.bytes.toString()) as T;
  } catch {
    throw new DamagedBackup("A record is no JSON");
  }
}
