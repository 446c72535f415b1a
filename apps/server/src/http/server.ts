import { timingSafeEqual } from "node:crypto";
import helmet from "@fastify/helmet";
import multipart from "@fastify/multipart";
import rateLimit from "@fastify/rate-limit";
import { type Access, CALLS_A_MINUTE, type RefusalBody, type Route } from "@sesame/contract";
import { IMAGE_BYTES_MAX } from "@sesame/contract/catalogue";
import { assert, type Clock } from "@sesame/kernel";
import Fastify, {
  type FastifyContextConfig,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import {
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from "fastify-type-provider-zod";
import type { z } from "zod";
import { answerCommon, answerError, answerSaid, answerUnreadable } from "./answers.ts";
import { type AttemptCounter, createAttemptCounter, addressKey } from "./callers.ts";
import { acceptBodies, boundUploads } from "./bodies.ts";
import { compressAnswers } from "./compress.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import type { Server, ServerResponse } from "node:http";

/**
 * What no log line carries, at any level. Plug-ins log whole requests at `trace` (multipart: every
 * header of an upload), a database error carries the values of the row that it refused, and an error
 * of the Bot API carries the message that was sent. Paths of pino's `redact`.
 */
const SECRET_HEADERS = [
  "authorization",
  "x-telegram-init-data",
  "cookie",
  "x-telegram-bot-api-secret-token",
];

const HOLDERS = ["headers", "*.headers", "*.*.headers"];

const LOG_REDACTION = {
  paths: [
    ...HOLDERS.flatMap((holder) => SECRET_HEADERS.map((name) => `${holder}["${name}"]`)),
    ...["err", "error"].flatMap((error) =>
      ["detail", "where", "payload", "internalQuery"].map((field) => `${error}.${field}`),
    ),
  ],
  censor: "[redacted]",
};

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may call the route. Required: see `Access`. */
    access?: Access;
    /** The declaration that it serves; none has a webhook or a page. */
    route?: Route;
    /** Of a route for keys: what the key must be allowed to do. */
    scope?: string;
    /** Calls of one address a minute that the route itself counts, where `rateLimit` is off. */
    ownLimit?: number;
    /** Answers the same `Idempotency-Key` as the first time. */
    idempotent?: boolean;
  }
  interface RouteShorthandOptions {
    /** What the call is for, in French: /docs shows it. */
    summary?: string;
    /** The fields of a form that the handler reads by itself. */
    form?: z.ZodObject;
  }
  interface FastifyRequest {
    /** Set on every route that needs a token. */
    principal: Principal | null;
    /** The key it was called by, of a route for keys. */
    keyId: bigint | null;
  }
  interface FastifyInstance {
    routeTable: RouteRow[];
    /** Tokens and keys refused, by address: of requests, and of sockets. */
    refusedTokens: AttemptCounter;
  }
}

export type RouteRow = {
  readonly method: string;
  readonly url: string;
  readonly access: Access;
  readonly route: Route | null;
  /** Calls a minute of one caller; null for a route without any limit. */
  readonly limit: number | null;
};

/** Takes log lines, each one JSON. */
export type LogSink = { write(line: string): void };

export type HttpOptions = {
  readonly publicUrl: string;
  readonly clock: Clock;
  readonly frameAncestors: readonly string[];
  /** How many proxies stand before us. */
  readonly trustedProxies: number;
  readonly logLevel: string;
  readonly logTo?: LogSink;
  readonly metricsToken: string | null;
  /** How long it says that it will close before it does. */
  readonly drainSeconds?: number;
  /** Answers null for an unknown, expired or revoked token. */
  authenticate(token: string): Promise<Principal | null>;
  /** Who calls a route for keys, or what is answered instead. */
  admitKey?(asked: KeyAsked): Promise<KeyChecked>;
};

export type KeyAsked = { readonly token: string | null; readonly scope: string | undefined };
export type KeyChecked =
  | { readonly principal: Principal; readonly keyId: bigint }
  | { readonly status: number; readonly body: RefusalBody };

export type HttpServer = ReturnType<typeof typed>;

function typed(app: FastifyInstance) {
  return app.withTypeProvider<ZodTypeProvider>();
}

