import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { EVENT_TYPES, KEY_SCOPES } from "./policy.ts";

export const developerKeyOnWire = z.object({
  id: z.string(),
  name: z.string(),
  /** sk_sesame_…a1B2: never the whole. */
  masked: z.string(),
  scopes: z.array(z.enum(KEY_SCOPES)),
  created_at: instantOnWire,
  /** A day: 2026-11-16. Null: never used. */
  last_used_on: z.string().nullable(),
});
export type DeveloperKeyOnWire = z.input<typeof developerKeyOnWire>;

export const endpointOnWire = z.object({
  id: z.string(),
  url: z.string(),
  events: z.array(z.enum(EVENT_TYPES)),
  active: z.boolean(),
  /** Switched off by us: nothing but failures for days, or it said 410 Gone. */
  off_reason: z.enum(["failing", "gone"]).nullable(),
  failing_since: instantOnWire.nullable(),
  /** The secret before signs too until then. */
  old_secret_until: instantOnWire.nullable(),
  created_at: instantOnWire,
});
export type EndpointOnWire = z.input<typeof endpointOnWire>;

/** The page of keys and endpoints. */
export const developersAnswer = z.object({
  success: z.literal(true),
  /** The plan opens it now; without it keys and endpoints are kept, and rest. */
  open: z.boolean(),
  keys: z.array(developerKeyOnWire),
  endpoints: z.array(endpointOnWire),
  scopes: z.array(z.object({ key: z.enum(KEY_SCOPES), label: z.string() })),
  events: z.array(z.object({ key: z.enum(EVENT_TYPES), label: z.string() })),
  limits: z.object({ keys: z.int(), endpoints: z.int(), deliveries_days: z.int() }),
});
export type DevelopersAnswer = z.input<typeof developersAnswer>;

export const keyAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  key: developerKeyOnWire,
  /** Once; null when the same demand is repeated. */
  secret: z.string().nullable(),
});
export type KeyAnswer = z.input<typeof keyAnswer>;

export const endpointAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  endpoint: endpointOnWire,
});
export type EndpointAnswer = z.input<typeof endpointAnswer>;
/** With its secret: when it is created, and when the secret is changed. */
export const endpointSecretAnswer = endpointAnswer.extend({ secret: z.string() });
export type EndpointSecretAnswer = z.input<typeof endpointSecretAnswer>;

export const deliveryStatusOnWire = z.enum(["pending", "delivered", "failed"]);

export const deliveryOnWire = z.object({
  id: z.string(),
  /** The header webhook-id: the same in every attempt and replay. */
  webhook_id: z.string(),
  type: z.string(),
  endpoint_id: z.string(),
  url: z.string(),
  status: deliveryStatusOnWire,
  attempts: z.int(),
  created_at: instantOnWire,
  /** Of one that waits. */
  next_at: instantOnWire.nullable(),
  /** Of the last attempt. */
  last: z
    .object({
      at: instantOnWire,
      status_code: z.int().nullable(),
      failure: z.string().nullable(),
      duration_ms: z.int(),
    })
    .nullable(),
});
export type DeliveryOnWire = z.input<typeof deliveryOnWire>;

export const deliveriesAnswer = z.object({
  success: z.literal(true),
  deliveries: z.array(deliveryOnWire),
  next_cursor: z.string().nullable(),
});
export type DeliveriesAnswer = z.input<typeof deliveriesAnswer>;

export const deliveryAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  delivery: deliveryOnWire,
  /** What is sent, to the byte. */
  body: z.string(),
  /** Newest first. */
  log: z.array(
    z.object({
      at: instantOnWire,
      status_code: z.int().nullable(),
      failure: z.string().nullable(),
      duration_ms: z.int(),
      /** The first bytes of what was answered. */
      answer: z.string().nullable(),
    }),
  ),
});
export type DeliveryAnswer = z.input<typeof deliveryAnswer>;
