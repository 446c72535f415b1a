import { z } from "zod";
import { type Owned, route } from "../common/route.ts";
import { groupRefusals as refusals } from "./refusals.fr.ts";
import { botLinksAnswer, channelAnswer, channelsAnswer, reclaimableAnswer } from "./wire.ts";

/** `channels[].id` or `telegram_group_id`. */
const params = { id: z.string().regex(/^-?\d{1,18}$/) };
const owns: { id: Owned } = { id: { thing: "group", by: ["seller"] } };

export const listChannels = route("GET /api/channels", {
  summary: "Les groupes et canaux reliés",
  access: "seller",
  owns: null,
  answer: channelsAnswer,
  example: {},
});

export const refreshChannels = route("POST /api/channels/refresh", {
  summary: "Revérifier tous les groupes et canaux",
  access: "seller",
  owns: null,
  answer: channelsAnswer,
  example: {},
});

export const readChannel = route("GET /api/channels/:id", {
  summary: "Un groupe ou canal relié",
  access: "seller",
  owns,
  params,
  answer: channelAnswer,
  refusals,
  example: {},
});

export const refreshChannel = route("POST /api/channels/:id/refresh", {
  summary: "Revérifier un groupe ou canal",
  access: "seller",
  owns,
  params,
  answer: channelAnswer,
  refusals,
  example: {},
});

export const closeChannelToAdds = route("POST /api/channels/:id/close-member-adds", {
  summary: "Fermer un groupe aux ajouts des membres, sans toucher aux autres permissions",
  access: "seller",
  owns,
  params,
  answer: channelAnswer,
  refusals,
  example: {},
});

export const setEntryRules = route("PUT /api/channels/:id/entry-rules", {
  summary: "Retirer, ou seulement signaler, les personnes qu'un membre ajoute sans accès payé",
  access: "seller",
  owns,
  params,
  body: z.object({ remove_added: z.boolean() }),
  answer: channelAnswer,
  refusals,
  example: { body: { remove_added: false } },
});

export const listReclaimableChannels = route("GET /api/channels/reclaimable", {
  summary: "Les groupes dont vous êtes propriétaire sur Telegram, reliés par un autre vendeur",
  access: "seller",
  owns: null,
  answer: reclaimableAnswer,
  example: {},
});

/** The creator of a group takes it back from the seller who linked it. */
export const reclaimChannel = route("POST /api/channels/:id/reclaim", {
  summary:
    "Reprendre un groupe dont vous êtes propriétaire : Telegram est interrogé à ce moment, les produits de l'autre vendeur ne se vendent plus, les accès payés vont à leur terme",
  access: "seller",
  owns,
  params,
  answer: channelAnswer,
  refusals,
  repeatable: true,
  example: {},
});

export const readBotLinks = route("GET /api/bot/links", {
  summary: "Les liens qui ajoutent le bot à un groupe ou à un canal, et les droits demandés",
  access: "seller",
  owns: null,
  answer: botLinksAnswer,
  example: {},
});
