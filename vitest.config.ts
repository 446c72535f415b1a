import { availableParallelism } from "node:os";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";
import { rowTypes } from "./tools/vitest/row-types.ts";
import { NODE_TESTS, PROOFS, WEB_TESTS } from "./tools/testing/test-files.ts";

/**
 * Limits that a slow machine does not reach: they cost nothing when tests pass. Long proofs are
 * sampled unless LONG=1.
 */
const nodeLimits = {
  testTimeout: process.env.LONG === "1" ? 3_600_000 : 180_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
};
const webLimits = { ...nodeLimits, testTimeout: 60_000 };

/** One more than cores, for each waits now and then. At most eight: a database has 300 connections. */
const maxWorkers = Math.min(availableParallelism() + 1, 8);

const node = {
  pool: "threads" as const,
  // Nothing of the server lives in a module: files of one worker may share what they load.
  isolate: false,
  globalSetup: ["tools/postgres/test-database.ts"],
  setupFiles: ["tools/vitest/seed.ts", "tools/vitest/no-console-error.ts"],
  ...nodeLimits,
};

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        plugins: [rowTypes()],
        test: {
          ...node,
          name: "node",
          include: NODE_TESTS,
          exclude: ["apps/emulators/src/pages/**", ...PROOFS],
        },
      },
      {
        // They start and stop whole products.
        test: { ...node, name: "proofs", include: PROOFS, hookTimeout: 180_000 },
      },
      {
        plugins: [react()],
        test: {
          name: "web",
          pool: "threads",
          // The page is what takes long to make: `fresh-page.ts` empties it after each test.
          isolate: false,
          environment: "happy-dom",
          include: WEB_TESTS,
          setupFiles: ["apps/web/src/testing/fresh-page.ts", "tools/vitest/no-console-error.ts"],
          ...webLimits,
        },
      },
    ],
  },
});
