import type { FastifyHelmetOptions } from "@fastify/helmet";

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
