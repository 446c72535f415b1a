import { createHash, createHmac, type Hmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress, type ZstdCompress } from "node:zlib";

/**
 * A backup is one zstd stream of records: a kind (one byte), a length (four), then as many bytes.
 * A section opens with a JSON record that names it, goes on with its bytes, and ends with their
 * sum; then one record says how many sections there are, and the last one seals all before it with
 * the instance's SECRETS_KEY, so that a file changed by somebody without the key is refused.
 */
export type Header = {
  format: typeof FORMAT;
  made_at: string;
  /** Version and commit. */
  made_by?: string;
  /** What its tables were made by: "name checksum" each. */
  migrations: string[];
};
export type SectionName =
  | { table: string; columns: string[] }
  | { sequences: true }
  | { file: string };
export type SectionEnd = { end: true; bytes: number; sha256: string };

export const FORMAT = "sesame-backup-2";

const JSON_RECORD = 0x4a;
const BYTES_RECORD = 0x42;
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

/** The seal's own key, so that no other use of SECRETS_KEY ever signs a backup. */
function sealWith(secretsKey: Uint8Array): Hmac {
  const key = createHmac("sha256", secretsKey).update("sesame backup seal").digest();
  return createHmac("sha256", key);
}

/** The file is damaged or cut short: nothing of it may be used. */
export class DamagedBackup extends Error {
  override name = "DamagedBackup";
}

export type BackupWriter = {
  section(
    name: SectionName,
    fill: (write: (bytes: Buffer) => Promise<void>) => Promise<void>,
  ): Promise<void>;
  /** Only now does the file appear under its name, complete and on disk. */
  finish(): Promise<void>;
};

/** `secretsKey` seals the file: 32 bytes, needed again to restore it. */
export async function writeBackup(
  path: string,
  { header, secretsKey }: { header: Header; secretsKey: Uint8Array },
): Promise<BackupWriter> {
  const seal = sealWith(secretsKey);
  const draft = `${path}.draft`;
  const stream = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const written = pipeline(stream, createWriteStream(draft, { mode: 0o600 }));
  // A full disk shows at the next write or at the end, whichever comes first.
  written.catch((error: Error) => stream.destroy(error));
  const record = (kind: number, bytes: Buffer) => {
    seal.update(headOf(kind, bytes)).update(bytes);
    return writeRecord(stream, kind, bytes);
  };
  let sections = 0;
  await record(JSON_RECORD, json(header));
  return {
    async section(name, fill) {
      const hash = createHash("sha256");
      let bytes = 0;
      await record(JSON_RECORD, json(name));
      await fill(async (chunk) => {
        hash.update(chunk);
        bytes += chunk.length;
        await record(BYTES_RECORD, chunk);
      });
      const end: SectionEnd = { end: true, bytes, sha256: hash.digest("hex") };
      await record(JSON_RECORD, json(end));
      sections += 1;
    },
    async finish() {
      await record(JSON_RECORD, json({ complete: true, sections }));
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

/** `secretsKeys`: the key in force and those before it; one of them made the seal. */
export type SealedFile = { readonly path: string; readonly secretsKeys: readonly Uint8Array[] };

export type SectionReader = (
  name: SectionName,
  bytes: AsyncIterable<Buffer>,
) => Promise<void> | void;

/**
 * Reads a whole backup, section by section, and checks each sum and the seal. Throws `DamagedBackup`
 * when the file is not exactly what was written; so read once to check, and once more to use.
 */
export async function readBackup(
  { path, secretsKeys }: SealedFile,
  onHeader: (header: Header) => void,
  onSection: SectionReader,
): Promise<void> {
  const all = readRecords(path);
  const seals = secretsKeys.map(sealWith);
  const records = sealRecords(all, seals);
  const header = parse<Header>((await records.next()).value);
  if (header.format !== FORMAT) {
    throw new DamagedBackup("This is no backup of this version of Sésame");
  }
  onHeader(header);
  let sections = 0;
  for (;;) {
    const opening = parse<SectionName | { complete: true; sections: number }>(
      (await records.next()).value,
    );
    if ("complete" in opening) {
      if (opening.sections !== sections) throw new DamagedBackup("Sections are missing");
      requireSeal(parse<{ seal: string }>((await all.next()).value), seals);
      if (!(await all.next()).done) throw new DamagedBackup("There is more after the end");
      return;
    }
    await readSection(records, opening, onSection);
    sections += 1;
  }
}

/** Passes the records on, and adds each to the seals. */
async function* sealRecords(records: Records, seals: readonly Hmac[]): Records {
  for await (const { kind, bytes } of records) {
    for (const seal of seals) seal.update(headOf(kind, bytes)).update(bytes);
    yield { kind, bytes };
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

type Records = AsyncGenerator<BackupRecord, void>;
type BackupRecord = { kind: number; bytes: Buffer };

async function readSection(
  records: Records,
  name: SectionName,
  onSection: SectionReader,
): Promise<void> {
  const hash = createHash("sha256");
  let end: SectionEnd | null = null;
  async function* bytesOfSection(): AsyncGenerator<Buffer, void> {
    for (;;) {
      const { value } = await records.next();
      if (value?.kind !== BYTES_RECORD) {
        end = parse<SectionEnd>(value);
        const sum = hash.digest("hex");
        if (end.sha256 !== sum) throw new DamagedBackup(`Wrong sum in ${JSON.stringify(name)}`);
        return;
      }
      hash.update(value.bytes);
      yield value.bytes;
    }
  }
  const bytes = bytesOfSection();
  await onSection(name, bytes);
  // Whatever the reader left is read all the same, so that every sum is checked.
  while (end === null) await bytes.next();
}

async function* readRecords(path: string): Records {
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

function parse<T>(found: BackupRecord | undefined | void): T {
  if (!found || found.kind !== JSON_RECORD) throw new DamagedBackup("The file is cut short");
  try {
    return JSON.parse(found.bytes.toString()) as T;
  } catch {
    throw new DamagedBackup("A record is no JSON");
  }
}
