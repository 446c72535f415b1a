export {
  GROUP_STATES,
  type GroupFacts,
  type GroupState,
  LINKER_RIGHTS,
  type LinkerRight,
  missingRights,
  NEEDED_RIGHTS,
  type NeededRight,
  stateOfGroup,
} from "./policy.ts";
export { type GroupRefusal, groupRefusals } from "./refusals.fr.ts";
export {
  type BotLinksAnswer,
  botLinksAnswer,
  type ChannelAnswer,
  channelAnswer,
  type ChannelOnWire,
  type ChannelsAnswer,
  channelOnWire,
  channelsAnswer,
  type EntryRulesInput,
  entryRulesInput,
  groupStateOnWire,
  type ReclaimableAnswer,
  type ReclaimableChannel,
  reclaimableAnswer,
  rightOnWire,
} from "./wire.ts";
export {
  GROUP_EVENT_NAMES,
  GROUP_STATE_NAMES,
  type GroupEvent,
  RIGHT_NAMES,
} from "./words.fr.ts";
