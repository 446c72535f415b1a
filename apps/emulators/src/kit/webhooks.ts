import { type WebhookMode, type WebhookView, NORMAL_WEBHOOKS } from "../wire.ts";
import { type Accounts, type Keys, MAIN } from "./accounts.ts";
import type { ProviderDeps } from "./provider.ts";

/** Webhooks that a provider has sent, or will send. */
export type SentWebhook = WebhookView & {
  /** The address; null: that of the provider's dashboard. */
  url: string | null;
  /** Exactly the bytes that are signed and sent. */
  body: string;
  /** The account whose secret signs it. */
  account: string;
  /** Signed with another secret. */
  forged: boolean;
};

export type WebhookBook = { webhooks: SentWebhook[]; nextWebhookId: number };

/** A provider's webhooks, for tests and the control panel. */
export type EmulatedWebhooks = ReturnType<typeof startWebhooks>["webhooks"];

/** The oldest finished ones are forgotten. */
const KEPT_WEBHOOKS = 400;

type Made = Pick<SentWebhook, "event" | "paymentId" | "body"> & {
  url?: string | null;
  account?: string;
};

function recordWebhook(
  book: WebhookBook,
  { url = null, account = MAIN, ...made }: Made & { forged: boolean },
  nowMs: number,
): SentWebhook {
  const id = book.nextWebhookId++;
  const fresh = { id, state: "held", tries: 0, lastAnswer: null, dueAtMs: nowMs } as const;
  const webhook: SentWebhook = { ...made, url, account, ...fresh };
  book.webhooks.push(webhook);
  if (book.webhooks.length > KEPT_WEBHOOKS) {
    const oldest = book.webhooks.findIndex(({ state: at }) => at !== "held" && at !== "sending");
    if (oldest >= 0) book.webhooks.splice(oldest, 1);
  }
  return webhook;
}

function webhookView(webhook: SentWebhook): WebhookView {
  const { id, event, paymentId, state, tries, lastAnswer, dueAtMs } = webhook;
  return { id, event, paymentId, state, tries, lastAnswer, dueAtMs };
}

type Spec = {
  book: WebhookBook;
  /** Pauses before each further try; after the last one it gives up. */
  pausesMs: readonly number[];
  /** Any 2xx by default. */
  accepts?(status: number): boolean;
  write?(content: object): string;
  gaveUp?(webhook: SentWebhook): void;
};

type Announced = Omit<Made, "body"> & { body: object | string };

