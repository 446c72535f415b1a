import { createAppButton } from "./bot/app-button.ts";
import type { Features, Ground } from "./compose-features.ts";
import { createDevelopers, type Developers } from "./features/developers/index.ts";
import { refuseCapability } from "./features/plans/index.ts";
import { createResolve } from "./outgoing/post.ts";
import { createVault } from "./secrets/vault.ts";

/** What sellers' own programs read, and what is told to them. */
export function composeDevelopers(
  { config, db, clock, chance }: Ground,
  { shelf, reports }: { shelf: Features["catalogue"]; reports: Features["reports"] },
): Developers {
  const { secretsKey: current, previousSecretsKeys: previous } = config;
  return createDevelopers({
    db,
    clock,
    chance,
    shelf,
    reports,
    refuseCapability,
    vault: createVault({ current, previous }),
    appButton: createAppButton(config),
    resolve: createResolve(),
    loopback: config.demo,
  });
}
