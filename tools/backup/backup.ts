import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { VERSION } from "../../apps/server/src/version.ts";
import {
  copyOut,
  copyOutStatement,
  migrationsOf,
  sequencesOf,
  settle,
  tablesOf,
} from "./tables.ts";
import { FORMAT, type Header, writeBackup } from "./format.ts";

export type BackupOptions = {
  url: string;
  imagesDir: string;
  file: string;
  /** Seals the file. */
  secretsKey: Uint8Array;
};
export type BackupReport = { tables: number; images: number };

/**
 * The whole database as of one instant, while it goes on working, and the images, in one file.
 * The images of a row in the snapshot were there before it and are never changed.
 */
export async function backup(options: BackupOptions): Promise<BackupReport> {
  const { url, imagesDir, file, secretsKey } = options;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await settle(client);
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const migrations = await migrationsOf(client);
    if (migrations.length === 0) throw new Error("This database holds nothing of Sésame.");
    const made_at = new Date().toISOString();
    const made_by = `${VERSION.version}, ${VERSION.commit}`;
    const header: Header = { format: FORMAT, made_at, made_by, migrations };
    const writer = await writeBackup(file, { header, secretsKey });
    const tables = await tablesOf(client);
    for (const table of tables) {
      await writer.section({ table: table.name, columns: table.columns }, (write) =>
        copyOut(client, copyOutStatement(table), write),
      );
    }
    // Sequences stand outside of snapshots: read last, they are never behind the rows.
    const sequences = await sequencesOf(client);
    await writer.section({ sequences: true }, (write) =>
      write(Buffer.from(JSON.stringify(sequences))),
    );
    const images = listFiles(imagesDir);
    for (const image of images) {
      await writer.section({ file: image }, (write) => write(readFileSync(join(imagesDir, image))));
    }
    await writer.finish();
    return { tables: tables.length, images: images.length };
  } finally {
    await client.end();
  }
}

/** A name with a dot is an image still being written, which no row speaks of yet. */
function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !path.startsWith("."))
    .sort();
}
