import { missingRights, stateOfGroup } from "@sesame/contract/groups";
import type { App } from "../../app.ts";
import { html } from "../../bot/html.ts";
import type { BotMessage, MessageButton } from "../../bot/message.ts";
import { tell } from "../../bot/tell.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import type { Db } from "../../postgres/database.ts";
import { addLinks } from "./add-links.ts";
import { LINK_PENDING, RECHECK, TELL_STATE } from "./announce.ts";
import { BUTTONS, OWNER_BUTTONS, sayState, sellerLostRights } from "./messages.fr.ts";
import { linkPendingOf } from "./ownership/link-pending.ts";
import { findCreator } from "./ownership/reclaim.view.ts";
import { takeFaultNotice } from "./entry-rules/entry-rules.store.ts";
import { entryRulesMessage } from "./entry-rules/entry-rules-message.ts";
import { markTold } from "./group.store.ts";
import { type GroupRow, groupById, groupFacts } from "./group.view.ts";
import { recheckGroup } from "./recheck-group.ts";

export function groupJobs(app: App): JobHandler[] {
  return [
    {
      topic: RECHECK,
      batch: 10,
      concurrency: 2,
      maxAttempts: 8,
      async run(job) {
        await recheckGroup(app, job.ref);
        return DONE;
      },
    },
    {
      topic: LINK_PENDING,
      batch: 10,
      concurrency: 2,
      maxAttempts: 12,
      async run(job) {
        await linkPendingOf(app, job.ref);
        return DONE;
      },
    },
    {
      topic: TELL_STATE,
      batch: 20,
      concurrency: 1,
      maxAttempts: 5,
      run: (job) => tellState(app, job.ref),
    },
  ];
}

/** Tells the seller how a chat stands, when that is news to him. */
async function tellState(app: App, groupId: bigint): Promise<JobOutcome> {
  const group = await groupById(app.db, groupId);
  if (!group) return DONE;
  const facts = groupFacts(group);
  const state = stateOfGroup(facts);
  const missing = missingRights(facts);
  const key = state === "missing_rights" ? `${state}:${missing.join()}` : state;
  const now = app.clock.now();
  await app.db.transaction().execute(async (tx) => {
    if (!(await markTold(tx, groupId, key))) return;
    const message =
      state === "connected"
        ? await linkedMessage(app, tx, group)
        : { text: sayState(group, state, missing), buttons: buttonsOf(app, group, state) };
    // Named in this message, so that no other one names it.
    if (state === "connected") await takeFaultNotice(tx, groupId, now);
    await tell(tx, [{ bot: "seller", personId: group.seller_id, message }], now);
    if (state === "seller_not_admin") await notifyCreator(app, tx, group);
  });
  return DONE;
}

/** Tells the creator, if we know them, that sales in their group are paused, and what they can do. */
async function notifyCreator(app: App, tx: Db, group: GroupRow): Promise<void> {
  const personId = await findCreator(tx, group.id);
  if (personId === null || personId === group.seller_id) return;
  const message = {
    text: sellerLostRights(group),
    buttons: [app.appButton(OWNER_BUTTONS.groups, "/GroupeListe")],
  };
  await tell(tx, [{ bot: "seller", personId, message }], app.clock.now());
}

/** The group is linked: what can be sold, and how people can come in beside our links. */
export async function linkedMessage(app: App, db: Db, group: GroupRow): Promise<BotMessage> {
  const text = sayState(group, "connected", []);
  const buttons = buttonsOf(app, group, "connected");
  if (group.kind === "channel") return { text, buttons };
  const rules = await entryRulesMessage(db, group);
  return {
    text: html`${text}

${rules.text}`,
    buttons: [...buttons, ...rules.buttons],
  };
}

function buttonsOf(
  app: App,
  group: GroupRow,
  state: ReturnType<typeof stateOfGroup>,
): MessageButton[] {
  const check = { text: BUTTONS.check, callback: `group:check:${group.id}` };
  const bot = app.telegram.names.seller();
  const links = bot ? addLinks(app, bot, group.seller_id) : null;
  const link = group.kind === "channel" ? links?.channel : links?.group;
  const add = (text: string): MessageButton[] => (link ? [{ text, url: link }] : []);
  switch (state) {
    case "connected":
      return [app.appButton(BUTTONS.createProduct, `/ajouterProduit/${group.id}`)];
    case "missing_rights":
      return [...add(BUTTONS.giveRights), check];
    case "removed":
      return add(BUTTONS.relink);
    case "seller_not_admin":
      return [check, app.appButton(OWNER_BUTTONS.products, "/ProductsList")];
    case "public":
      return [check];
    case "over_quota":
      return [app.appButton(BUTTONS.plans, "/Plans")];
  }
}
