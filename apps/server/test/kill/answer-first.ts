import { openWebhookServer } from "../webhook-server.ts";

/**
 * The mutant that the kill test must detect: the real route and batcher, but a webhook is answered
 * 200 first and written later. Run as a program, instead of `main.ts`.
 */
await openWebhookServer({
  asking: false,
  batcher: (real) => ({
    submit(webhook) {
      real.submit(webhook).catch(() => {});
      return Promise.resolve();
    },
  }),
});
