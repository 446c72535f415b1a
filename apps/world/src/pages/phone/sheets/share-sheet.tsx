import type { Place } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { canManage, fullName, isInside } from "../chat-rows.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Cell, Section } from "../parts/cells.tsx";
import css from "../parts/parts.module.css";
import { BottomSheet } from "../parts/sheet.tsx";
import { usePhone } from "../phone-context.ts";
import type { PreparedShare } from "../ui-state.ts";

const copy = phoneCopy.share;

type Target = { name: string; to: Place };
type Props = { text: string; prepared: PreparedShare | null };

/** Chooses whom a link, or a message prepared by the bot, is sent to. */
export function ShareSheet({ text, prepared }: Props) {
  const phone = usePhone();
  const close = () => phone.dispatch({ type: "sheet", sheet: null });
  const dismiss = () => {
    prepared?.answer("USER_DECLINED");
    close();
  };
  const send = async (target: Target) => {
    if (prepared !== null) await sendPrepared(target.to, prepared);
    else if ((await phone.act("sendMessage", { to: target.to, text })) === null) return;
    close();
    phone.say(copy.sent(target.name));
  };
  const sendPrepared = async (to: Place, share: PreparedShare) => {
    const answer = await phone.act("sendPreparedMessage", { bot: share.bot, id: share.id, to });
    if (answer === null) share.answer("MESSAGE_SEND_FAILED");
    else share.answer("error" in answer.gives ? answer.gives.error : null);
  };
  return (
    <BottomSheet label={copy.title} onClose={dismiss}>
      {text !== "" && <p className={css.quoted}>{text}</p>}
      <Targets onChoose={(target) => void send(target)} />
    </BottomSheet>
  );
}

function Targets({ onChoose }: { onChoose: (target: Target) => void }) {
  const phone = usePhone();
  const { persons, phones, chats } = useWorld();
  const me = phone.person.id;
  const writable = chats.filter(
    (chat) =>
      chat.migratedTo === null &&
      isInside(chat, me) &&
      (chat.kind !== "channel" || canManage(chat, me)),
  );
  return (
    <>
      <Section title={copy.people}>
        {persons
          .filter((person) => person.id !== me)
          .map((person) => {
            const name = fullName(person);
            const held = phones.find((one) => one.personId === person.id);
            return (
              <Cell
                key={person.id}
                title={name}
                label={name}
                subtitle={held && phoneCopy.switcher.holding(phoneCopy.phones[held.id].role)}
                before={<Avatar id={person.id} name={name} size={40} />}
                onClick={() => onChoose({ name, to: { personId: person.id } })}
              />
            );
          })}
      </Section>
      {writable.length > 0 && (
        <Section title={copy.chats}>
          {writable.map((chat) => (
            <Cell
              key={chat.id}
              title={chat.title}
              label={chat.title}
              before={<Avatar id={chat.id} name={chat.title} size={40} />}
              onClick={() => onChoose({ name: chat.title, to: { chatId: chat.id } })}
            />
          ))}
        </Section>
      )}
    </>
  );
}
