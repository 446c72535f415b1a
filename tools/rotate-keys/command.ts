import { readSecretsKeys, readMode } from "../../apps/server/src/config.ts";
import { rotateKeys } from "../../apps/server/src/features/payment-accounts/keys.ts";
import { rotateSecrets } from "../../apps/server/src/features/developers/secrets.ts";
import { openDatabase } from "../../apps/server/src/postgres/database.ts";
import { createVault } from "../../apps/server/src/secrets/vault.ts";
import { withDatabase } from "../backup/command.ts";

/** `npm run rotate-keys`: works while the product runs. → the exit code: 1 when some are left. */
export async function rotateKeysCommand(env: NodeJS.ProcessEnv): Promise<number> {
  const production = readMode(env).mode === "production";
  let left = 0;
  await withDatabase(env, true, async ({ url, dataDir }) => {
    const keys = readSecretsKeys(env, { production, dataDir });
    const { secretsKey: current, previousSecretsKeys: previous } = keys;
    const vault = createVault({ current, previous });
    const database = openDatabase({ url, poolSize: 1 });
    try {
      const { rewritten, unreadable } = await rotateKeys(database.db, vault);
      const webhooks = await rotateSecrets(database.db, vault);
      left = unreadable.length + webhooks.unreadable.length;
      console.log(`${rewritten} sets of keys are now under the key ${vault.keyId}.`);
      if (webhooks.rewritten > 0) console.log(`${webhooks.rewritten} webhook secrets too.`);
      if (left === 0) console.log("None is under another: SECRETS_KEY_PREVIOUS can be taken away.");
      else {
        console.error(
          `${left} could not be opened and stay as they are: ${placesOf({ seller_keys: unreadable, webhook_endpoints: webhooks.unreadable })}. ` +
            "Give the key they are under in SECRETS_KEY_PREVIOUS and run this again.",
        );
      }
    } finally {
      await database.close();
    }
  });
  return left === 0 ? 0 : 1;
}

function placesOf(tables: Readonly<Record<string, readonly bigint[]>>): string {
  return Object.entries(tables)
    .filter(([, ids]) => ids.length > 0)
    .map(([table, ids]) => `${table} ${ids.join(", ")}`)
    .join("; ");
}
