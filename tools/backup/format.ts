import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, renameSync } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress, type ZstdCompress } from "node:zlib";

/**
 * A backup is one zstd stream of records: a kind (one byte), a length (four), then as many bytes.
 * A section opens with a JSON record that names it, goes on with its bytes, and ends with their
 * sum; the last record says how many sections there are.
 */
export type Header = { format: "sesame-backup-1"; made_at: string; migrations: string[] };
export type SectionName =
  | { table: string; columns: string[] }
  | { sequences: true }
  | { file: string };
export type SectionEnd = { end: true; bytes: number; sha256: string };

const JSON_RECORD = 0x4a;
const BYTES_RECORD = 0x42;
const MAX_RECORD_BYTES = 64 * 1024 * 1024;

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

export async function writeBackup(path: string, header: Header): Promise<BackupWriter> {
  const draft = `${path}.draft`;
  const stream = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  const written = pipeline(stream, createWriteStream(draft, { mode: 0o600 }));
  // A full disk shows at the next write or at the end, whichever comes first.
  written.catch((error: Error) => stream.destroy(error));
  let sections = 0;
  await record(stream, JSON_RECORD, json(header));
  return {
    async section(name, fill) {
      const hash = createHash("sha256");
      let bytes = 0;
      await record(stream, JSON_RECORD, json(name));
      await fill(async (chunk) => {
        hash.update(chunk);
        bytes += chunk.length;
        await record(stream, BYTES_RECORD, chunk);
      });
      const end: SectionEnd = { end: true, bytes, sha256: hash.digest("hex") };
      await record(stream, JSON_RECORD, json(end));
      sections += 1;
    },
    async finish() {
      await record(stream, JSON_RECORD, json({ complete: true, sections }));
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

async function record(stream: ZstdCompress, kind: number, bytes: Buffer): Promise<void> {
  const head = Buffer.alloc(5);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(bytes.length, 1);
  stream.write(head);
  if (!stream.write(bytes)) await once(stream, "drain");
}

export type SectionReader = (
  name: SectionName,
  bytes: AsyncIterable<Buffer>,
) => Promise<void> | void;

/**
 * Reads a whole backup, section by section, and checks each sum. Throws `DamagedBackup` when the
 * file is not exactly what was written; so read once to check, and once more to use.
 */
export async function readBackup(
  path: string,
  onHeader: (header: Header) => void,
  onSection: SectionReader,
): Promise<void> {
  const records = readRecords(path);
  const header = parse<Header>((await records.next()).value);
  if (header.format !== "sesame-backup-1") throw new DamagedBackup("This is no backup of Sésame");
  onHeader(header);
  let sections = 0;
  for (;;) {
    const opening = parse<SectionName | { complete: true; sections: number }>(
      (await records.next()).value,
    );
    if ("complete" in opening) {
      if (opening.sections !== sections) throw new DamagedBackup("Sections are missing");
      if (!(await records.next()).done) throw new DamagedBackup("There is more after the end");
      return;
    }
    await readSection(records, opening, onSection);
    sections += 1;
  }
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
