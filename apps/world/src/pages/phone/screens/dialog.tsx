import { useState } from "react";
import type { BotView, DialogView } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { BigAction, Composer, useSend } from "../parts/composer.tsx";
import { ScreenHeader } from "../parts/header.tsx";
import { MessageList } from "../parts/message-list.tsx";
import { usePhone } from "../phone-context.ts";
import type { Screen } from "../ui-state.ts";

type Props = { screen: Extract<Screen, { at: "dialog" }> };

/** The private chat with a bot. */
export function BotDialog({ screen }: Props) {
  const phone = usePhone();
  const world = useWorld();
  const bot = world.bots.find((one) => one.role === screen.bot);
  const dialog = world.dialogs.find(
    (one) => one.personId === phone.person.id && one.bot === screen.bot,
  );
  if (bot === undefined) return null;
  return (
    <>
      <ScreenHeader
        title={bot.name}
        subtitle={dialog?.blocked ? phoneCopy.botBlocked : phoneCopy.bot}
        avatar={<Avatar id={bot.id} name={bot.name} bot size={38} />}
        opens={phoneCopy.dialog.page(bot.name)}
        onOpen={() => phone.dispatch({ type: "push", screen: { at: "bot", bot: bot.role } })}
      />
      <MessageList
        label={phoneCopy.messages(bot.name)}
        messages={dialog?.messages ?? []}
        place={{ bot: bot.role }}
        named={false}
        empty={phoneCopy.dialog.empty(bot.description)}
      />
      <DialogDock bot={bot} dialog={dialog} startPayload={screen.startPayload} />
    </>
  );
}

type DockProps = { bot: BotView; dialog: DialogView | undefined; startPayload: string | null };

function DialogDock({ bot, dialog, startPayload }: DockProps) {
  const phone = usePhone();
  const send = useSend({ bot: bot.role });
  if (dialog?.blocked) {
    return (
      <BigAction
        text={phoneCopy.composer.unblock}
        onClick={() => void phone.act("unblockBot", { bot: bot.role })}
      />
    );
  }
  // A bot allowed to write from its mini app is spoken to as one that was started.
  const met = dialog?.started === true || dialog?.writeAccess === true;
  if (!met || startPayload !== null) {
    const start = () => {
      send(startPayload === null ? "/start" : `/start ${startPayload}`);
      const screen: Screen = { at: "dialog", bot: bot.role, startPayload: null };
      phone.dispatch({ type: "replace", screen });
    };
    return <BigAction text={phoneCopy.composer.start} onClick={start} />;
  }
  return <Answering bot={bot} dialog={dialog} />;
}

/** The field below; open on the answer when the bot asked for one. */
function Answering({ bot, dialog }: Pick<DockProps, "bot" | "dialog">) {
  const phone = usePhone();
  const [putAside, setPutAside] = useState<number | null>(null);
  const asks = dialog?.asks ?? null;
  const asked = dialog?.messages.find((message) => message.messageId === asks?.messageId);
  const open = asks !== null && asked !== undefined && asks.messageId !== putAside;
  const to = { bot: bot.role };
  const send = (text: string) =>
    void phone.act("sendMessage", open ? { to, text, replyTo: asks.messageId } : { to, text });
  return (
    <Composer
      key={open ? asks.messageId : "free"}
      bot={bot}
      onSend={send}
      {...(open
        ? {
            answer: {
              to: bot.name,
              quoted: asked.text,
              placeholder: asks.placeholder,
              onCancel: () => setPutAside(asks.messageId),
            },
          }
        : {})}
    />
  );
}
