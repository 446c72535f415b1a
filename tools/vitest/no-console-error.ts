import { beforeEach } from "vitest";

/**
 * An unexpected console.error is a failure: React and the servers report real mistakes there. A
 * test that expects one replaces `console.error` for its duration.
 */
beforeEach(() => {
  const original = console.error;
  const unexpected: unknown[][] = [];
  console.error = (...words: unknown[]) => {
    unexpected.push(words);
    original(...words);
  };
  return () => {
    console.error = original;
    if (unexpected.length === 0) return;
    const first = unexpected[0]?.map(String).join(" ");
    throw new Error(`console.error was called ${unexpected.length} times, first: ${first}`);
  };
});
