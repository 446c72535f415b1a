import { type FormEvent, useState } from "react";
import type { WalletView } from "../../wire.ts";
import { fullName } from "../phone/chat-rows.ts";
import { Cell, Section } from "../phone/parts/cells.tsx";
import { Icon } from "../phone/parts/icon.tsx";
import css from "../phone/parts/parts.module.css";
import { BottomSheet } from "../phone/parts/sheet.tsx";
import { usePhone } from "../phone/phone-context.ts";
import { formatNumber } from "../world/format.ts";
import { useWorld } from "../world/store.ts";
import { moneyCopy as copy } from "./copy.fr.ts";
import { checkSend, type SendForm, withNumber } from "./form.ts";
import { digitsOf, formatPhone, grouped } from "./numbers.ts";

type SendProps = { own: WalletView | undefined; onClose: () => void };

/** To whom and how much; the operator's message is the proof. */
export function SendMoney({ own, onClose }: SendProps) {
  const phone = usePhone();
  const { networks, wallets, persons } = useWorld();
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
      <form onSubmit={(event) => void submit(event)}>
        <NumberFields words={words} form={form} onChange={setForm} />
        <label className={css.field}>
          {words.amount}
          <input
            className={css.input}
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
        <button type="submit" className={css.wide} disabled={!check.ready || sending}>
          {words.submit(check.amount)}
        </button>
      </form>
    </BottomSheet>
  );
}

/** The numbers a person answers to; one more is a second card in the same phone. */
export function OwnNumbers({ onClose }: { onClose: () => void }) {
  const phone = usePhone();
  const { wallets, networks } = useWorld();
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
      <Section hint={words.hint}>
        {wallets
          .filter((wallet) => wallet.personId === phone.person.id)
          .map((wallet) => (
            <Cell
              key={wallet.phone}
              title={formatPhone(wallet.phone, networks)}
              subtitle={`${networks.find(({ id }) => id === wallet.network)?.name} · ${copy.money(wallet.balance)}`}
              after={<Icon name="copy" size={18} />}
              onClick={() => phone.copy(wallet.phone)}
            />
          ))}
      </Section>
      <form onSubmit={(event) => void submit(event)}>
        <NumberFields words={words} form={form} onChange={setForm} />
        <button
          type="submit"
          className={css.wide}
          disabled={form.number.length !== network?.digits}
        >
          {words.submit}
        </button>
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
  const { networks } = useWorld();
  return (
    <>
      <label className={css.field}>
        {words.network}
        <select
          className={css.input}
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
      <label className={css.field}>
        {words.number}
        <input
          className={css.input}
          inputMode="tel"
          autoComplete="off"
          value={grouped(form.number)}
          onChange={(event) => onChange(withNumber(form, event.target.value, networks))}
        />
      </label>
    </>
  );
}
