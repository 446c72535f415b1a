import { type FormEvent, useState } from "react";
import type { Message, SmsView, WalletView, EmulatorState } from "../../wire.ts";
import { fullName } from "../phone/chat-rows.ts";
import { MessageList } from "../phone/parts/messages.tsx";
import {
  Action,
  BottomSheet,
  Cell,
  focusOnce,
  ScreenHeader,
  StatusBar,
} from "../phone/parts/parts.tsx";
import css from "../phone/phone.module.css";
import { usePhone } from "../phone/phone-state.ts";
import { formatNumber, useEmulators } from "../emulators.ts";
import { moneyCopy as copy } from "./messages.fr.ts";
import { checkSend, digitsOf, formatPhone, grouped, type SendForm, withNumber } from "./numbers.ts";

/** What the operators wrote to this phone, and money sent by hand: outside Telegram, as on any phone. */
export function MobileMoney({ onClose }: { onClose: () => void }) {
  const phone = usePhone();
  const { person } = phone;
  const { wallets, sms, networks } = useEmulators();
  const [sheet, setSheet] = useState<"send" | "numbers" | null>(null);
  const own = wallets.find((wallet) => wallet.personId === person.id);
  const closeSheet = () => setSheet(null);
  return (
    <section
      className={css.layer}
      data-money
      aria-label={copy.region(fullName(person))}
      tabIndex={-1}
      ref={focusOnce}
    >
      <StatusBar />
      <ScreenHeader
        title={copy.title}
        subtitle={own ? `${formatPhone(own.phone, networks)} · ${copy.money(own.balance)}` : ""}
        back={{ label: copy.close, run: onClose }}
        opens={{ label: copy.numbers, run: () => setSheet("numbers") }}
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
      <Action big text={copy.send} onClick={() => setSheet("send")} />
      {sheet === "send" && <SendMoney own={own} onClose={closeSheet} />}
      {sheet === "numbers" && <OwnNumbers onClose={closeSheet} />}
    </section>
  );
}

/** Signed by the operator; a tap on the reference copies it. */
function asMessage(sms: SmsView, networks: EmulatorState["networks"]): Message {
  const { id, sentAt, network, reference, other } = sms;
  const operator = networks.findIndex((one) => one.id === network);
  const before = copy.sms(sms, other.phone === null ? "" : formatPhone(other.phone, networks));
  return {
    message_id: id,
    date: Date.parse(sentAt) / 1_000,
    chat: { id: operator, type: "private", first_name: "" },
    from: { id: operator, first_name: networks[operator]?.name ?? "", is_bot: false },
    text: before + reference,
    entities: [
      { type: "text_link", offset: before.length, length: reference.length, url: reference },
    ],
  };
}

type SendProps = { own: WalletView | undefined; onClose: () => void };

/** To whom and how much; the operator's message is the proof. */
function SendMoney({ own, onClose }: SendProps) {
  const phone = usePhone();
  const { networks, wallets, persons } = useEmulators();
  const first = own?.network ?? networks[0]?.id ?? "";
  const [form, setForm] = useState<SendForm>({ networkId: first, number: "", amount: "" });
  const [sending, setSending] = useState(false);
  const check = checkSend(form, { networks, own });
  // The operator knows who holds a number.
  const holderId = wallets.find((wallet) => wallet.phone === check.phone)?.personId;
  const holder = persons.find((one) => one.id === holderId);
  const words = copy.form;
  const digits = check.network?.digits ?? 0;
  const complaints = {
    own: words.own,
    short: words.short,
    digits: form.number.length > digits ? words.digits(digits) : null,
  };
  const said = check.complaint === null ? null : complaints[check.complaint];
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSending(true);
    const takes = { network: form.networkId, phone: check.phone, amount: check.amount };
    if ((await phone.act("sendMoney", takes)) !== null) onClose();
    setSending(false);
  };
  return (
    <BottomSheet label={copy.send} onClose={onClose}>
      <form className={css.form} onSubmit={(event) => void submit(event)}>
        <NumberFields words={words} form={form} onChange={setForm} />
        <label>
          {words.amount}
          <input
            inputMode="numeric"
            autoComplete="off"
            value={form.amount === "" ? "" : formatNumber(Number(form.amount))}
            onChange={(event) =>
              setForm({ ...form, amount: digitsOf(event.target.value).slice(0, 9) })
            }
          />
        </label>
        <p className={css.hint} role="status">
          {said ?? (holder === undefined ? "" : fullName(holder))}
        </p>
        <Action text={words.submit(check.amount)} disabled={!check.ready || sending} />
      </form>
    </BottomSheet>
  );
}

/** The numbers a person answers to; one more is a second card in the same phone. */
function OwnNumbers({ onClose }: { onClose: () => void }) {
  const phone = usePhone();
  const { wallets, networks } = useEmulators();
  const empty = { networkId: networks[0]?.id ?? "", number: "", amount: "" };
  const [form, setForm] = useState(empty);
  const network = networks.find((one) => one.id === form.networkId);
  const words = copy.mine;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const takes = { network: form.networkId, phone: form.number };
    if ((await phone.act("addNumber", takes)) === null) return;
    setForm(empty);
    phone.say(words.added);
  };
  return (
    <BottomSheet label={copy.numbers} onClose={onClose}>
      <section className={css.section}>
        {wallets
          .filter((wallet) => wallet.personId === phone.person.id)
          .map((wallet) => (
            <Cell
              key={wallet.phone}
              title={formatPhone(wallet.phone, networks)}
              subtitle={`${networks.find(({ id }) => id === wallet.network)?.name} · ${copy.money(wallet.balance)}`}
              onClick={() => phone.copy(wallet.phone)}
            />
          ))}
        <p className={css.hint}>{words.hint}</p>
      </section>
      <form className={css.form} onSubmit={(event) => void submit(event)}>
        <NumberFields words={words} form={form} onChange={setForm} />
        <Action text={words.submit} disabled={form.number.length !== network?.digits} />
      </form>
    </BottomSheet>
  );
}

type FieldsProps = {
  words: { network: string; number: string };
  form: SendForm;
  onChange: (form: SendForm) => void;
};

function NumberFields({ words, form, onChange }: FieldsProps) {
  const { networks } = useEmulators();
  return (
    <>
      <label>
        {words.network}
        <select
          value={form.networkId}
          onChange={(event) => onChange({ ...form, networkId: event.target.value })}
        >
          {networks.map(({ id, name, country, dial }) => (
            <option key={id} value={id}>
              {`${name} · ${country} (+${dial})`}
            </option>
          ))}
        </select>
      </label>
      <label>
        {words.number}
        <input
          inputMode="tel"
          autoComplete="off"
          value={grouped(form.number)}
          onChange={(event) => onChange(withNumber(form, event.target.value, networks))}
        />
      </label>
    </>
  );
}
