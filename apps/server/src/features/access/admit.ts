import type { AccessStatus } from "@sesame/contract/access";
import type { App } from "../../app.ts";
import { tell } from "../../bot/tell.ts";
import { noteAccesses } from "../../outgoing/events.store.ts";
import { changeStatus } from "./access.store.ts";
import type { Membership } from "./access.view.ts";
import { publishStatus } from "./announce.ts";
import { BUTTONS, welcome } from "./messages.fr.ts";
import { revokeLinks } from "./revoke-links.ts";

/** The person is inside: his links have served. Nothing happens the second time. */
export async function admit(
  app: App,
  access: Membership,
  from: readonly AccessStatus[] = ["waiting", "left"],
): Promise<void> {
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    const changed = await changeStatus(tx, access.access_id, { to: "inside", from, now });
    if (!changed) return;
    await revokeLinks(tx, access, now);
    await publishStatus(tx, access, "inside");
    await noteAccesses(tx, { type: "access.started", ids: [changed.id] }, now);
    const message = {
      text: welcome(access, app.sayInstant),
      buttons: [app.appButton(BUTTONS.myAccess, "/mes-acces")],
    };
    await tell(tx, [{ bot: "buyer", personId: access.person_id, message }], now);
  });
}
