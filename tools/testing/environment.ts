import { dirname, delimiter } from "node:path";

/**
 * The only variables of a machine that reach the suites. Whatever else it says — about bots,
 * databases (PG*), a proxy, npm, Node, colours, a zone or a language — cannot change a result.
 */
const LET_THROUGH = ["HOME", "TMPDIR", "LD_LIBRARY_PATH"];

/** What libraries and tools read, the same on each machine. As in CI, nothing missing is written. */
const FIXED = { CI: "1", LANG: "C.UTF-8", TZ: "UTC" };

/** Where a mistake with zones, or with letters (the Turkish i), shows: the furthest of all. */
export const ELSEWHERE = {
  TZ: "Pacific/Kiritimati",
  LANG: "tr_TR.UTF-8",
  LC_ALL: "tr_TR.UTF-8",
} as const;

/** The environment of a suite, made from that of the command. */
export function environmentOfSuites(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept = LET_THROUGH.flatMap((name) => {
    const value = env[name];
    return value === undefined || value === "" ? [] : [[name, value] as const];
  });
  // A program that asks for `node` finds ours, whatever else the machine has of that name.
  const path = [dirname(process.execPath), env["PATH"] || "/usr/local/bin:/usr/bin:/bin"];
  return { ...Object.fromEntries(kept), ...FIXED, PATH: path.join(delimiter) };
}

/** From here on this process, and what it starts without saying otherwise, knows nothing else. */
export function forgetTheMachine(known: Record<string, string>): void {
  for (const name of Object.keys(process.env)) {
    if (!(name in known)) delete process.env[name];
  }
  Object.assign(process.env, known);
  // A closed umask would hide what the tests write from the account of their database.
  process.umask(0o022);
}
