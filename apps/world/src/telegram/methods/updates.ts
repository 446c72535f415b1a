import { isLocalAddress } from "../addresses.ts";
import { ApiError, badRequest } from "../api-error.ts";
import type { Call } from "../access.ts";
import { DEFAULT_UPDATE_TYPES } from "../bot-api.ts";
import { type Polling, readAllowedUpdates } from "../polling.ts";
import type { Webhook } from "../state.ts";
import type { Town } from "../town.ts";
import type { WebhookSender } from "../webhooks.ts";
import { Described, type MethodTable } from "./table.ts";

const PORTS = ["443", "80", "88", "8443"];
const CONNECTIONS_DEFAULT = 40;

export function updateMethods(polling: Polling, webhooks: WebhookSender): MethodTable {
  const drop = (call: Call) => {
    if (call.args.boolean("drop_pending_updates")) call.bot.queue = [];
  };
  const remove = (town: Town, call: Call): Described => {
    drop(call);
    const was = call.bot.webhook;
    call.bot.webhook = null;
    town.changed();
    return new Described(true, was === null ? "Webhook is already deleted" : "Webhook was deleted");
  };
  return {
    getUpdates: (_town, call) => polling.getUpdates(call),
    deleteWebhook: remove,
    setWebhook(town, call) {
      if (call.args.text("url") === "") return remove(town, call);
      checkPace(town, call);
      const webhook = readWebhook(town, call);
      readAllowedUpdates(call);
      drop(call);
      const same = call.bot.webhook?.url === webhook.url;
      polling.endByWebhook(call.bot);
      call.bot.webhook = webhook;
      town.changed();
      webhooks.pump(call.bot);
      return new Described(true, same ? "Webhook is already set" : "Webhook was set");
    },
    getWebhookInfo(_town, { bot }) {
      const { webhook } = bot;
      const filter = isDefault(bot.allowedUpdates) ? {} : { allowed_updates: bot.allowedUpdates };
      const base = {
        url: webhook?.url ?? "",
        has_custom_certificate: false,
        pending_update_count: bot.queue.length,
        ...filter,
      };
      if (webhook === null) return base;
      return {
        ...base,
        max_connections: webhook.maxConnections,
        ...(webhook.ipAddress === null ? {} : { ip_address: webhook.ipAddress }),
        ...(webhook.lastErrorAtMs === null
          ? {}
          : {
              last_error_date: Math.floor(webhook.lastErrorAtMs / 1000),
              last_error_message: webhook.lastErrorMessage ?? "",
            }),
      };
    },
  };
}

/** More than one setWebhook a second is too many. */
function checkPace(town: Town, { bot }: Call): void {
  const sinceMs = town.clock.now().getTime() - (bot.webhook?.setAtMs ?? Number.NEGATIVE_INFINITY);
  if (sinceMs >= 0 && sinceMs < 1_000) {
    throw new ApiError(429, "Too Many Requests: retry after 1", { retry_after: 1 });
  }
}

function readWebhook(town: Town, { args }: Call): Webhook {
  const address = args.text("url");
  const bad = (reason: string) => badRequest(`bad webhook: ${reason}`);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null) throw bad("invalid URL specified");
  const local = isLocalAddress(url.hostname) && town.settings.allowLocalAddresses;
  if (!local) {
    if (url.protocol !== "https:") throw bad("An HTTPS URL must be provided for webhook");
    if (url.port !== "" && !PORTS.includes(url.port)) {
      throw bad("Webhook can be set up only on ports 80, 88, 443 or 8443");
    }
    if (isLocalAddress(url.hostname)) {
      throw bad("IP address 127.0.0.1 is reserved");
    }
  }
  const secret = args.text("secret_token");
  if (secret.length > 256) throw badRequest("secret token is too long");
  if (secret !== "" && !/^[\w-]+$/.test(secret)) {
    throw badRequest("secret token contains unallowed characters");
  }
  const connections = args.has("max_connections") ? args.integer("max_connections") : 0;
  return {
    url: address,
    secretToken: secret === "" ? null : secret,
    maxConnections: connections > 0 ? Math.min(100, connections) : CONNECTIONS_DEFAULT,
    ipAddress: args.text("ip_address") === "" ? null : args.text("ip_address"),
    setAtMs: town.clock.now().getTime(),
    lastErrorAtMs: null,
    lastErrorMessage: null,
    goneSinceMs: null,
  };
}

function isDefault(types: readonly string[]): boolean {
  return (
    types.length === DEFAULT_UPDATE_TYPES.length &&
    DEFAULT_UPDATE_TYPES.every((type) => types.includes(type))
  );
}
