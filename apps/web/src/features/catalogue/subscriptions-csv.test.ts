import { expect, test } from "vitest";
import { exampleSubscription } from "../../testing/wire-examples.ts";
import { subscriptionsCsv } from "./subscriptions.tsx";

test("a name cannot become a formula, nor end its cell", () => {
  const row = exampleSubscription({ nomClient: '=HYPERLINK("x")', dateRenouvellement: null });
  const text = subscriptionsCsv([row]);
  expect(text).toContain(`"'=HYPERLINK(""x"")"`);
  expect(text.trimEnd().split("\r\n")).toHaveLength(2);
});
