import { openNoticeDoor } from "../apps/server/test/notice-door.ts";

/** `node bench/notice-server.ts real|bare|worker`: bare checks the signature and writes nothing. */
const kind = process.argv[2];
await openNoticeDoor({
  asking: kind === "worker",
  batcher: (real) => (kind === "bare" ? { submit: async () => {} } : real),
});
