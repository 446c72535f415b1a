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
import type { Config } from "../config.ts";
import { answerCommon, answerError, answerSaid, answerUnreadable } from "./answers.ts";
import { type AttemptCounter, createAttemptCounter, addressKey } from "./callers.ts";
import { acceptBodies, boundUploads } from "./bodies.ts";
import { compressAnswers } from "./compress.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import type { Server, ServerResponse } from "node:http";

/**
 * Paths of pino's `redact`, removed from log lines of every level. Plug-ins log whole requests at
 * `trace` (multipart: every header of an upload), a database error contains the values of the
 * refused row, and an error of the Bot API contains the sent message.
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
    /** Its declaration; absent for a webhook or a page. */
    route?: Route;
    /** Calls of one address a minute that the route itself counts, where `rateLimit` is off. */
    ownLimit?: number;
  }
  interface RouteShorthandOptions {
    /** The purpose of the call, in French, for /docs. */
    summary?: string;
  }
  interface FastifyRequest {
    /** Set on every route that needs a token. */
    principal: Principal | null;
    /** The key of the call, for a route for keys. */
    keyId: bigint | null;
  }
  interface FastifyInstance {
    routeTable: RouteRow[];
    /** Refused tokens and keys, by address: of requests, and of sockets. */
    refusedTokens: AttemptCounter;
  }
}

export type RouteRow = {
  readonly method: string;
  readonly url: string;
  readonly access: Access;
  readonly route: Route | null;
  /** Calls a minute of one caller; null for a route without a limit. */
  readonly limit: number | null;
};

/** Receives log lines, each one JSON. */
export type LogSink = { write(line: string): void };

export type HttpOptions = Pick<
  Config,
  "publicUrl" | "telegramWebOrigins" | "trustedProxies" | "logLevel" | "metricsToken"
> & {
  readonly clock: Clock;
  readonly logTo?: LogSink;
  /** How long /ready warns before the server closes. */
  readonly drainSeconds?: number;
  /** Null for an unknown, expired or revoked token. */
  authenticate(token: string): Promise<Principal | null>;
  /** The caller of a route for keys, or a refusal. */
  admitKey?(asked: KeyAsked): Promise<KeyChecked>;
};

export type KeyAsked = { readonly token: string | null; readonly scope: string | undefined };
export type KeyChecked =
  | { readonly principal: Principal; readonly keyId: bigint }
  | { readonly status: number; readonly body: RefusalBody };

export type HttpServer = Awaited<ReturnType<typeof createHttpServer>>;

const BODY_LIMIT_BYTES = 256 * 1024;
/**
 * Above the phones of a whole mobile network whose sessions expire in one minute, each refused
 * once. A valid token passes all the same, whatever others send from its address.
 */
const REFUSED_TOKENS_A_MINUTE = 600;

/**
 * A request is complete within this time or its connection is closed: enough for an upload of the
 * largest size at 1.4 Mbit/s, and the app makes its pictures smaller than that. Node checks each
 * second; by default it would check every thirty.
 */
const TIME_FOR_A_REQUEST = {
  requestTimeout: 30_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 1_000 },
} as const;

/** The HTTP server without features: callers, errors, limits. */
export async function createHttpServer(options: HttpOptions) {
  const { logLevel, logTo } = options;
  const stream = logTo ? { stream: logTo } : {};
  const app: FastifyInstance = Fastify({
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: (_address: string, hop: number) => hop < options.trustedProxies,
    // At a stop: requests in progress are answered, idle connections closed.
    forceCloseConnections: "idle",
    logger: logLevel === "silent" ? false : { level: logLevel, redact: LOG_REDACTION, ...stream },
    logController: new LogController({ disableRequestLogging: true }),
    // Requests that cannot be routed or parsed get refusals of the same form.
    frameworkErrors: (error, _request, reply) => void answerError(reply, error),
    clientErrorHandler: answerUnreadable,
    ...TIME_FOR_A_REQUEST,
  });
  app.setValidatorCompiler((part: Parameters<typeof validatorCompiler>[0]) => {
    const validate = validatorCompiler(part);
    // Of a call without a body Fastify says null, which no optional body is.
    return (data: unknown) => validate(part.httpPart === "body" ? (data ?? undefined) : data);
  });
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
    // Cut off, not thrown: a file too large has a refusal of its own, in the order of the checks.
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
  return app.withTypeProvider<ZodTypeProvider>();
}

/** The key of a caller's limit: an API key's, a person's, an address's. */
function counted({ keyId, principal, ip }: FastifyRequest): string {
  if (keyId !== null) return `key:${keyId}`;
  return principal ? String(principal.personId) : addressKey(ip);
}

function recordRoutes(app: FastifyInstance): void {
  app.addHook("onRoute", (route) => {
    for (const method of [route.method].flat()) {
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
    return refuseToken(reply);
  }
  if (access === "key") return checkKey(options, request, reply);
  if (!needsToken(access)) return undefined;
  if (!token) return answerCommon(reply, { kind: "identity.token-missing" });
  const principal = await options.authenticate(token);
  if (!principal) return refuseToken(reply);
  if (!mayPass(access, principal)) return answerCommon(reply, { kind: "identity.wrong-role" });
  request.principal = principal;
  return undefined;
}

async function checkKey({ admitKey }: HttpOptions, request: FastifyRequest, reply: FastifyReply) {
  assert(admitKey, "a server with routes for keys knows keys");
  const { route } = request.routeOptions.config;
  const checked = await admitKey({ token: bearerToken(request), scope: route?.scope });
  if (!("keyId" in checked)) {
    const tooMany = checked.status === 401 ? countRefusal(reply) : null;
    return tooMany ?? answerSaid(reply, checked);
  }
  request.principal = checked.principal;
  request.keyId = checked.keyId;
  return undefined;
}

const refuseToken = (reply: FastifyReply) =>
  countRefusal(reply) ?? answerCommon(reply, { kind: "identity.token-refused" });

/** Counts a refused token by address; → the answer when there were too many, else null. */
function countRefusal(reply: FastifyReply): FastifyReply | null {
  const { server, ip } = reply.request;
  const retryAfterSeconds = server.refusedTokens.count(addressKey(ip));
  if (retryAfterSeconds === null) return null;
  return answerCommon(reply, { kind: "request.too-many", retryAfterSeconds });
}

export function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? null;
}

/** Whether two secrets are the same, compared in constant time. */
export function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The caller, authenticated by a token from verified init data. */
export type Principal = {
  readonly personId: bigint;
  readonly telegramId: bigint;
  /** The part in which the person signed in. */
  readonly audience: "seller" | "buyer";
  /** Named in the configuration (decision 23). */
  readonly isAgent: boolean;
  readonly isOperator: boolean;
};

/** A principal, and the end of the session behind the token. */
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
/** However long the warning was, requests in progress get this time. */
const LEAST_PATIENCE_MS = 1_000;

/**
 * At a stop, requests in progress are answered. Their connections would then stay open for more
 * requests, and the server with them: each is closed as soon as it is idle, and slow senders are
 * cut off at the end.
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
 * While /ready reports that the process will close, it still answers everyone, and asks each caller
 * to use another connection next time: a balancer then loses none.
 */
export async function announceClosing(server: Server, seconds: number): Promise<void> {
  if (seconds === 0) return;
  server.prependListener("request", (_request, response: ServerResponse) => {
    if (!response.headersSent) response.setHeader("connection", "close");
  });
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
