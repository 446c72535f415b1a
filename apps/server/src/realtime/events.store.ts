import { sql } from "kysely";
import type { Db } from "../postgres/database.ts";
import { hashOf } from "../secrets/vault.ts";

export type RealtimeEvent = {
  /** `person:{id}`, `order:{id}` or `staff`, or several. */
  readonly room: string | readonly string[];
  /** A name of the specification (payment_received, chatadd) or in the past tense: sale.settled. */
  readonly name: string;
  readonly body: Record<string, string | number | boolean | null>;
};

/** The room of agents and operators: each of them joins it at sign-in. */
export const STAFF_ROOM = "staff";

/** Makes screens of the back office with this subject reload. */
export const staffChanged = (what: string, id: bigint | string): RealtimeEvent => ({
  room: STAFF_ROOM,
  name: "desk:changed",
  body: { what, id: String(id) },
});

/** Sent to the room of a session: its sockets are closed, in all processes. */
export const SESSION_ENDED = "session.ended";

/** The room of one session, named by the token's hash: a token is never sent. */
export function sessionRoom(token: string): string {
  return `session:${hashOf(token).toString("hex")}`;
}

export const REALTIME_CHANNEL = "sesame_realtime";

/** PostgreSQL refuses a payload of 8 000 bytes. */
const PAYLOAD_BYTES = 7_900;

/** Publishes events at the commit of this transaction: one NOTIFY for as many as fit (QUALITY §1). */
export async function publish(tx: Db, events: readonly RealtimeEvent[]): Promise<void> {
  if (events.length === 0) return;
  await sql`
    SELECT pg_notify(${REALTIME_CHANNEL}, payload)
    FROM unnest(${packEvents(events)}::text[]) AS u(payload)
  `.execute(tx);
}

function packEvents(events: readonly RealtimeEvent[]): string[] {
  const payloads: string[] = [];
  let batch: string[] = [];
  let bytes = 2;
  for (const event of events) {
    const text = JSON.stringify(event);
    const size = Buffer.byteLength(text) + 1;
    if (bytes + size > PAYLOAD_BYTES && batch.length > 0) {
      payloads.push(`[${batch.join(",")}]`);
      batch = [];
      bytes = 2;
    }
    batch.push(text);
    bytes += size;
  }
  if (batch.length > 0) payloads.push(`[${batch.join(",")}]`);
  return payloads;
}
