import { type FormEvent, type ReactNode, useState } from "react";
import type {
  AdminRight,
  BotRole,
  ChatKind,
  ChatView,
  MemberView,
  Message,
  Place,
} from "../../wire.ts";
import { formatListTime, useEmulators, useEmulatorNow } from "../emulators.ts";
import { canManage, type ChatRow, fullName, isInside, talkBetween } from "./chat-rows.ts";
import { phoneCopy } from "./messages.fr.ts";
import { MessageList } from "./parts/messages.tsx";
import {
  Action,
  Avatar,
  Cell,
  Composer,
  IconButton,
  ScreenHeader,
  Section,
} from "./parts/parts.tsx";
import css from "./phone.module.css";
import { type Screen, usePhone, goBack, goTo, push, replace } from "./phone-state.ts";

type ListProps = { rows: ChatRow[]; unread: (row: ChatRow) => number };

export function CurrentScreen({ rows, unread }: ListProps) {
  const screen = usePhone().ui.stack.at(-1);
  switch (screen?.at) {
    case "dialog":
      return <BotDialog screen={screen} />;
    case "chat":
      return <Chat chatId={screen.chatId} />;
    case "info":
      return <Info chatId={screen.chatId} />;
    case "admin":
      return <BotRights chatId={screen.chatId} role={screen.bot} />;
    case "person":
      return <PersonDialog personId={screen.personId} />;
    case "create":
      return <CreateChat kind={screen.kind} />;
    case "chats":
    case undefined:
      return <ChatList rows={rows} unread={unread} />;
  }
}

const LOOKS_LIKE_LINK = /^(https?:\/\/|t\.me\/|@)\S+$/i;

