import type { ChatView } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { canManage, isInside } from "../chat-rows.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { BigAction, Composer, ReadOnly, useSend } from "../parts/composer.tsx";
import { ScreenHeader } from "../parts/header.tsx";
import { MessageList } from "../parts/message-list.tsx";
import { usePhone } from "../phone-context.ts";
import type { Screen } from "../ui-state.ts";

type Props = { screen: Extract<Screen, { at: "chat" }> };

/** A group or a channel, as its member sees it, and as whoever was put out of it does. */
export function ChatScreen({ screen }: Props) {
  const phone = usePhone();
  const chat = useWorld().chats.find((one) => one.id === screen.chatId);
  if (chat === undefined) return <Gone />;
  const inside = isInside(chat, phone.person.id);
  const open = inside || chat.username !== null;
  return (
    <>
      <ScreenHeader
        title={chat.title}
        subtitle={phoneCopy.size(chat.kind, chat.memberCount)}
        avatar={<Avatar id={chat.id} name={chat.title} size={38} />}
        {...(inside
          ? {
              opens: phoneCopy.chat.page(chat.title),
              onOpen: () =>
                phone.dispatch({ type: "push", screen: { at: "info", chatId: chat.id } }),
            }
          : {})}
      />
      <MessageList
        label={phoneCopy.messages(chat.title)}
        messages={open ? chat.messages : []}
        place={{ chatId: chat.id }}
        named={chat.kind !== "channel"}
        empty={open ? phoneCopy.chat.emptyGroup : phoneCopy.chat.locked}
      />
      <ChatDock chat={chat} />
    </>
  );
}

function ChatDock({ chat }: { chat: ChatView }) {
  const phone = usePhone();
  const send = useSend({ chatId: chat.id });
  if (chat.migratedTo !== null) {
    const screen: Screen = { at: "chat", chatId: chat.migratedTo };
    return (
      <BigAction
        text={phoneCopy.composer.openUpgraded}
        onClick={() => phone.dispatch({ type: "goTo", screen })}
      />
    );
  }
  if (!isInside(chat, phone.person.id)) return <ReadOnly text={phoneCopy.composer.outside} />;
  if (chat.kind === "channel" && !canManage(chat, phone.person.id)) {
    return <ReadOnly text={phoneCopy.composer.readOnly} />;
  }
  return <Composer onSend={send} />;
}

function Gone() {
  return (
    <>
      <ScreenHeader title={phoneCopy.list.title} />
      <ReadOnly text={phoneCopy.composer.outside} />
    </>
  );
}
