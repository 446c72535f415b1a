import { availableParallelism } from "node:os";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Long proofs are sampled unless LONG=1. */
const testTimeout = process.env.LONG === "1" ? 3_600_000 : 60_000;

/**
 * One more than cores: a test file mostly waits for its database and servers, not for itself. At
 * most eight, because each has ports of its own (`free-port.ts`) and the database 300 connections.
 */
const maxWorkers = Math.min(availableParallelism() + 1, 8);

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          name: "node",
          pool: "threads",
          // Nothing of the server lives in a module: files of one worker may share what they load.
          isolate: false,
          include: [
            "packages/*/src/**/*.test.ts",
            "apps/{server,world}/src/**/*.test.ts",
            "apps/server/test/**/*.test.ts",
            "{tools,database}/**/*.test.ts",
          ],
          exclude: ["apps/world/src/pages/**"],
          globalSetup: ["tools/postgres/vitest-global-setup.ts"],
          setupFiles: ["tools/vitest/no-console-error.ts"],
          testTimeout,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [react()],
        test: {
          name: "web",
          pool: "threads",
          // The page is what takes long to make: `fresh-page.ts` empties it between two files.
          isolate: false,
          environment: "happy-dom",
          include: ["apps/web/src/**/*.test.{ts,tsx}", "apps/world/src/pages/**/*.test.{ts,tsx}"],
          setupFiles: ["apps/web/src/testing/fresh-page.ts", "tools/vitest/no-console-error.ts"],
          testTimeout: 15_000,
        },
      },
    ],
  },
});
