import { developersCopy } from "../messages.fr.ts";

const copy = developersCopy.deliveries;

type Outcome = {
  readonly status_code: number | null;
  readonly failure: string | null;
  readonly duration_ms: number;
};

/** "200 · 85 ms", or why nobody answered. */
export function sayOutcome({ status_code: status, failure, duration_ms: ms }: Outcome): string {
  if (status !== null) return `${status} · ${copy.milliseconds(ms)}`;
  return (failure !== null && copy.failures[failure]) || copy.status.failed;
}
