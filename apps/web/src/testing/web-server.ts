import { vi } from "vitest";

export type Asked = {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
};

export type Answer = { readonly status: number; readonly body: unknown } | "silence";

export const ok = (body: unknown): Answer => ({ status: 200, body });
export const good = (body: object): Answer => ok({ success: true, ...body });

/**
 * The network as a page sees it: answers each call by `answer`, and records the calls. `silence` is a
 * connection that fails; `no end` one that stays open until the page gives it up; a promise, one whose
 * answer comes when the test says.
 */
export function answerCalls(
  answer: (asked: Asked) => Answer | "no end" | Promise<Answer>,
): Asked[] {
  const log: Asked[] = [];
  vi.stubGlobal("fetch", async (path: string, init: RequestInit = {}) => {
    const asked: Asked = {
      method: init.method ?? "GET",
      path,
      headers: new Headers(init.headers),
      body: typeof init.body === "string" ? JSON.parse(init.body) : init.body,
    };
    log.push(asked);
    const said = await answer(asked);
    if (said === "silence") throw new TypeError("failed to fetch");
    if (said === "no end") {
      return new Promise<Response>((_resolve, reject) => {
        init.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    }
    return new Response(JSON.stringify(said.body), { status: said.status });
  });
  return log;
}

/** The phone has no network until it comes back. */
export function goOffline(): { comeBack(): void } {
  const network = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  return {
    comeBack() {
      network.mockReturnValue(true);
      window.dispatchEvent(new Event("online"));
    },
  };
}

export const posts = (log: readonly Asked[]) => log.filter(({ method }) => method === "POST");
export const writes = (log: readonly Asked[]) => log.filter(({ method }) => method !== "GET");
