import { createHash } from "node:crypto";
import type { FastifyHelmetOptions } from "@fastify/helmet";
import { assert } from "@sesame/kernel";
import type { Config } from "../config.ts";

type Options = Pick<Config, "publicUrl" | "telegramWebOrigins">;

/**
 * Telegram Web frames the app, and a plain-http instance must work: helmet's defaults forbid both.
 * Everything else stays closed; a page adds the hashes of its inline parts.
 */
export function contentSecurityPolicy(options: Options): FastifyHelmetOptions {
  const https = options.publicUrl.startsWith("https:");
  return {
    frameguard: false,
    hsts: https ? { maxAge: 31_536_000 } : false,
    crossOriginOpenerPolicy: false,
    crossOriginResourcePolicy: { policy: "same-origin" },
    originAgentCluster: false,
    referrerPolicy: { policy: "no-referrer" },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        "default-src": ["'self'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'self'", ...options.telegramWebOrigins],
        "img-src": ["'self'", "data:", "blob:", "https://t.me", "https://*.telegram.org"],
        "object-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "connect-src": ["'self'"],
        ...(https ? { "upgrade-insecure-requests": [] } : {}),
      },
    },
  };
}

export type PageInlines = {
  /** Exact texts of the page's inline scripts and styles: each is allowed by its hash. */
  readonly scripts: readonly string[];
  readonly styles: readonly string[];
};

/** The policy of one page: the common one, plus the hashes of its inline parts. */
export function pagePolicy(options: Options, inlines: PageInlines): string {
  return policyWith(options, {
    "script-src": inlines.scripts.map(hashSource),
    "style-src": inlines.styles.map(hashSource),
  });
}

/**
 * The policy of a payment's own page, the only one with an external script: the widget maker's. Its
 * styles may be files or set by its script: inline ones stay forbidden.
 */
export function widgetPolicy(options: Options, inlines: PageInlines, scriptUrl: string): string {
  const makers = makerSources(scriptUrl);
  return policyWith(options, {
    "script-src": [...inlines.scripts.map(hashSource), ...makers],
    "style-src": [...inlines.styles.map(hashSource), ...makers],
    "connect-src": makers,
    "img-src": makers,
    "font-src": ["'self'", ...makers],
    "frame-src": makers,
  });
}

/**
 * The hosts of a widget's maker: the script's origin and, for a name such as cdn.maker.example, the
 * maker's other names, which have its frames.
 */
function makerSources(scriptUrl: string): readonly string[] {
  const { origin, protocol, hostname } = new URL(scriptUrl);
  const names = hostname.split(".");
  const hasSiblings = protocol === "https:" && names.length > 2 && !/^[\d.]+$/.test(hostname);
  return hasSiblings ? [origin, `https://*.${names.slice(1).join(".")}`] : [origin];
}

type Sources = Readonly<Record<string, readonly string[]>>;

function policyWith(options: Options, extra: Sources): string {
  const { contentSecurityPolicy: policy } = contentSecurityPolicy(options);
  assert(typeof policy === "object" && policy.directives, "the policy has directives");
  const common = policy.directives as Sources;
  const names = new Set([...Object.keys(common), ...Object.keys(extra)]);
  return [...names]
    .map((name) => [name, ...(common[name] ?? []), ...(extra[name] ?? [])].join(" "))
    .join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
