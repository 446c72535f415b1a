import { prepare } from "./launch/prepare.mjs";

/**
 * Every command of the project: its usage, its description and its function, which answers the exit
 * code, or nothing where the process goes on by itself. Plain JavaScript for Node 18, like
 * `prepare`.
 */
const COMMANDS = {
  start: {
    description: "runs the product: the demo with its three phones, or what the environment names",
    run: async () => (await import("./launch/product.ts")).runProduct(process.env),
  },
  dev: {
    description: "the same, and starts again what is changed",
    run: async () => (await import("./launch/product.ts")).runProduct(process.env, { watch: true }),
  },
  test: {
    usage: "[--only SUITE] [--seed N] [--external URL] [--related [COMMIT]]",
    description: "runs all tests; --related: those that a change since COMMIT (HEAD) can break",
    run: async (args) => (await import("./testing/suites.ts")).runSuites(args, process.env),
  },
  check: {
    usage: "[--changed [COMMIT]]",
    description:
      "format, types, lint, architecture, budget; --changed: of what changed since COMMIT (HEAD)",
    run: async (args) => (await import("./testing/checks.ts")).checkCommand(args),
  },
  long: {
    usage: "PROOF [--seed N] [--minutes M]",
    description:
      "runs a proof whole, where the gate takes a sample; for M minutes with ever other seeds",
    run: async (args) => (await import("./testing/long.ts")).runLong(args, process.env),
  },
  bench: {
    usage: "[NAME] [--against COMMIT]",
    description: "measures the server; --against: this version and that one by turns",
    run: async (args) => (await import("./bench/against.ts")).benchCommand(args),
  },
  "bench:web": {
    usage: "[acheteur] [vendeur]",
    description:
      "measures the pages on slow networks in a browser: the buyer's, the seller's, or both",
    run: async (args) => (await import("../bench/web/bench.ts")).benchWeb(args),
  },
  budget: {
    description: "writes into budget.json what has fallen",
    run: async () => (await import("./architecture/budget.ts")).lowerBudget(),
  },
  schema: {
    description: "raises the version of the database where its files have changed",
    run: async () => {
      const raised = await (await import("../database/schema.ts")).raiseVersion();
      console.log(`database/version.json ${raised ? "raised" : "is up to date"}`);
    },
  },
  photograph: {
    usage: "[NAME]",
    description: "photographs the screens whose names contain NAME",
    run: async ([name = ""]) => (await import("../e2e/photographs.ts")).takePhotographs(name),
  },
  picture: {
    description: "takes docs/three-phones.png",
    run: async () => (await import("../e2e/picture.ts")).takePicture(),
  },
  backup: {
    usage: "[FILE]",
    description: "writes the database and the pictures into one sealed file",
    run: async (args) => (await import("./administer.ts")).backupCommand(args, process.env),
  },
  restore: {
    usage: "FILE [--accept-faults]",
    description: "puts a backup into an empty database, the product being stopped",
    run: async (args) => (await import("./administer.ts")).restoreCommand(args, process.env),
  },
  jobs: {
    usage: "list [TOPIC] | retry TOPIC | retry ID | retry all",
    description:
      "shows jobs that failed or expired (job:12, update:seller:77), makes them due again",
    run: async (args) => (await import("./administer.ts")).jobsCommand(args, process.env),
  },
  "rotate-keys": {
    description: "puts what is kept secret under the SECRETS_KEY in force",
    run: async () => (await import("./administer.ts")).rotateKeysCommand(process.env),
  },
};

const helpOf = ([name, { usage = "", description }]) =>
  `  ${`${name} ${usage}`.trimEnd()}\n      ${description}`;

const [name = "--help", ...args] = process.argv.slice(2);
const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (command === undefined || args.includes("--help")) {
  const all = Object.entries(COMMANDS).filter(([each]) => command === undefined || each === name);
  console.log(
    ["node tools/sesame.mjs COMMAND …, or npm run COMMAND -- …", ...all.map(helpOf)].join("\n"),
  );
  process.exit(command === undefined && name !== "--help" ? 2 : 0);
}
// npm and our wrapper end at once by a signal that they do not pass on, and this process with them.
if (process.env.npm_lifecycle_event || process.env.SESAME_WRAPPED) {
  await import("./launch/stop-with-parent.mjs");
}
await prepare();
try {
  const code = await command.run(args);
  if (typeof code === "number") process.exit(code);
} catch (error) {
  // The person who administers an instance reads a sentence; a developer reads the place of the
  // error.
  console.error(
    ["backup", "restore", "jobs", "rotate-keys"].includes(name) ? error.message : error,
  );
  process.exit(1);
}
