import { useEffect, useRef, useState } from "react";
import type { MessageView, SmsView, WorldState } from "../../wire.ts";
import { fullName } from "../phone/chat-rows.ts";
import { BigAction } from "../phone/parts/composer.tsx";
import { ScreenHeader } from "../phone/parts/header.tsx";
import { MessageList } from "../phone/parts/message-list.tsx";
import { usePhone } from "../phone/phone-context.ts";
import { StatusBar } from "../phone/status-bar.tsx";
import { useWorld } from "../world/store.ts";
import { moneyCopy as copy } from "./copy.fr.ts";
import css from "./mobile-money.module.css";
import { formatPhone } from "./numbers.ts";
import { OwnNumbers, SendMoney } from "./sheets.tsx";

/** What the operators wrote to this phone, and money sent by hand: outside Telegram, as on any phone. */
export function MobileMoney({ onClose }: { onClose: () => void }) {
  const phone = usePhone();
  const { person } = phone;
  const { wallets, sms, networks } = useWorld();
  const [sheet, setSheet] = useState<"send" | "numbers" | null>(null);
  const layer = useRef<HTMLElement>(null);
  useEffect(() => layer.current?.focus({ preventScroll: true }), []);
  const own = wallets.find((wallet) => wallet.personId === person.id);
  const closeSheet = () => setSheet(null);
  return (
    <section
      className={css.layer}
      aria-label={copy.region(fullName(person))}
      tabIndex={-1}
      ref={layer}
    >
      <StatusBar />
      <ScreenHeader
        title={copy.title}
        subtitle={own ? `${formatPhone(own.phone, networks)} · ${copy.money(own.balance)}` : ""}
        back={{ label: copy.close, run: onClose }}
        opens={copy.numbers}
        onOpen={() => setSheet("numbers")}
      />
      <MessageList
        label={copy.messages}
        messages={sms
          .filter((one) => one.personId === person.id)
          .map((one) => asMessage(one, networks))}
        place={{ personId: person.id }}
        named
        empty={copy.empty}
        onLink={phone.copy}
      />
      <BigAction text={copy.send} onClick={() => setSheet("send")} />
      {sheet === "send" && <SendMoney own={own} onClose={closeSheet} />}
      {sheet === "numbers" && <OwnNumbers onClose={closeSheet} />}
    </section>
  );
}

/** Signed by the operator; a tap on the reference copies it. */
function asMessage(sms: SmsView, networks: WorldState["networks"]): MessageView {
  const { id, sentAt, network, reference, other } = sms;
  const operator = networks.findIndex((one) => one.id === network);
  const before = copy.sms(sms, other.phone === null ? "" : formatPhone(other.phone, networks));
  return {
    messageId: id,
    sentAt,
    edited: false,
    from: { id: operator, name: networks[operator]?.name ?? "", isBot: false },
    text: before + reference,
    entities: [
      { type: "text_link", offset: before.length, length: reference.length, url: reference },
    ],
    photoUrl: null,
    buttons: [],
    service: null,
  };
}
