import { z } from "zod";
import { route } from "../common/route.ts";
import { id, instantOnWire, success } from "../common/wire.ts";
import { GROUP_STATES, NEEDED_RIGHTS } from "./policy.ts";
import { groupRefusals as refusals } from "./refusals.fr.ts";

const right = z.object({
  right: z.enum(NEEDED_RIGHTS),
  /** French, as Telegram displays it. */
  label: z.string(),
});

/** One of `channels[]` (A §3): a chat linked to the seller. */
export const channelOnWire = z.object({
  id,
  name: z.string(),
  type: z.enum(["groupe", "canal"]),
  telegram_group_id: z.number().int(),
  details: z.object({
    state: z.enum(GROUP_STATES),
    /** French name of the state. */
    state_label: z.string(),
    /** True when its products can be sold. */
    sellable: z.boolean(),
    rights: z.array(right),
    missing_rights: z.array(right),
    members: z.number().int().nullable(),
    in_quota: z.boolean(),
    /** The chat has a public address: anybody can join without paying. */
    public: z.boolean(),
    username: z.string().nullable(),
    /** French; the last real event of the chat. */
    last_event: z.string().nullable(),
    last_event_at: instantOnWire.nullable(),
    checked_at: instantOnWire,
    linked_at: instantOnWire,
    products: z.number().int(),
    sales: z.number().int(),
    /** Telegram's default permission for members to add members. Null: a channel, or not read yet. */
    members_can_add: z.boolean().nullable(),
    /** The seller's switch: a person added by a member, without a paid membership, is removed. */
    remove_added: z.boolean(),
  }),
});
export type ChannelOnWire = z.input<typeof channelOnWire>;

/** A chat linked by another seller of which the caller is the creator, according to Telegram. */
export const reclaimableChannel = channelOnWire.omit({ details: true });

export const channelsAnswer = success({ channels: z.array(channelOnWire) });

const channels = { access: "seller", answer: channelsAnswer } as const;

const channel = {
  access: "seller",
  owns: { id: { thing: "group", by: ["seller"] } },
  /** `channels[].id` or `telegram_group_id`. */
  params: { id: z.string().regex(/^-?\d{1,18}$/) },
  answer: success({ channel: channelOnWire }),
  refusals,
} as const;

export const listChannels = route("GET /api/channels", {
  ...channels,
  summary: "Les groupes et canaux reliés",
});

export const refreshChannels = route("POST /api/channels/refresh", {
  ...channels,
  summary: "Revérifier tous les groupes et canaux",
});

export const readChannel = route("GET /api/channels/:id", {
  ...channel,
  summary: "Un groupe ou canal relié",
});

export const refreshChannel = route("POST /api/channels/:id/refresh", {
  ...channel,
  summary: "Revérifier un groupe ou canal",
});

export const closeChannelToAdds = route("POST /api/channels/:id/close-member-adds", {
  ...channel,
  summary: "Fermer un groupe aux ajouts des membres, sans toucher aux autres permissions",
});

export const setEntryRules = route("PUT /api/channels/:id/entry-rules", {
  ...channel,
  summary: "Retirer, ou seulement signaler, les personnes qu'un membre ajoute sans accès payé",
  body: z.object({ remove_added: z.boolean() }),
  example: { body: { remove_added: false } },
});

export const listReclaimableChannels = route("GET /api/channels/reclaimable", {
  ...channels,
  summary: "Les groupes dont vous êtes propriétaire sur Telegram, reliés par un autre vendeur",
  answer: success({ channels: z.array(reclaimableChannel) }),
});

/** The creator of a group takes it over from the seller who linked it. */
export const reclaimChannel = route("POST /api/channels/:id/reclaim", {
  ...channel,
  summary:
    "Reprendre un groupe dont vous êtes propriétaire : Telegram est interrogé à ce moment, les produits de l'autre vendeur ne se vendent plus, les accès payés vont à leur terme",
  repeatable: true,
});

export const readBotLinks = route("GET /api/bot/links", {
  summary: "Les liens qui ajoutent le bot à un groupe ou à un canal, et les droits demandés",
  access: "seller",
  /** `t.me` addresses; names are without the @. */
  answer: success({
    /** Opens Telegram's list of groups and requests the rights. */
    group: z.string(),
    /** The same for channels. */
    channel: z.string(),
    seller_bot: z.string(),
    buyer_bot: z.string(),
    permissions: z.array(right),
  }),
});
