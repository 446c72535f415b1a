import { z } from "zod";
import { instantOnWire } from "../common/wire.ts";
import { GROUP_STATES, NEEDED_RIGHTS } from "./policy.ts";

export const rightOnWire = z.object({
  right: z.enum(NEEDED_RIGHTS),
  /** French, as Telegram shows it. */
  label: z.string(),
});

export const groupStateOnWire = z.enum(GROUP_STATES);

/** One of `channels[]` (A §3): a chat linked to the seller. */
export const channelOnWire = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(["groupe", "canal"]),
  telegram_group_id: z.number().int(),
  details: z.object({
    state: groupStateOnWire,
    /** French name of the state. */
    state_label: z.string(),
    /** True when its products can be sold. */
    sellable: z.boolean(),
    rights: z.array(rightOnWire),
    missing_rights: z.array(rightOnWire),
    members: z.number().int().nullable(),
    in_quota: z.boolean(),
    /** The chat has an address: anybody joins it without paying. */
    public: z.boolean(),
    username: z.string().nullable(),
    /** French; the last real event of the chat. */
    last_event: z.string().nullable(),
    last_event_at: instantOnWire.nullable(),
    checked_at: instantOnWire,
    linked_at: instantOnWire,
    products: z.number().int(),
    sales: z.number().int(),
    /** Telegram's default permission: members may add members. Null: a channel, or not read yet. */
    members_can_add: z.boolean().nullable(),
    /** The seller's switch: whom a member adds without paid time is removed. */
    remove_added: z.boolean(),
  }),
});
export type ChannelOnWire = z.input<typeof channelOnWire>;

export const channelsAnswer = z.object({
  success: z.literal(true),
  channels: z.array(channelOnWire),
});
export type ChannelsAnswer = z.input<typeof channelsAnswer>;

export const channelAnswer = z.object({ success: z.literal(true), channel: channelOnWire });
export type ChannelAnswer = z.input<typeof channelAnswer>;

/** A chat that another seller sells, and of which Telegram names the caller the creator. */
export const reclaimableChannel = channelOnWire.pick({
  id: true,
  name: true,
  type: true,
  telegram_group_id: true,
});
export type ReclaimableChannel = z.input<typeof reclaimableChannel>;

export const reclaimableAnswer = z.object({
  success: z.literal(true),
  channels: z.array(reclaimableChannel),
});
export type ReclaimableAnswer = z.input<typeof reclaimableAnswer>;

/** `t.me` addresses; names are without the @. */
export const botLinksAnswer = z.object({
  success: z.literal(true),
  /** Opens Telegram's chooser of groups, with the rights asked for. */
  group: z.string(),
  /** The same for channels. */
  channel: z.string(),
  seller_bot: z.string(),
  buyer_bot: z.string(),
  permissions: z.array(rightOnWire),
});
export type BotLinksAnswer = z.input<typeof botLinksAnswer>;
