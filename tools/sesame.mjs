import { prepare, ROOT, runUnder } from "./launch/prepare.mjs";

const WEB = ["src", "home-picture.ts", "index.html", "service-worker.ts", "vite.config.ts"];
const WATCHED = ["apps/server/src", "packages", "database"].concat(
  WEB.map((path) => `apps/web/${path}`),
  ["src", "vite.config.ts"].map((path) => `apps/emulators/${path}`),
);

const USAGE = `node tools/sesame.mjs COMMAND …, or npm run COMMAND -- …
  start
      runs the product: the demo with its three phones, or what the environment names
  dev
      the same, and starts it again when one of its files changes
  test [--only SUITE] [--seed N] [--external URL] [--related [COMMIT]]
      runs all tests; --related: those that a change since COMMIT (HEAD) can break
  check [--changed [COMMIT]]
      format, types, lint, architecture, budget; --changed: of what changed since COMMIT (HEAD)
  long PROOF [--seed N] [--minutes M]
      runs a proof whole, where the gate takes a sample; for M minutes with ever other seeds
  bench [NAME] [--against COMMIT]
      measures the server; --against: this version and that one by turns
  bench:web [acheteur] [vendeur]
      measures the pages on slow networks in a browser: the buyer's, the seller's, or both
  budget
      writes into budget.json what has fallen
  schema
      raises the version of the database where its files have changed
  photograph [NAME]
      photographs the screens whose names contain NAME
  picture
      takes docs/three-phones.png
  backup [FILE]
      writes the database and the pictures into one sealed file
  restore FILE [--accept-faults]
      puts a backup into an empty database, the product being stopped
  jobs list [TOPIC] | retry TOPIC | retry ID | retry all
      shows jobs that failed or expired (job:12, update:seller:77), makes them due again
  rotate-keys
      puts what is kept secret under the SECRETS_KEY in force`;

const { env } = process;

/**
 * The function of each command, which answers the exit code, or nothing where the process goes on by
 * itself. Plain JavaScript for Node 18, like `prepare`.
 */
const COMMANDS = {
  start: async () => (await import("./launch/product.ts")).runProduct(env),
  dev: () =>
    runUnder(process.execPath, [
      "--watch-preserve-output",
      ...WATCHED.map((path) => `--watch-path=${ROOT}/${path}`),
      `${ROOT}/tools/sesame.mjs`,
      "start",
    ]),
  test: async (args) => (await import("./testing/suites.ts")).runSuites(args, env),
  check: async (args) => (await import("./testing/checks.ts")).checkCommand(args),
  long: async (args) => (await import("./testing/long.ts")).runLong(args, env),
  bench: async (args) => (await import("./bench/against.ts")).benchCommand(args),
  "bench:web": async (args) => (await import("../bench/web/bench.ts")).benchWeb(args),
  budget: async () => (await import("./architecture/budget.ts")).lowerBudget(),
  schema: async () => {
    const raised = await (await import("../database/schema.ts")).raiseVersion();
    console.log(`database/version.json ${raised ? "raised" : "is up to date"}`);
  },
  photograph: async ([name = ""]) => (await import("../e2e/photographs.ts")).takePhotographs(name),
  picture: async () => (await import("../e2e/picture.ts")).takePicture(),
  backup: async (args) => (await import("./administer.ts")).backupCommand(args, env),
  restore: async (args) => (await import("./administer.ts")).restoreCommand(args, env),
  jobs: async (args) => (await import("./administer.ts")).jobsCommand(args, env),
  "rotate-keys": async () => (await import("./administer.ts")).rotateKeysCommand(env),
};

const [name = "--help", ...args] = process.argv.slice(2);
const run = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (run === undefined || args.includes("--help")) {
  const [head, ...entries] = USAGE.split(/\n(?= {2}\w)/);
  const shown = entries.filter((entry) => !run || entry.trim().split(/\s/)[0] === name);
  console.log([head, ...shown].join("\n"));
  process.exit(run === undefined && name !== "--help" ? 2 : 0);
}
// npm and our wrapper end at once by a signal that they do not pass on, and this process with them.
if (env.npm_lifecycle_event || env.SESAME_WRAPPED) {
  await import("./launch/stop-with-parent.mjs");
}
await prepare();
try {
  const code = await run(args);
  if (typeof code === "number") process.exit(code);
} catch (error) {
  // The person who administers an instance reads a sentence; a developer reads the place of the
  // error.
  const isAdministration = ["backup", "restore", "jobs", "rotate-keys"].includes(name);
  console.error(isAdministration ? error.message : error);
  process.exit(1);
}
