import { type DecidedMode, decideMode, isLoopbackUrl } from "@sesame/kernel";
import { ConfigError, type Environment } from "./config-values.ts";

/**
 * The mode of a server process. `SESAME_DEMO` is set by the launcher beside the emulators; a process
 * that is not plainly on loopback is production whatever it says, and production refuses the demo
 * and an injected clock.
 */
export function readMode(env: Environment): DecidedMode {
  const emulated = env["SESAME_DEMO"] === "1";
  const decided = decideMode({
    nodeEnv: env["NODE_ENV"],
    publicUrl: env["PUBLIC_URL"],
    host: env["HOST"],
    emulated,
  });
  if (decided.mode !== "production") return decided;
  if (emulated) throw new ConfigError(`SESAME_DEMO: no demo in production (${decided.because})`);
  if (env["CLOCK_URL"]) {
    throw new ConfigError(`CLOCK_URL: no injected clock in production (${decided.because})`);
  }
  return decided;
}

/** Server-sent events that move the clock: from this machine alone. */
export function readClockUrl(env: Environment): string | null {
  const url = env["CLOCK_URL"];
  if (!url) return null;
  if (!isLoopbackUrl(url)) throw new ConfigError("CLOCK_URL: only on loopback");
  return url;
}

/** The addresses that a demo process would call: all of them on this machine. */
export function requireEmulatedParties(
  { mode }: DecidedMode,
  roots: Readonly<Record<string, string | undefined>>,
): void {
  if (mode !== "demo") return;
  for (const [name, root] of Object.entries(roots)) {
    if (root === undefined || isLoopbackUrl(root)) continue;
    throw new ConfigError(`${name}: SESAME_DEMO needs every party on loopback`);
  }
}
