import type { AdjustableClock } from "@sesame/kernel";

export type ClockFollower = { close(): void };

const RETRY_MS = 500;

/**
 * Follows a clock told by server-sent events: `data: {"offset_ms": 60000}`, the distance to the
 * machine's clock in milliseconds. Resolves once the first distance is known. Demo and tests only.
 */
export async function followClock(url: string, clock: AdjustableClock): Promise<ClockFollower> {
  const abort = new AbortController();
  await new Promise<void>((resolve, reject) => {
    const follow = async (): Promise<void> => {
      const response = await fetch(url, { signal: abort.signal });
      if (!response.ok || !response.body) throw new Error(`the clock answered ${response.status}`);
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of response.body) {
        text += decoder.decode(chunk, { stream: true });
        const lines = text.split("\n");
        text = lines.pop() ?? "";
        for (const line of lines) {
          const offset = readOffset(line);
          if (offset === null) continue;
          clock.setOffset(offset);
          resolve();
        }
      }
    };
    const again = (error: unknown): void => {
      if (abort.signal.aborted) return;
      reject(error);
      setTimeout(() => void follow().then(() => again(null), again), RETRY_MS).unref();
    };
    follow().then(() => again(new Error("the clock fell silent")), again);
  });
  return { close: () => abort.abort() };
}

function readOffset(line: string): number | null {
  const match = /^data:\s*\{.*"offset_ms"\s*:\s*(-?\d+)/.exec(line);
  return match?.[1] ? Number(match[1]) : null;
}
