import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { ACCESS_STATUSES } from "./policy.ts";

export const accessStatusOnWire = z.enum(ACCESS_STATUSES);

/** One access of the caller, per group (decision 80). */
export const accessOnWire = z.object({
  id: z.string(),
  status: accessStatusOnWire,
  expires_at: instantOnWire,
  joined_at: instantOnWire.nullable(),
  group: z.object({ name: z.string(), type: z.enum(["groupe", "canal"]) }),
  /** Null, as `order_id`: nothing was bought, the seller gave the time. */
  product: z
    .object({ id: z.string(), title: z.string(), image_url: z.string().nullable() })
    .nullable(),
  order_id: z.string().nullable(),
  /** Only while the caller is not inside and the link still serves. */
  invite_link: z.string().nullable(),
  /** The product to buy again; null when it is not sold any more. */
  renew_reference: z.string().nullable(),
});
export type AccessOnWire = z.input<typeof accessOnWire>;

export const myAccessAnswer = z.object({
  success: z.literal(true),
  accesses: z.array(accessOnWire),
});
export type MyAccessAnswer = z.input<typeof myAccessAnswer>;

/** `access` of GET /api/orders/{id} (WIRE §2). */
export const orderAccessOnWire = z.object({
  status: accessStatusOnWire,
  expires_at: instantOnWire,
  invite_link: z.string().nullable(),
  links: z.array(z.object({ group: z.string(), invite_link: z.string().nullable() })),
});
export type OrderAccessOnWire = z.input<typeof orderAccessOnWire>;
