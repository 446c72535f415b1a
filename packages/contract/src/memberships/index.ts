import { z } from "zod";
import { route } from "../common/route.ts";
import { francs, id, instantOnWire, success } from "../common/wire.ts";

/** WIRE §2: `waiting` paid but not in the group yet; `ended` time over and removal in progress. */
const status = z.enum(["waiting", "inside", "ended", "removed", "left", "banned"]);
export type AccessStatus = z.input<typeof status>;

const invite_link = z.string().nullable();
/**
 * The caller waits, and the group lets nobody in until its seller, who was notified of just that, gives
 * the bot its place or its right back.
 */
const entry_paused = z.boolean();

/** One membership of the caller, for each group (decision 80). */
const accessOnWire = z.object({
  id,
  status,
  expires_at: instantOnWire,
  joined_at: instantOnWire.nullable(),
  group: z.object({
    name: z.string(),
    type: z.enum(["groupe", "canal"]),
    /** Opens the chat in Telegram; null while the caller is not inside. */
    link: z.string().nullable(),
  }),
  /** Null, like `order_id`, when nothing was bought: the seller gave the time. */
  product: z.object({ id, title: z.string(), image_url: z.string().nullable() }).nullable(),
  order_id: id.nullable(),
  /** Only while the caller is not in the group and the link is valid. */
  invite_link,
  entry_paused,
  /** The product to buy again; null when it is no longer sold. */
  renew_reference: z.string().nullable(),
});
export type AccessOnWire = z.input<typeof accessOnWire>;
/** A membership before its encoding as JSON. */
export type Access = z.output<typeof accessOnWire>;

/** `access` of GET /api/orders/{id} (WIRE §2). */
export const orderAccessOnWire = z.object({
  status,
  expires_at: instantOnWire,
  invite_link,
  entry_paused,
  links: z.array(z.object({ group: z.string(), invite_link })),
});
export type OrderAccessOnWire = z.input<typeof orderAccessOnWire>;

export const listAccesses = route("GET /api/me/access", {
  summary: "Ses accès, en cours et terminés, et ses commandes en cours",
  access: "person",
  answer: success({
    accesses: z.array(accessOnWire),
    orders: z.array(z.object({ id, title: z.string(), amount: francs, created_at: instantOnWire })),
  }),
});
