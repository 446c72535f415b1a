import {
  type DeliveryAnswer,
  type DeliveryOnWire,
  type DeveloperKeyOnWire,
  type EndpointOnWire,
  KEY_PREFIX,
} from "@sesame/contract/developers";
import { webhookId } from "./deliver.ts";
import type { AttemptRow, DeliveryRow } from "./deliveries.view.ts";
import type { EndpointRow } from "./endpoints.view.ts";
import type { KeyRow } from "./keys.view.ts";

export function keyToWire(row: KeyRow): DeveloperKeyOnWire {
  return {
    id: String(row.id),
    name: row.name,
    masked: `${KEY_PREFIX}…${row.last_four}`,
    scopes: row.scopes,
    created_at: row.created_at.toISOString(),
    last_used_on: row.last_used_on,
  };
}

export function endpointToWire(row: EndpointRow, now: Date): EndpointOnWire {
  const until = row.old_secret_until;
  return {
    id: String(row.id),
    url: row.url,
    events: row.events,
    active: row.active,
    off_reason: row.off_reason,
    failing_since: row.failing_since?.toISOString() ?? null,
    old_secret_until: until && until > now ? until.toISOString() : null,
    created_at: row.created_at.toISOString(),
  };
}

export function deliveryToWire(row: DeliveryRow): DeliveryOnWire {
  return {
    id: String(row.id),
    webhook_id: webhookId(row.uid),
    type: row.type,
    endpoint_id: String(row.endpoint_id),
    url: row.url,
    status: row.status,
    attempts: row.attempts,
    created_at: row.created_at.toISOString(),
    next_at: row.due_at?.toISOString() ?? null,
    last: row.last_at && {
      at: row.last_at.toISOString(),
      status_code: row.last_status,
      failure: row.last_failure,
      duration_ms: row.last_ms ?? 0,
    },
  };
}

export function attemptToWire(row: AttemptRow): DeliveryAnswer["log"][number] {
  return { ...row, at: row.at.toISOString() };
}
