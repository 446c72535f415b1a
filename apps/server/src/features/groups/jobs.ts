import { missingRights, stateOfGroup } from "@sesame/contract/groups";
import { html } from "../../bot/html.ts";
import type { BotMessage, MessageButton } from "../../bot/message.ts";
import { tell } from "../../bot/tell.ts";
import { DONE, type JobHandler, type JobOutcome } from "../../jobs/outbox.ts";
import type { Db } from "../../postgres/database.ts";
import { addLinks } from "./add-links.ts";
import { LINK_PENDING, RECHECK, TELL_STATE } from "./announce.ts";
import { BUTTONS, sayState, OWNER_BUTTONS } from "./messages.fr.ts";
import { linkPendingOf } from "./ownership/link-pending.ts";
import { notifyCreator } from "./ownership/notify-creator.ts";
import type { GroupsDeps } from "./deps.ts";
import { takeFaultNotice } from "./entry-rules/entry-rules.store.ts";
import { entryRulesMessage } from "./entry-rules/entry-rules-message.ts";
import { markTold } from "./group.store.ts";
import { type GroupRow, groupById, groupFacts } from "./group.view.ts";
import { refreshGroup } from "./refresh-group.ts";

export function groupJobs(deps: GroupsDeps): JobHandler[] {
  return [
    {
      topic: RECHECK,
      batch: 10,
      concurrency: 2,
      maxAttempts: 8,
      async run(job) {
        await refreshGroup(deps, job.ref);
        return DONE;
      },
    },
    {
      topic: LINK_PENDING,
      batch: 10,
      concurrency: 2,
      maxAttempts: 12,
      async run(job) {
        await linkPendingOf(deps, job.ref);
        return DONE;
      },
    },
    {
      topic: TELL_STATE,
      batch: 20,
      concurrency: 1,
      maxAttempts: 5,
      run: (job) => tellState(deps, job.ref),
    },
  ];
}

/** Tells the seller how a chat stands, when that is news to him. */
async function tellState(deps: GroupsDeps, groupId: bigint): Promise<JobOutcome> {
  const group = await groupById(deps.db, groupId);
  if (!group) return DONE;
  const facts = groupFacts(group);
  const state = stateOfGroup(facts);
  const missing = missingRights(facts);
  const key = state === "missing_rights" ? `${state}:${missing.join()}` : state;
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    if (!(await markTold(tx, groupId, key))) return;
    const message =
      state === "connected"
        ? await linkedMessage(deps, tx, group)
        : { text: sayState(group, state, missing), buttons: buttonsOf(deps, group, state) };
    // Named in this message, so that no other one names it.
    if (state === "connected") await takeFaultNotice(tx, groupId, now);
    await tell(tx, [{ bot: "seller", personId: group.seller_id, message }], now);
    if (state === "seller_not_admin") await notifyCreator(deps, tx, group);
  });
  return DONE;
}

/** The group is linked: what can be sold, and how people can come in beside our links. */
export async function linkedMessage(
  deps: GroupsDeps,
  db: Db,
  group: GroupRow,
): Promise<BotMessage> {
  const text = sayState(group, "connected", []);
  const buttons = buttonsOf(deps, group, "connected");
  if (group.kind === "channel") return { text, buttons };
  const rules = await entryRulesMessage(db, group);
  return {
    text: html`${text}

${rules.text}`,
    buttons: [...buttons, ...rules.buttons],
  };
}

function buttonsOf(
  deps: GroupsDeps,
  group: GroupRow,
  state: ReturnType<typeof stateOfGroup>,
): MessageButton[] {
  const check = { text: BUTTONS.check, callback: `group:check:${group.id}` };
  const bot = deps.telegram.names.seller();
  const links = bot ? addLinks(bot, deps.payloads.of(group.seller_id)) : null;
  const link = group.kind === "channel" ? links?.channel : links?.group;
  const add = (text: string): MessageButton[] => (link ? [{ text, url: link }] : []);
  switch (state) {
    case "connected":
      return [deps.appButton(BUTTONS.createProduct, `/ajouterProduit/${group.id}`)];
    case "missing_rights":
      return [...add(BUTTONS.giveRights), check];
    case "removed":
      return add(BUTTONS.relink);
    case "seller_not_admin":
      return [check, deps.appButton(OWNER_BUTTONS.products, "/ProductsList")];
    case "public":
      return [check];
    case "over_quota":
      return [deps.appButton(BUTTONS.plans, "/Plans")];
  }
}
