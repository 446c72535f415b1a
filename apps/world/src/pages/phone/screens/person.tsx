import { useWorld } from "../../world/store.ts";
import { fullName, talkBetween } from "../chat-rows.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Composer, useSend } from "../parts/composer.tsx";
import { ScreenHeader } from "../parts/header.tsx";
import { MessageList } from "../parts/message-list.tsx";
import { usePhone } from "../phone-context.ts";
import type { Screen } from "../ui-state.ts";

type Props = { screen: Extract<Screen, { at: "person" }> };

/** Between two people of the demonstration: how a seller's link reaches a buyer. */
export function PersonDialog({ screen }: Props) {
  const phone = usePhone();
  const world = useWorld();
  const place = { personId: screen.personId };
  const send = useSend(place);
  const other = world.persons.find((one) => one.id === screen.personId);
  if (other === undefined) return null;
  const name = fullName(other);
  return (
    <>
      <ScreenHeader
        title={name}
        subtitle={phoneCopy.person.online}
        avatar={<Avatar id={other.id} name={name} size={38} />}
      />
      <MessageList
        label={phoneCopy.messages(name)}
        messages={talkBetween(world, phone.person.id, other.id)}
        place={place}
        named={false}
        empty={phoneCopy.person.empty}
      />
      <Composer onSend={send} />
    </>
  );
}
