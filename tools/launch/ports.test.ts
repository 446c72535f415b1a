import { afterEach, expect, test, vi } from "vitest";
import { findFreePorts } from "./ports.ts";

afterEach(() => vi.restoreAllMocks());

test("a port that was found is not found again, although nothing listens there yet", async () => {
  const random = vi.spyOn(Math, "random");
  const first = await findFreePorts(1);
  const drawn = random.mock.results.at(-1)?.value as number;
  random.mockReturnValueOnce(drawn);
  expect(await findFreePorts(1)).not.toBe(first);
});
