import { createHash } from "node:crypto";
import type { FastifyHelmetOptions } from "@fastify/helmet";
import { assert } from "@sesame/kernel";

type Options = { readonly publicUrl: string; readonly frameAncestors: readonly string[] };

/**
 * Telegram Web frames the app, and a plain-http instance must keep working: helmet's defaults
 * forbid both (STACK §5). Everything else stays closed; a page adds the hashes of what it inlines.
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
        "frame-ancestors": ["'self'", ...options.frameAncestors],
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

/** The policy of one page: the common one, plus the hashes of what it inlines. */
export function pagePolicy(options: Options, inlines: PageInlines): string {
  const { contentSecurityPolicy: policy } = contentSecurityPolicy(options);
  assert(typeof policy === "object" && policy.directives, "the policy has directives");
  const extra: Record<string, readonly string[]> = {
    "script-src": inlines.scripts.map(hashSource),
    "style-src": inlines.styles.map(hashSource),
  };
  return Object.entries(policy.directives)
    .map(([name, values]) => [name, ...(values as string[]), ...(extra[name] ?? [])].join(" "))
    .join("; ");
}

function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
