import type { AccessStatus } from "@sesame/contract/access";
import type { Db } from "../../postgres/database.ts";
import { publish } from "../../realtime/events.store.ts";

type Concerned = {
  /** Null: the time was given. */
  readonly order_id: bigint | null;
  readonly person_id: bigint;
};

/** Says an access's status to its person and to whoever follows the order. */
export async function publishStatus(
  tx: Db,
  access: Concerned,
  status: AccessStatus,
): Promise<void> {
  await publishStatuses(tx, [{ ...access, status }]);
}

export async function publishStatuses(
  tx: Db,
  changes: readonly (Concerned & { status: AccessStatus })[],
): Promise<void> {
  await publish(
    tx,
    changes.flatMap(({ order_id, person_id, status }) => {
      const body = { order_id: order_id === null ? null : String(order_id), status };
      const rooms = [`person:${person_id}`, ...(order_id === null ? [] : [`order:${order_id}`])];
      return rooms.map((room) => ({ room, name: "access:status", body }));
    }),
  );
}

/** The seller's screens show who came and went (decision 47). */
export async function publishMember(
  tx: Db,
  group: { id: bigint; sellerId: bigint },
  name: "user:joined" | "user:left",
): Promise<void> {
  const body = { group_id: String(group.id) };
  await publish(tx, [{ room: `person:${group.sellerId}`, name, body }]);
}
