import { openNoticeDoor } from "../notice-door.ts";

/**
 * The mutant the kill test must catch: the real route and batcher, but a notice is answered 200
 * first and written later. Run as a program, in place of `main.ts`.
 */
await openNoticeDoor({
  asking: false,
  batcher: (real) => ({
    submit(notice) {
      real.submit(notice).catch(() => {});
      return Promise.resolve();
    },
  }),
});