const BODY_LIMIT_BYTES = 256 * 1024;
/**
 * Above the phones of a whole mobile network whose sessions end in one minute, each refused once.
 * A good token passes all the same, whatever others try behind its address.
 */
const REFUSED_TOKENS_A_MINUTE = 600;

/**
 * A request comes whole within this time or its connection ends: an upload of the largest size has
 * it at 1.4 Mbit/s, and the application makes its pictures smaller than that before it sends them.
 * Node looks each second; left alone it would look every thirty.
 */
const TIME_FOR_A_REQUEST = {
  requestTimeout: 30_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
} as const;

/** The frame: who calls, how errors end, how fast. Knows no business word. */
export async function createHttpServer(options: HttpOptions): Promise<HttpServer> {
  const { logLevel, logTo } = options;
  const stream = logTo ? { stream: logTo } : {};
  const app = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: (_address: string, hop: number) => hop < options.trustedProxies,
    // At a stop: what is under way is answered, what is idle is closed.
    forceCloseConnections: "idle",
    logger: logLevel === "silent" ? false : { level: logLevel, redact: LOG_REDACTION, ...stream },
    logController: new LogController({ disableRequestLogging: true }),
    // What cannot even be routed or parsed is refused in the same words.
    frameworkErrors: (error, _request, reply) => void answerError(reply, error),
    clientErrorHandler: answerUnreadable,
    ...TIME_FOR_A_REQUEST,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest("principal", null);
  app.decorateRequest("keyId", null);
  app.decorate("routeTable", []);
  app.decorate("refusedTokens", createAttemptCounter(options.clock, REFUSED_TOKENS_A_MINUTE));
  app.setErrorHandler((error, _request, reply) => answerError(reply, error));
  app.setNotFoundHandler((_request, reply) => answerCommon(reply, { kind: "request.not-found" }));
  acceptBodies(app);
  boundUploads(app);
  drainConnections(app, options.drainSeconds ?? 0);
  compressAnswers(app);
  recordRoutes(app);
  await app.register(helmet, contentSecurityPolicy(options));
  await app.register(multipart, {
    limits: { fileSize: IMAGE_BYTES_MAX, files: 1, fields: 30, parts: 40, fieldSize: 16_384 },
    // Cut off rather than thrown: a file too large has a sentence of its own, said in its turn.
    throwFileSizeLimit: false,
  });
  app.addHook("onRequest", (request, reply) => checkAccess(options, request, reply));
  await app.register(rateLimit, {
    // After the token is read, so that a mobile network behind one address is not locked out.
    hook: "preHandler",
    timeWindow: 60_000,
    max: (request) => (request.principal ? CALLS_A_MINUTE.person : CALLS_A_MINUTE.address),
    keyGenerator: (request) => `${counted(request)} ${request.routeOptions.url}`,
    allowList: (request) => request.routeOptions.config.access === "webhook",
    errorResponseBuilder: (_request, context) => ({
      statusCode: 429,
      retryAfterSeconds: Math.max(1, Math.ceil(context.ttl / 1000)),
    }),
  });
  return typed(app);
}

/** Whose requests are counted together: a key's, a person's, an address's. */
function counted({ keyId, principal, ip }: FastifyRequest): string {
  if (keyId !== null) return `key:${keyId}`;
  return principal ? String(principal.personId) : addressKey(ip);
}

function recordRoutes(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    const methods = Array.isArray(route.method) ? route.method : [route.method];
    for (const method of methods) {
      if (method === "HEAD" || method === "OPTIONS") continue;
      const access = route.config?.access;
      assert(access, `a route must declare its access: ${method} ${route.url}`);
      const declared = route.config?.route ?? null;
      const limit = limitOf(route.config);
      app.routeTable.push({ method, url: route.url, access, route: declared, limit });
    }
  });
}

function limitOf(config: FastifyContextConfig | undefined): number | null {
  if (config?.ownLimit !== undefined) return config.ownLimit;
  if (config?.rateLimit === false) return null;
  const max = config?.rateLimit?.max;
  if (typeof max === "number") return max;
  return needsToken(config?.access ?? "public") ? CALLS_A_MINUTE.person : CALLS_A_MINUTE.address;
}

