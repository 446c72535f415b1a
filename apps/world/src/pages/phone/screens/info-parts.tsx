import type { ChatView, MemberView } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { fullName, isInside } from "../chat-rows.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Cell, Section } from "../parts/cells.tsx";
import { Icon } from "../parts/icon.tsx";
import css from "../parts/parts.module.css";
import { usePhone } from "../phone-context.ts";

const copy = phoneCopy.info;

type Props = { chat: ChatView };
type ManagedProps = Props & { manager: boolean };

const isAdmin = (member: MemberView) =>
  member.status === "creator" || member.status === "administrator";

function rightsLine(member: MemberView): string {
  if (member.status === "creator") return phoneCopy.statuses.creator;
  if (member.rights.length === 0) return copy.noRights;
  return `${phoneCopy.statuses[member.status]} · ${copy.rightsCount(member.rights.length)}`;
}

/** Whoever administers, and every bot: a bot's row leads to its rights. */
export function AdminRows({ chat, manager }: ManagedProps) {
  const phone = usePhone();
  const { bots } = useWorld();
  const shown = chat.members.filter((m) => m.status !== "kicked" && (isAdmin(m) || m.isBot));
  return (
    <Section title={copy.admins}>
      {shown.map((member) => {
        const bot = bots.find((one) => one.id === member.userId);
        const open = () =>
          bot !== undefined &&
          phone.dispatch({ type: "push", screen: { at: "admin", chatId: chat.id, bot: bot.role } });
        return (
          <Cell
            key={member.userId}
            title={member.name}
            subtitle={rightsLine(member)}
            before={<Avatar id={member.userId} name={member.name} bot={member.isBot} size={40} />}
            {...(manager && bot !== undefined
              ? {
                  label: copy.rightsOf(member.name),
                  onClick: open,
                  after: <Icon name="chevron" size={18} />,
                }
              : {})}
          />
        );
      })}
    </Section>
  );
}

export function MemberRows({ chat, manager }: ManagedProps) {
  const phone = usePhone();
  const shown = chat.members.filter((m) => !m.isBot && m.status !== "left" && !isAdmin(m));
  if (shown.length === 0) return null;
  return (
    <Section title={copy.members}>
      {shown.map((member) => {
        const banned = member.status === "kicked";
        const takes = { chatId: chat.id, userId: member.userId };
        const action = manager && (
          <button
            type="button"
            className={banned ? css.smallButton : css.smallDanger}
            aria-label={banned ? copy.unban(member.name) : copy.remove(member.name)}
            onClick={() => void phone.act(banned ? "unban" : "ban", takes)}
          >
            {banned ? copy.unbanShort : copy.removeShort}
          </button>
        );
        return (
          <Cell
            key={member.userId}
            title={member.name}
            subtitle={phoneCopy.statuses[member.status]}
            before={<Avatar id={member.userId} name={member.name} size={40} />}
            after={action}
          />
        );
      })}
    </Section>
  );
}

/** An administrator adds persons and bots; a member persons, while the group lets members. */
export function AddPeople({ chat, manager }: ManagedProps) {
  const phone = usePhone();
  const { persons, bots } = useWorld();
  const outside = persons.filter((person) => !isInside(chat, person.id));
  const outsideBots = manager ? bots.filter((bot) => !isInside(chat, bot.id)) : [];
  if (outside.length + outsideBots.length === 0) return null;
  const plus = <Icon name="plus" size={20} />;
  return (
    <Section title={copy.add}>
      {outsideBots.map((bot) => (
        <Cell
          key={bot.id}
          title={bot.name}
          subtitle={phoneCopy.bot}
          label={copy.addBot(bot.name)}
          before={<Avatar id={bot.id} name={bot.name} bot size={40} />}
          after={plus}
          onClick={() => void phone.act("addBot", { chatId: chat.id, bot: bot.role, rights: [] })}
        />
      ))}
      {outside.map((person) => (
        <Cell
          key={person.id}
          title={fullName(person)}
          label={`${copy.add} : ${fullName(person)}`}
          before={<Avatar id={person.id} name={fullName(person)} size={40} />}
          after={plus}
          onClick={() => void phone.act("addMember", { chatId: chat.id, userId: person.id })}
        />
      ))}
    </Section>
  );
}

export function JoinRequests({ chat }: Props) {
  const phone = usePhone();
  if (chat.joinRequests.length === 0) return null;
  return (
    <Section title={copy.requests}>
      {chat.joinRequests.map((request) => {
        const takes = { chatId: chat.id, userId: request.userId };
        return (
          <Cell
            key={request.userId}
            title={request.name}
            before={<Avatar id={request.userId} name={request.name} size={40} />}
            after={
              <>
                <button
                  type="button"
                  className={css.smallButton}
                  onClick={() => void phone.act("approveRequest", takes)}
                >
                  {copy.approve}
                </button>
                <button
                  type="button"
                  className={css.smallDanger}
                  onClick={() => void phone.act("declineRequest", takes)}
                >
                  {copy.decline}
                </button>
              </>
            }
          />
        );
      })}
    </Section>
  );
}

export function InviteLinks({ chat }: Props) {
  const phone = usePhone();
  if (chat.inviteLinks.length === 0) return null;
  return (
    <Section title={copy.links}>
      {chat.inviteLinks.map((link) => {
        const how = link.createsJoinRequest ? copy.byRequest : copy.direct;
        const state = link.isRevoked ? copy.revoked : how;
        return (
          <Cell
            key={link.link}
            title={link.link.replace(/^https?:\/\//, "")}
            subtitle={`${link.name ?? ""} · ${state} · ${copy.joined(link.joined)}`.replace(
              /^ · /,
              "",
            )}
            before={<Icon name="link" />}
            onClick={() => {
              void navigator.clipboard?.writeText(link.link).catch(() => undefined);
              phone.say(phoneCopy.copied);
            }}
          />
        );
      })}
    </Section>
  );
}