/** Sends a webhook, as often and as late as it is set, and tries again until it is accepted. */
export function startWebhooks(
  { clock, scheduler, changed }: Pick<ProviderDeps, "clock" | "scheduler" | "changed">,
  spec: Spec & {
    /** Sends it once. → the answer's status, or why there is none */
    notify(webhook: SentWebhook): string | Promise<string>;
  },
) {
  const { book, pausesMs, write = JSON.stringify } = spec;
  const accepts = spec.accepts ?? ((status: number) => status >= 200 && status < 300);
  const mode: WebhookMode = { ...NORMAL_WEBHOOKS };
  const stop = new AbortController();
  const nowMs = () => clock.now().getTime();

  const attempt = (webhook: SentWebhook): void => {
    if (stop.signal.aborted || webhook.state === "sending") return;
    webhook.state = "sending";
    webhook.tries += 1;
    const answer = spec.notify(webhook);
    if (typeof answer === "string") answered(webhook, answer);
    else void answer.then((status) => answered(webhook, status));
  };
  const answered = (webhook: SentWebhook, answer: string) => {
    if (stop.signal.aborted) {
      // Its arrival is not known: the next start sends it again.
      webhook.state = "held";
      return;
    }
    webhook.lastAnswer = answer;
    const pauseMs = pausesMs[webhook.tries - 1];
    if (accepts(Number(answer))) webhook.state = "delivered";
    else if (pauseMs !== undefined) hold(webhook, nowMs() + pauseMs);
    else {
      webhook.state = "failed";
      spec.gaveUp?.(webhook);
    }
    changed();
  };
  const hold = (webhook: SentWebhook, dueAtMs: number) => {
    webhook.state = "held";
    webhook.dueAtMs = dueAtMs;
    scheduler.at(dueAtMs, () => {
      if (webhook.state === "held") attempt(webhook);
    });
  };
  const dispatch = (webhook: SentWebhook) => {
    if (mode.drop) webhook.state = "dropped";
    else if (mode.delayMs > 0) hold(webhook, nowMs() + mode.delayMs);
    else attempt(webhook);
  };
  for (const webhook of book.webhooks) {
    if (webhook.state === "held" || webhook.state === "sending") hold(webhook, webhook.dueAtMs);
  }
  const webhooks = {
    webhooks: mode,
    webhookViews: () => book.webhooks.map(webhookView),
    repeatWebhook(id: number): WebhookView | null {
      const past = book.webhooks.find((webhook) => webhook.id === id);
      if (past === undefined) return null;
      // Signed anew: only a fault of now forges it.
      const webhook = recordWebhook(book, { ...past, forged: mode.forgeSignature }, nowMs());
      attempt(webhook);
      changed();
      return webhookView(webhook);
    },
  };
  return {
    webhooks,
    stop,
    announce({ body: content, ...made }: Announced): void {
      const spaced = mode.unusualSpacing ? spacedOut : write;
      const body = typeof content === "string" ? content : spaced(content);
      for (let copy = 0; copy < Math.max(1, mode.copies); copy++) {
        dispatch(recordWebhook(book, { ...made, body, forged: mode.forgeSignature }, nowMs()));
      }
      changed();
    },
  };
}

/** What each provider's webhooks have of their own. */
export type WebhookSpec<K extends Keys> = Spec & {
  accounts: Accounts<K>;
  /** How long it waits for an answer; 10 s when absent. */
  timeoutMs?: number;
  /** The secret that proves an account's webhooks. */
  secret(keys: K): string;
  /** Made anew at each try: FedaPay also signs the time. */
  headers(body: string, secret: string, at: Date): Record<string, string>;
};

/** Sends a provider's webhooks and retries as that provider does. */
export function startWebhook<K extends Keys>(deps: ProviderDeps, spec: WebhookSpec<K>) {
  const { accounts } = spec;
  const { webhooks, announce, stop } = startWebhooks(deps, {
    ...spec,
    async notify({ account: id, body, forged, url: named }) {
      const account = accounts.get(id);
      const address = account?.webhookUrl ?? "";
      const secret = account === undefined ? "" : spec.secret(account.keys);
      try {
        const answer = await fetch(named ?? (id === MAIN ? address : deps.near(address)), {
          method: "POST",
          redirect: "manual",
          signal: AbortSignal.any([stop.signal, AbortSignal.timeout(spec.timeoutMs ?? 10_000)]),
          headers: {
            "content-type": "application/json",
            ...spec.headers(body, forged ? `${secret}-forged` : secret, deps.clock.now()),
          },
          body,
        });
        await answer.arrayBuffer();
        return String(answer.status);
      } catch (error) {
        const timedOut = error instanceof DOMException && error.name === "TimeoutError";
        return timedOut ? "timeout" : "no answer";
      }
    },
  });
  return {
    ...webhooks,
    /** Sent to its own address or the account's; without any, it is not sent. */
    announce(made: Announced) {
      if (made.url || accounts.get(made.account ?? MAIN)?.webhookUrl) announce(made);
    },
    close: () => stop.abort(),
  };
}

/** Spaces and escapes that mean the same: a slash with a backslash, a letter by its number. */
function spacedOut(content: object): string {
  const spaced = JSON.stringify(content, null, 3);
  const escaped = spaced.replaceAll("/", "\\/").replace(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return ` ${escaped}\n`;
}
