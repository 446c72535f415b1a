import { dirname, delimiter } from "node:path";

/**
 * The only variables of a machine that reach the suites. No other one — of bots, databases (PG*), a
 * proxy, npm, Node, colours, a zone or a language — can change a result.
 */
const LET_THROUGH = ["HOME", "TMPDIR", "LD_LIBRARY_PATH"];

/**
 * Variables that libraries and tools read, the same on each machine. As in CI, no missing snapshot
 * is written.
 */
const FIXED = { CI: "1", LANG: "C.UTF-8", TZ: "UTC" };

/**
 * The most distant zone, and a language with other letters (the Turkish i): mistakes show there.
 */
export const ELSEWHERE = {
  TZ: "Pacific/Kiritimati",
  LANG: "tr_TR.UTF-8",
  LC_ALL: "tr_TR.UTF-8",
} as const;

/** The environment of a suite, made from that of the command. */
export function environmentOfSuites(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of LET_THROUGH) if (env[name]) kept[name] = env[name];
  // A program that starts `node` finds the project's Node, whatever else the machine has.
  const path = [dirname(process.execPath), env["PATH"] || "/usr/local/bin:/usr/bin:/bin"];
  return { ...kept, ...FIXED, PATH: path.join(delimiter) };
}

/** From here on this process, and each program that it starts, has only these variables. */
export function forgetTheMachine(known: Record<string, string>): void {
  for (const name of Object.keys(process.env)) if (!(name in known)) delete process.env[name];
  Object.assign(process.env, known);
  // With a closed umask the database's account could not read what the tests write.
  process.umask(0o022);
}
