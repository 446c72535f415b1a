import type { Place } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { canManage, fullName, isInside } from "../chat-rows.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Cell, Section } from "../parts/cells.tsx";
import css from "../parts/parts.module.css";
import { BottomSheet } from "../parts/sheet.tsx";
import { usePhone } from "../phone-context.ts";

const copy = phoneCopy.share;

type Target = { name: string; to: Place };

/** Chooses whom a link is sent to. */
export function ShareSheet({ text }: { text: string }) {
  const phone = usePhone();
  const close = () => phone.dispatch({ type: "sheet", sheet: null });
  const send = async ({ name, to }: Target) => {
    if ((await phone.act("sendMessage", { to, text })) === null) return;
    close();
    phone.say(copy.sent(name));
  };
  return (
    <BottomSheet label={copy.title} onClose={close}>
      <p className={css.quoted}>{text}</p>
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
