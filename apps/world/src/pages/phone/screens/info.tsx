import { useState } from "react";
import type { ChatView } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { canManage, isInside } from "../chat-rows.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Cell, Section } from "../parts/cells.tsx";
import { ScreenHeader } from "../parts/header.tsx";
import css from "../parts/parts.module.css";
import { usePhone } from "../phone-context.ts";
import { AddPeople, AdminRows, InviteLinks, JoinRequests, MemberRows } from "./info-parts.tsx";

const copy = phoneCopy.info;

/** The page of a group: what its owner can change, what a member can only read. */
export function InfoScreen({ chatId }: { chatId: number }) {
  const phone = usePhone();
  const chat = useWorld().chats.find((one) => one.id === chatId);
  if (chat === undefined) return <ScreenHeader title={phoneCopy.list.title} />;
  const manager = canManage(chat, phone.person.id);
  const inside = isInside(chat, phone.person.id);
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
        {manager && <JoinRequests chat={chat} />}
        <AdminRows chat={chat} manager={manager} />
        <MemberRows chat={chat} manager={manager} />
        {(manager || (inside && chat.membersCanAdd)) && <AddPeople chat={chat} manager={manager} />}
        {manager && <InviteLinks chat={chat} />}
        <Actions chat={chat} manager={manager} />
      </div>
    </>
  );
}

function Actions({ chat, manager }: { chat: ChatView; manager: boolean }) {
  const phone = usePhone();
  const takes = { chatId: chat.id };
  const out = (answer: unknown) => {
    if (answer !== null) phone.dispatch({ type: "goTo", screen: { at: "chats" } });
  };
  const owner = chat.members.some(
    (member) => member.userId === phone.person.id && member.status === "creator",
  );
  const migrate = async () => {
    const answer = await phone.act("migrate", takes);
    if (answer === null) return;
    phone.dispatch({ type: "goTo", screen: { at: "chat", chatId: answer.gives.chatId } });
  };
  return (
    <Section>
      {manager && <Rename chat={chat} />}
      {manager && chat.kind !== "channel" && (
        <Cell
          title={chat.membersCanAdd ? copy.membersCanAdd : copy.membersCannotAdd}
          tone="accent"
          onClick={() =>
            void phone.act("setMembersCanAdd", { ...takes, allowed: !chat.membersCanAdd })
          }
        />
      )}
      {owner && chat.kind === "group" && (
        <Cell title={copy.migrate} tone="accent" onClick={() => void migrate()} />
      )}
      {owner ? (
        <Cell
          title={copy.delete}
          tone="danger"
          onClick={() => void phone.act("deleteChat", takes).then(out)}
        />
      ) : (
        <Cell
          title={copy.leave}
          tone="danger"
          onClick={() => void phone.act("leave", takes).then(out)}
        />
      )}
    </Section>
  );
}

function Rename({ chat }: { chat: ChatView }) {
  const phone = usePhone();
  const [title, setTitle] = useState<string | null>(null);
  if (title === null) {
    return <Cell title={copy.rename} tone="accent" onClick={() => setTitle(chat.title)} />;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void phone.act("renameChat", { chatId: chat.id, title }).then(() => setTitle(null));
      }}
    >
      <label className={css.field}>
        {copy.newName}
        <input
          className={css.input}
          value={title}
          maxLength={128}
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      <button type="submit" className={css.wideQuiet}>
        {phoneCopy.save}
      </button>
    </form>
  );
}
