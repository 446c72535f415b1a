import { prepare, ROOT, runUnder } from "./launch/prepare.mjs";

const WATCHED = [
  ...["apps/server/src", "apps/emulators/src", "apps/web/src", "packages", "database"],
  ...["index.html", "service-worker.ts", "vite.config.ts"].map((file) => `apps/web/${file}`),
];

/**
 * Every command of the project: its usage, what it does, and its function, which answers the exit
 * code, or nothing where the process goes on by itself. Plain JavaScript for Node 18, like
 * `prepare`.
 */
const COMMANDS = {
  start: [
    "runs the product: the demo with its three phones, or what the environment names",
    async () => (await import("./launch/product.ts")).runProduct(process.env),
  ],
  dev: [
    "the same, and starts it again when one of its files changes",
    () =>
      runUnder(process.execPath, [
        "--watch-preserve-output",
        ...WATCHED.map((path) => `--watch-path=${ROOT}/${path}`),
        `${ROOT}/tools/sesame.mjs`,
        "start",
      ]),
  ],
  "test [--only SUITE] [--seed N] [--external URL] [--related [COMMIT]]": [
    "runs all tests; --related: those that a change since COMMIT (HEAD) can break",
    async (args) => (await import("./testing/suites.ts")).runSuites(args, process.env),
  ],
  "check [--changed [COMMIT]]": [
    "format, types, lint, architecture, budget; --changed: of what changed since COMMIT (HEAD)",
    async (args) => (await import("./testing/checks.ts")).checkCommand(args),
  ],
  "long PROOF [--seed N] [--minutes M]": [
    "runs a proof whole, where the gate takes a sample; for M minutes with ever other seeds",
    async (args) => (await import("./testing/long.ts")).runLong(args, process.env),
  ],
  "bench [NAME] [--against COMMIT]": [
    "measures the server; --against: this version and that one by turns",
    async (args) => (await import("./bench/against.ts")).benchCommand(args),
  ],
  "bench:web [acheteur] [vendeur]": [
    "measures the pages on slow networks in a browser: the buyer's, the seller's, or both",
    async (args) => (await import("../bench/web/bench.ts")).benchWeb(args),
  ],
  budget: [
    "writes into budget.json what has fallen",
    async () => (await import("./architecture/budget.ts")).lowerBudget(),
  ],
  schema: [
    "raises the version of the database where its files have changed",
    async () => {
      const raised = await (await import("../database/schema.ts")).raiseVersion();
      console.log(`database/version.json ${raised ? "raised" : "is up to date"}`);
    },
  ],
  "photograph [NAME]": [
    "photographs the screens whose names contain NAME",
    async ([name = ""]) => (await import("../e2e/photographs.ts")).takePhotographs(name),
  ],
  picture: [
    "takes docs/three-phones.png",
    async () => (await import("../e2e/picture.ts")).takePicture(),
  ],
  "backup [FILE]": [
    "writes the database and the pictures into one sealed file",
    async (args) => (await import("./administer.ts")).backupCommand(args, process.env),
  ],
  "restore FILE [--accept-faults]": [
    "puts a backup into an empty database, the product being stopped",
    async (args) => (await import("./administer.ts")).restoreCommand(args, process.env),
  ],
  "jobs list [TOPIC] | retry TOPIC | retry ID | retry all": [
    "shows jobs that failed or expired (job:12, update:seller:77), makes them due again",
    async (args) => (await import("./administer.ts")).jobsCommand(args, process.env),
  ],
  "rotate-keys": [
    "puts what is kept secret under the SECRETS_KEY in force",
    async () => (await import("./administer.ts")).rotateKeysCommand(process.env),
  ],
};

const [name = "--help", ...args] = process.argv.slice(2);
const all = Object.entries(COMMANDS);
const command = all.find(([usage]) => usage.split(" ")[0] === name);
if (command === undefined || args.includes("--help")) {
  console.log("node tools/sesame.mjs COMMAND …, or npm run COMMAND -- …");
  for (const [usage, [description]] of command ? [command] : all) {
    console.log(`  ${usage}\n      ${description}`);
  }
  process.exit(command === undefined && name !== "--help" ? 2 : 0);
}
// npm and our wrapper end at once by a signal that they do not pass on, and this process with them.
if (process.env.npm_lifecycle_event || process.env.SESAME_WRAPPED) {
  await import("./launch/stop-with-parent.mjs");
}
await prepare();
try {
  const [, [, run]] = command;
  const code = await run(args);
  if (typeof code === "number") process.exit(code);
} catch (error) {
  // The person who administers an instance reads a sentence; a developer reads the place of the
  // error.
  console.error(
    ["backup", "restore", "jobs", "rotate-keys"].includes(name) ? error.message : error,
  );
  process.exit(1);
}
