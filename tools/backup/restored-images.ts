import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DamagedBackup } from "./format.ts";

/** `{folder}/{file}`, as the server keeps pictures: no dot first, nothing that climbs. */
const NAME = /^[A-Za-z0-9_-]{1,64}(\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}){1,2}$/;
/** An upload is 5 MB at most, and what is kept of it is smaller. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;

/** Pictures of a backup, kept aside until its rows are committed. */
export type RestoredImages = {
  keep(name: string, bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Puts them where the server reads them. → how many */
  publish(): number;
  /** Leaves nothing of them. */
  discard(): void;
};

export function restoreImages(imagesDir: string): RestoredImages {
  mkdirSync(dirname(imagesDir), { recursive: true });
  const aside = mkdtempSync(`${imagesDir}.restoring-`);
  let count = 0;
  return {
    async keep(name, bytes) {
      if (!NAME.test(name)) throw new DamagedBackup(`Odd name: ${name}`);
      const path = join(aside, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, await gather(bytes, FILE_BYTES_MAX), { flag: "wx" });
      count += 1;
    },
    publish() {
      mkdirSync(imagesDir, { recursive: true });
      for (const folder of readdirSync(aside)) {
        rmSync(join(imagesDir, folder), { recursive: true, force: true });
        renameSync(join(aside, folder), join(imagesDir, folder));
      }
      rmSync(aside, { recursive: true });
      return count;
    },
    discard: () => rmSync(aside, { recursive: true, force: true }),
  };
}

/** All of a section that is small; a longer one is no backup of ours. */
export async function gather(bytes: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const batches: Buffer[] = [];
  let size = 0;
  for await (const batch of bytes) {
    size += batch.length;
    if (size > bytesMax) throw new DamagedBackup(`A section of more than ${bytesMax} bytes`);
    batches.push(batch);
  }
  return Buffer.concat(batches);
}
