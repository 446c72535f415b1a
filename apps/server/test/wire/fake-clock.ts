import type { ServerResponse } from "node:http";

/** A clock told by server-sent events, as the server follows one outside production. */
export type FakeClock = {
  now(): Date;
  advance(ms: number): void;
  listen(response: ServerResponse): void;
};

export function createFakeClock(): FakeClock {
  let offsetMs = 0;
  const listeners = new Set<ServerResponse>();
  const tell = (response: ServerResponse) =>
    response.write(`data: ${JSON.stringify({ offset_ms: offsetMs })}\n\n`);
  return {
    now: () => new Date(Date.now() + offsetMs),
    advance(ms) {
      offsetMs += ms;
      for (const response of listeners) tell(response);
    },
    listen(response) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
      tell(response);
    },
  };
}