function ChatList({ rows, unread }: ListProps) {
  const phone = usePhone();
  const copy = phoneCopy.list;
  const now = useEmulatorNow(30_000);
  const [query, setQuery] = useState("");
  const words = query.trim();
  const isLink = LOOKS_LIKE_LINK.test(words);
  const found = rows.filter((row) => row.name.toLowerCase().includes(words.toLowerCase()));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isLink) return;
    const url = words.startsWith("@") ? `https://t.me/${words.slice(1)}` : words;
    setQuery("");
    void phone.openUrl(url.startsWith("t.me/") ? `https://${url}` : url);
  };
  const open = (screen: Screen | null) => {
    if (screen !== null) phone.dispatch(goTo(screen));
  };
  return (
    <>
      <header className={css.header}>
        <h2 className={css.grow}>{copy.title}</h2>
        <IconButton
          icon="compose"
          label={copy.compose}
          onClick={() => phone.dispatch({ sheet: { kind: "compose" } })}
        />
      </header>
      <form className={css.composer} onSubmit={submit}>
        <input
          aria-label={copy.search}
          placeholder={copy.search}
          value={query}
          autoComplete="off"
          onChange={(event) => setQuery(event.target.value)}
        />
        {isLink && (
          <button type="submit" className={css.small}>
            {copy.open}
          </button>
        )}
      </form>
      <ul className={css.page} aria-label={copy.chats}>
        {(isLink ? rows : found).map((row) => (
          <li key={row.key}>
            <Cell
              title={row.name}
              subtitle={row.preview}
              before={<Avatar id={row.avatarId} name={row.name} size={48} />}
              after={
                <span className={css.aside}>
                  <small>{row.at === null ? "" : formatListTime(row.at, now)}</small>
                  {unread(row) > 0 && (
                    <span className={css.badge} role="img" aria-label={copy.unread(unread(row))}>
                      {unread(row)}
                    </span>
                  )}
                </span>
              }
              onClick={() => open(row.screen)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

type ConversationProps = {
  name: string;
  subtitle: string;
  avatarId: number;
  place: Place;
  messages: Message[] | undefined;
  empty: string;
  named?: boolean;
  opens?: { label: string; run: () => void } | undefined;
  /** What stands at the foot: where one writes, or why one cannot. */
  children: ReactNode;
};

function Conversation(props: ConversationProps) {
  const { name, subtitle, avatarId, opens, place, messages = [], named = false, empty } = props;
  return (
    <>
      <ScreenHeader title={name} subtitle={subtitle} avatarId={avatarId} opens={opens} />
      <MessageList
        label={phoneCopy.messages(name)}
        messages={messages}
        place={place}
        named={named}
        empty={empty}
      />
      {props.children}
    </>
  );
}

/** The private chat with a bot. */
function BotDialog({ screen }: { screen: Extract<Screen, { at: "dialog" }> }) {
  const phone = usePhone();
  const { bots, dialogs } = useEmulators();
  const bot = bots.find((one) => one.role === screen.bot);
  const dialog = dialogs.find((one) => one.personId === phone.person.id && one.bot === screen.bot);
  if (bot === undefined) return null;
  const { role, id, name, description } = bot;
  const place = { bot: role };
  const payload = screen.startPayload;
  // A bot that got the right to write in its mini app counts as started.
  const met = dialog?.started === true || dialog?.writeAccess === true;
  const start = () => {
    const text = payload === null ? "/start" : `/start ${payload}`;
    void phone.act("sendMessage", { to: place, text });
    phone.dispatch(replace({ ...screen, startPayload: null }));
  };
  return (
    <Conversation
      name={name}
      subtitle={phoneCopy.bot}
      avatarId={id}
      place={place}
      messages={dialog?.messages}
      empty={phoneCopy.dialog.empty(description)}
    >
      {met && payload === null ? (
        <Composer place={place} bot={bot} />
      ) : (
        <Action big text={phoneCopy.composer.start} onClick={start} />
      )}
    </Conversation>
  );
}

/** Between two people of the demonstration: how a seller's link reaches a buyer. */
function PersonDialog({ personId }: { personId: number }) {
  const { person } = usePhone();
  const emulators = useEmulators();
  const other = emulators.persons.find((one) => one.id === personId);
  if (other === undefined) return null;
  return (
    <Conversation
      name={fullName(other)}
      subtitle={phoneCopy.person.online}
      avatarId={personId}
      place={{ personId }}
      messages={talkBetween(emulators, person.id, personId)}
      empty={phoneCopy.person.empty}
    >
      <Composer place={{ personId }} />
    </Conversation>
  );
}

const useChat = (chatId: number) => useEmulators().chats.find((one) => one.id === chatId);

const Refused = ({ text }: { text: string }) => <p className={css.refused}>{text}</p>;

/** A group or a channel, for a member, and for a person who was removed from it. */
function Chat({ chatId }: { chatId: number }) {
  const phone = usePhone();
  const chat = useChat(chatId);
  if (chat === undefined) return null;
  const inside = isInside(chat, phone.person.id);
  const open = inside || chat.username !== null;
  const info: Screen = { at: "info", chatId };
  const opens = {
    label: phoneCopy.chat.page(chat.title),
    run: () => phone.dispatch(push(info)),
  };
  return (
    <Conversation
      name={chat.title}
      subtitle={phoneCopy.size(chat.kind, chat.memberCount)}
      avatarId={chatId}
      opens={inside ? opens : undefined}
      place={{ chatId }}
      messages={open ? chat.messages : []}
      named={chat.kind !== "channel"}
      empty={open ? phoneCopy.chat.emptyGroup : phoneCopy.chat.locked}
    >
      <ChatFoot chat={chat} />
    </Conversation>
  );
}

function ChatFoot({ chat }: { chat: ChatView }) {
  const phone = usePhone();
  const copy = phoneCopy.composer;
  if (chat.migratedTo !== null) {
    const screen: Screen = { at: "chat", chatId: chat.migratedTo };
    const open = () => phone.dispatch(goTo(screen));
    return <Action big text={copy.openUpgraded} onClick={open} />;
  }
  if (!isInside(chat, phone.person.id)) return <Refused text={copy.outside} />;
  if (chat.kind === "channel" && !canManage(chat, phone.person.id)) {
    return <Refused text={copy.readOnly} />;
  }
  return <Composer place={{ chatId: chat.id }} />;
}

function CreateChat({ kind }: { kind: ChatKind }) {
  const phone = usePhone();
  const create = async (title: string) => {
    const answer = await phone.act("createChat", { ownerId: phone.person.id, kind, title });
    if (answer === null) return;
    phone.dispatch(goTo({ at: "chat", chatId: answer.gives.chatId }));
  };
  return (
    <>
      <ScreenHeader title={phoneCopy.create.title[kind]} />
      <CreateForm kind={kind} onCreate={create} />
    </>
  );
}

type FormProps = { kind: ChatKind; onCreate: (title: string) => Promise<void> };

export function CreateForm({ kind, onCreate }: FormProps) {
  const copy = phoneCopy.create;
  const [title, setTitle] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void onCreate(title.trim());
  };
  return (
    <form className={css.form} onSubmit={submit}>
      <p className={css.hint}>{copy.hint[kind]}</p>
      <label>
        {copy.name}
        <input value={title} maxLength={128} onChange={(event) => setTitle(event.target.value)} />
      </label>
      <Action text={copy.submit} disabled={title.trim() === ""} />
    </form>
  );
}

/** The page of a group: who is in it, and what the bots may do. */
function Info({ chatId }: { chatId: number }) {
  const copy = phoneCopy.info;
  const chat = useChat(chatId);
  if (chat === undefined) return null;
  const { title, kind, username, memberCount } = chat;
  return (
    <>
      <ScreenHeader title={title} />
      <div className={css.page}>
        <div className={css.hero}>
          <Avatar id={chatId} name={title} size={72} />
          <h2>{title}</h2>
          <p>
            {`${phoneCopy.kinds[kind]} · ${phoneCopy.size(kind, memberCount)}\n`}
            {username === null ? copy.private : copy.public(username)}
          </p>
        </div>
        <MemberRows chat={chat} />
      </div>
    </>
  );
}

const isAdmin = ({ status }: MemberView) => status === "creator" || status === "administrator";

function rightsLine({ status, rights, isBot }: MemberView): string {
  if (status === "creator" || (status !== "administrator" && !isBot))
    return phoneCopy.statuses[status];
  if (rights.length === 0) return phoneCopy.info.noRights;
  return `${phoneCopy.statuses[status]} · ${phoneCopy.info.rightsCount(rights.length)}`;
}

/** Whoever administers and every bot, whose row leads an administrator to its rights; the others. */
function MemberRows({ chat }: { chat: ChatView }) {
  const phone = usePhone();
  const { bots } = useEmulators();
  const copy = phoneCopy.info;
  const manager = canManage(chat, phone.person.id);
  const isAbove = (member: MemberView) => isAdmin(member) || member.isBot;
  const others = chat.members.filter((member) => !isAbove(member));
  const outside = manager ? bots.filter((bot) => !isInside(chat, bot.id)) : [];
  const open = (bot: BotRole) => phone.dispatch(push({ at: "admin", chatId: chat.id, bot }));
  const row = (member: MemberView) => {
    const { userId, name } = member;
    const bot = manager ? bots.find((one) => one.id === userId) : undefined;
    return (
      <Cell
        key={userId}
        title={name}
        subtitle={rightsLine(member)}
        before={<Avatar id={userId} name={name} />}
        label={copy.rightsOf(name)}
        onClick={bot && (() => open(bot.role))}
      />
    );
  };
  return (
    <>
      <Section title={copy.admins}>
        {chat.members.filter((member) => member.status !== "kicked" && isAbove(member)).map(row)}
        {outside.map(({ id, name, role }) => (
          <Cell
            key={id}
            title={copy.addBot(name)}
            before={<Avatar id={id} name={name} />}
            onClick={() => void phone.act("addBot", { chatId: chat.id, bot: role, rights: [] })}
          />
        ))}
      </Section>
      {others.length > 0 && <Section title={copy.members}>{others.map(row)}</Section>}
    </>
  );
}

/** The rights an owner can give a bot here, in the order they are shown. */
const BOT_RIGHTS: AdminRight[] = [
  "change_info",
  "post_messages",
  "delete_messages",
  "restrict_members",
  "invite_users",
  "pin_messages",
  "promote_members",
  "manage_chat",
];

function BotRights({ chatId, role }: { chatId: number; role: BotRole }) {
  const chat = useChat(chatId);
  const bot = useEmulators().bots.find((one) => one.role === role);
  if (chat === undefined || bot === undefined) return null;
  const rights = chat.members.find((member) => member.userId === bot.id)?.rights ?? [];
  return (
    <>
      <ScreenHeader title={phoneCopy.admin.title} subtitle={`${bot.name} · ${chat.title}`} />
      <div className={css.page}>
        <RightsForm key={rights.join()} chatId={chatId} role={role} rights={rights} />
      </div>
    </>
  );
}

type RightsProps = { chatId: number; role: BotRole; rights: AdminRight[] };

function RightsForm({ chatId, role, rights }: RightsProps) {
  const phone = usePhone();
  const [chosen, setChosen] = useState(rights);
  const save = async () => {
    const answer = await phone.act("setBotRights", { chatId, bot: role, rights: chosen });
    if (answer === null) return;
    phone.say(phoneCopy.admin.saved);
    phone.dispatch(goBack);
    phone.dispatch(replace({ at: "info", chatId: answer.gives.chatId }));
  };
  const remove = async () => {
    if ((await phone.act("removeBot", { chatId, bot: role })) === null) return;
    phone.say(phoneCopy.admin.removed);
    phone.dispatch(goBack);
  };
  const shown = [...new Set([...BOT_RIGHTS, ...rights])];
  return (
    <>
      <Rights title={phoneCopy.admin.hint} shown={shown} chosen={chosen} onChange={setChosen} />
      <Action text={phoneCopy.save} onClick={save} />
      <Action text={phoneCopy.admin.remove} onClick={remove} />
    </>
  );
}

type SwitchesProps = {
  title: string;
  shown: AdminRight[];
  chosen: AdminRight[];
  onChange: (rights: AdminRight[]) => void;
};

export function Rights({ title, shown, chosen, onChange }: SwitchesProps) {
  return (
    <Section title={title}>
      {shown.map((right) => (
        <label className={css.row} key={right}>
          <span className={css.grow}>{phoneCopy.rights[right]}</span>
          <input
            type="checkbox"
            role="switch"
            aria-checked={chosen.includes(right)}
            checked={chosen.includes(right)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, right] : chosen.filter((one) => one !== right))
            }
          />
        </label>
      ))}
    </Section>
  );
}
