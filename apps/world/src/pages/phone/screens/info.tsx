import type { ChatView, MemberView } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { canManage, isInside } from "../chat-rows.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Cell, Section } from "../parts/cells.tsx";
import { ScreenHeader } from "../parts/header.tsx";
import { Icon } from "../parts/icon.tsx";
import css from "../parts/parts.module.css";
import { usePhone } from "../phone-context.ts";

const copy = phoneCopy.info;

/** The page of a group: who is in it, and what the bots may do. */
export function InfoScreen({ chatId }: { chatId: number }) {
  const chat = useWorld().chats.find((one) => one.id === chatId);
  if (chat === undefined) return <ScreenHeader title={phoneCopy.list.title} />;
  const kind = phoneCopy.kinds[chat.kind];
  return (
    <>
      <ScreenHeader title={chat.title} />
      <div className={css.page}>
        <div className={css.hero}>
          <Avatar id={chat.id} name={chat.title} size={84} />
          <h2 className={css.heroName}>{chat.title}</h2>
          <p className={css.heroNote}>
            {`${kind} · ${phoneCopy.size(chat.kind, chat.memberCount)}\n`}
            {chat.username === null ? copy.private : copy.public(chat.username)}
          </p>
        </div>
        <AdminRows chat={chat} />
        <MemberRows chat={chat} />
      </div>
    </>
  );
}

const isAdmin = (member: MemberView) =>
  member.status === "creator" || member.status === "administrator";

function rightsLine(member: MemberView): string {
  if (member.status === "creator") return phoneCopy.statuses.creator;
  if (member.rights.length === 0) return copy.noRights;
  return `${phoneCopy.statuses[member.status]} · ${copy.rightsCount(member.rights.length)}`;
}

/** Whoever administers, and every bot: for an administrator, a bot's row leads to its rights. */
function AdminRows({ chat }: { chat: ChatView }) {
  const phone = usePhone();
  const { bots } = useWorld();
  const manager = canManage(chat, phone.person.id);
  const shown = chat.members.filter((m) => m.status !== "kicked" && (isAdmin(m) || m.isBot));
  const outside = manager ? bots.filter((bot) => !isInside(chat, bot.id)) : [];
  return (
    <Section title={copy.admins}>
      {shown.map((member) => {
        const bot = bots.find((one) => one.id === member.userId);
        return (
          <Cell
            key={member.userId}
            title={member.name}
            subtitle={rightsLine(member)}
            before={<Avatar id={member.userId} name={member.name} bot={member.isBot} size={40} />}
            {...(manager && bot !== undefined
              ? {
                  label: copy.rightsOf(member.name),
                  onClick: () =>
                    phone.dispatch({
                      type: "push",
                      screen: { at: "admin", chatId: chat.id, bot: bot.role },
                    }),
                  after: <Icon name="chevron" size={18} />,
                }
              : {})}
          />
        );
      })}
      {outside.map((bot) => (
        <Cell
          key={bot.id}
          title={copy.addBot(bot.name)}
          tone="accent"
          before={<Avatar id={bot.id} name={bot.name} bot size={40} />}
          after={<Icon name="plus" size={20} />}
          onClick={() => void phone.act("addBot", { chatId: chat.id, bot: bot.role, rights: [] })}
        />
      ))}
    </Section>
  );
}

function MemberRows({ chat }: { chat: ChatView }) {
  const shown = chat.members.filter((m) => !m.isBot && m.status !== "left" && !isAdmin(m));
  if (shown.length === 0) return null;
  return (
    <Section title={copy.members}>
      {shown.map((member) => (
        <Cell
          key={member.userId}
          title={member.name}
          subtitle={phoneCopy.statuses[member.status]}
          before={<Avatar id={member.userId} name={member.name} size={40} />}
        />
      ))}
    </Section>
  );
}
