import { type DevelopersRefusal, PING } from "@sesame/contract/developers";
import type { PlansRefusal } from "@sesame/contract/plans";
import { ok, type Result, refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import type { Db } from "../../postgres/database.ts";
import { refuseCapability } from "../plans/index.ts";
import { insertPing, replay } from "./deliveries.store.ts";
import { viewDelivery } from "./deliveries.view.ts";
import { viewEndpoint } from "./endpoints.view.ts";
import { writeBody } from "./send-out.ts";

type Named = { readonly sellerId: bigint; readonly id: bigint };
type Refused = DevelopersRefusal | PlansRefusal;

/** The same event once more. */
export async function replayIn(
  app: App,
  tx: Db,
  { sellerId, id }: Named,
): Promise<Result<null, Refused>> {
  const row = await viewDelivery(tx, sellerId, id);
  if (!row) return refuse({ kind: "developers.delivery-not-found" });
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if (!row.endpoint_active) return refuse({ kind: "developers.endpoint-off" });
  const again = { id, endpointId: row.endpoint_id, now: app.clock.now() };
  return (await replay(tx, again)) ? ok(null) : refuse({ kind: "developers.under-way" });
}

/** A test event for one endpoint. → its delivery */
export async function pingIn(
  app: App,
  tx: Db,
  { sellerId, id }: Named,
): Promise<Result<string, Refused>> {
  const endpoint = await viewEndpoint(tx, { sellerId, id, lock: true });
  if (!endpoint) return refuse({ kind: "developers.endpoint-not-found" });
  const barred = await refuseCapability(tx, sellerId, "developer-api");
  if (barred) return refuse(barred);
  if (!endpoint.active) return refuse({ kind: "developers.endpoint-off" });
  const now = app.clock.now();
  const body = writeBody({ type: PING, at: now, data: { endpoint_id: String(id) } });
  const once = `${id}:${Buffer.from(app.chance.bytes(12)).toString("hex")}`;
  return ok(String(await insertPing(tx, { sellerId, endpointId: id, once, body, now })));
}