async function checkAccess(options: HttpOptions, request: FastifyRequest, reply: FastifyReply) {
  const access = request.routeOptions.config.access;
  if (!access) return undefined;
  const token = bearerToken(request);
  if (access === "metrics") {
    const expected = options.metricsToken;
    if (expected && token && sameText(token, expected)) return undefined;
    return countRefusal(reply) ?? answerCommon(reply, { kind: "identity.token-refused" });
  }
  if (access === "key") return checkKey(options, request, reply);
  if (!needsToken(access)) return undefined;
  if (!token) return answerCommon(reply, { kind: "identity.token-missing" });
  const principal = await options.authenticate(token);
  if (!principal) {
    return countRefusal(reply) ?? answerCommon(reply, { kind: "identity.token-refused" });
  }
  if (!mayPass(access, principal)) return answerCommon(reply, { kind: "identity.wrong-role" });
  request.principal = principal;
  return undefined;
}

async function checkKey({ admitKey }: HttpOptions, request: FastifyRequest, reply: FastifyReply) {
  assert(admitKey, "a server with routes for keys knows keys");
  const { scope } = request.routeOptions.config;
  const checked = await admitKey({ token: bearerToken(request), scope });
  if (!("keyId" in checked)) {
    const tooMany = checked.status === 401 ? countRefusal(reply) : null;
    return tooMany ?? answerSaid(reply, checked);
  }
  request.principal = checked.principal;
  request.keyId = checked.keyId;
  return undefined;
}

/** Counts a refused token by address; → the answer when there were too many, else null. */
function countRefusal(reply: FastifyReply): FastifyReply | null {
  const { server, ip } = reply.request;
  const retryAfterSeconds = server.refusedTokens.count(addressKey(ip));
  if (retryAfterSeconds === null) return null;
  return answerCommon(reply, { kind: "request.too-many", retryAfterSeconds });
}

export function bearerToken(request: FastifyRequest): string | null {
  const header = request.headers.authorization;
  const match = header ? /^Bearer\s+(\S+)$/i.exec(header) : null;
  return match?.[1] ?? null;
}

/** Whether two secrets are the same, told in the same time wherever they differ. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Who is calling, proved by a token made from verified init data. */
export type Principal = {
  readonly personId: bigint;
  readonly telegramId: bigint;
  /** As what the person signed in. */
  readonly audience: "seller" | "buyer";
  /** Named in the configuration (decision 23). */
  readonly isAgent: boolean;
  readonly isOperator: boolean;
};

/** A principal, and when the session behind the token ends by itself. */
export type LiveSession = { readonly principal: Principal; readonly endsAt: Date };

export function mayPass(access: Access, principal: Principal): boolean {
  switch (access) {
    case "public":
    case "init-data":
    case "webhook":
    case "metrics":
    case "key":
    case "person":
      return true;
    case "seller":
      return principal.audience === "seller";
    case "agent":
      return principal.isAgent || principal.isOperator;
    case "operator":
      return principal.isOperator;
  }
}

export function needsToken(access: Access): boolean {
  return !["public", "init-data", "webhook", "key", "metrics"].includes(access);
}

const LOOK_EVERY_MS = 50;
/** Less than the whole stop: what runs behind the server must end in good order too. */
const STOP_MS = 6_000;
/** However long it said beforehand that it would close, who is being answered gets this. */
const LEAST_PATIENCE_MS = 1_000;

/**
 * At a stop, who waits for an answer gets it. Its connection would then stay open for the next
 * request, and the server with it: it is closed as soon as it rests, and whoever only drips is cut
 * off in the end.
 */
export function drainConnections(app: FastifyInstance, drainSeconds: number): void {
  const patienceMs = Math.max(LEAST_PATIENCE_MS, STOP_MS - drainSeconds * 1_000);
  app.addHook("preClose", async () => {
    const { server } = app;
    const looks = setInterval(() => server.closeIdleConnections(), LOOK_EVERY_MS).unref();
    const end = setTimeout(() => server.closeAllConnections(), patienceMs).unref();
    server.once("close", () => {
      clearInterval(looks);
      clearTimeout(end);
    });
  });
}

/**
 * While a process says at /ready that it is about to close, it still answers everyone, and asks of
 * each caller to come back by another connection: a balancer then has none left to lose.
 */
export async function announceClosing(server: Server, seconds: number): Promise<void> {
  if (seconds === 0) return;
  server.prependListener("request", (_request, response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("connection", "close");
  });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
