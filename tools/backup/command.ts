import { mkdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readMode, readSecretsKeys } from "../../apps/server/src/config.ts";
import { startEmbeddedPostgres } from "../postgres/embedded.ts";
import { backup } from "./backup.ts";
import { restore } from "./restore.ts";

/** `npm run backup [-- FILE]`: works while the product runs, and when it does not. */
export async function backupCommand(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const stamp = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const file = resolve(args[0] ?? join("backups", `sesame-${stamp}.backup`));
  mkdirSync(dirname(file), { recursive: true });
  await withDatabase(env, true, async ({ url, dataDir }) => {
    const { secretsKey } = readSecretsKeys(env, { production: isProduction(env), dataDir });
    const report = await backup({ url, imagesDir: join(dataDir, "images"), file, secretsKey });
    console.log(`${file}: ${report.tables} tables, ${report.images} images`);
    console.log(
      "Keep SECRETS_KEY (or DATA_DIR/secrets.key) apart: it is not in the file, seals it,",
    );
    console.log("and is needed to restore it.");
  });
}

/** `npm run restore -- FILE`: into an empty database, the product being stopped. */
export async function restoreCommand(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const acceptFaults = args.includes("--accept-faults");
  const file = args.find((argument) => !argument.startsWith("--"));
  if (file === undefined) throw new Error("Which file? npm run restore -- FILE");
  await withDatabase(env, false, async ({ url, dataDir }) => {
    const imagesDir = join(dataDir, "images");
    const keys = readSecretsKeys(env, { production: isProduction(env), dataDir });
    const secretsKeys = [keys.secretsKey, ...keys.previousSecretsKeys];
    const report = await restore({
      url,
      imagesDir,
      file: resolve(file),
      secretsKeys,
      acceptFaults,
    });
    console.log(
      `Restored as of ${report.madeAt}: ${report.tables} tables, ${report.images} images. ` +
        "The seal fits and every sum is right.",
    );
    if (report.faults.length === 0) console.log("The books and the audit log are whole.");
    else console.error(`Faults that the backup had:\n  ${report.faults.join("\n  ")}`);
  });
}

const isProduction = (env: NodeJS.ProcessEnv) => readMode(env).mode === "production";

type Place = { url: string; dataDir: string };

export async function withDatabase(
  env: NodeJS.ProcessEnv,
  share: boolean,
  work: (place: Place) => Promise<void>,
): Promise<void> {
  const dataDir = resolve(env.DATA_DIR || "./data");
  if (env.DATABASE_URL) return work({ url: env.DATABASE_URL, dataDir });
  const database = await startEmbeddedPostgres({ dataDir, share });
  try {
    await work(database);
  } finally {
    await database.stop();
  }
}
