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
        subtitle={phoneCopy.bot}
        avatar={<Avatar id={bot.id} name={bot.name} bot size={38} />}
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
  return <Composer bot={bot} onSend={send} />;
}
