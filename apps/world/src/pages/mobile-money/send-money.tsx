import { type FormEvent, useState } from "react";
import type { SentMoney } from "../../wire.ts";
import { fullName } from "../phone/chat-rows.ts";
import { usePhone } from "../phone/phone-context.ts";
import { formatNumber } from "../world/format.ts";
import { useWorld } from "../world/store.ts";
import { moneyCopy } from "./copy.fr.ts";
import { checkSend, type SendCheck, type SendForm, withNumber } from "./form.ts";
import css from "./mobile-money.module.css";
import { NetworkChoice } from "./network-choice.tsx";
import { NetworkMark } from "./network-mark.tsx";
import { digitsOf, formatPhone, grouped } from "./numbers.ts";

const copy = moneyCopy.form;

type Props = { onSent: (sent: SentMoney) => void };

/** To whom and how much; then once more before it leaves. */
export function SendMoney({ onSent }: Props) {
  const phone = usePhone();
  const { networks, wallets } = useWorld();
  const own = wallets.find((wallet) => wallet.personId === phone.person.id);
  const first = own?.network ?? networks[0]?.id ?? "";
  const [form, setForm] = useState<SendForm>({ networkId: first, number: "", amount: "" });
  const [confirming, setConfirming] = useState(false);
  const check = checkSend(form, { networks, own });
  const send = async () => {
    const takes = { network: form.networkId, phone: check.phone, amount: check.amount };
    const answer = await phone.act("sendMoney", takes);
    if (answer !== null) onSent(answer.gives);
  };
  if (confirming) {
    return <Confirm check={check} onChange={() => setConfirming(false)} onSend={send} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (check.ready) setConfirming(true);
  };
  return (
    <form className={css.page} onSubmit={submit}>
      <NetworkChoice
        label={copy.network}
        value={form.networkId}
        onChange={(networkId) => setForm({ ...form, networkId })}
      />
      <NumberField form={form} check={check} onChange={setForm} />
      <AmountField form={form} check={check} balance={own?.balance ?? 0} onChange={setForm} />
      <button type="submit" className={css.primary} disabled={!check.ready}>
        {copy.next}
      </button>
    </form>
  );
}

type FieldProps = { form: SendForm; check: SendCheck; onChange: (form: SendForm) => void };

function NumberField({ form, check, onChange }: FieldProps) {
  const { networks } = useWorld();
  const holder = useHolder(check.phone);
  const tooLong = form.number.length > (check.network?.digits ?? 0);
  const complaint =
    check.complaint === "own" ? copy.own : tooLong ? copy.digits(check.network?.digits ?? 0) : null;
  return (
    <label className={css.field}>
      <span className={css.label}>{copy.number}</span>
      <span className={css.box}>
        <span className={css.dial}>{`+${check.network?.dial ?? ""}`}</span>
        <input
          inputMode="tel"
          autoComplete="off"
          aria-label={copy.number}
          value={grouped(form.number)}
          onChange={(event) => onChange(withNumber(form, event.target.value, networks))}
        />
      </span>
      {complaint !== null && <span className={css.complaint}>{complaint}</span>}
      {complaint === null && holder !== null && <span className={css.holder}>{holder}</span>}
    </label>
  );
}

function AmountField({ form, check, balance, onChange }: FieldProps & { balance: number }) {
  const digits = digitsOf(form.amount);
  const short = check.amount > balance;
  return (
    <label className={css.field}>
      <span className={css.label}>{copy.amount}</span>
      <span className={css.amountBox}>
        <input
          inputMode="numeric"
          autoComplete="off"
          aria-label={copy.amount}
          placeholder="0"
          value={digits === "" ? "" : formatNumber(Number(digits))}
          onChange={(event) => {
            const amount = digitsOf(event.target.value).slice(0, 9);
            onChange({ ...form, amount });
          }}
        />
        <span>{copy.currency}</span>
      </span>
      <span className={short ? css.complaint : css.note}>
        {short ? copy.short : `${copy.available(balance)} · ${copy.free}`}
      </span>
    </label>
  );
}

/** The operator knows who holds a number. */
function useHolder(phone: string): string | null {
  const { wallets, persons } = useWorld();
  const personId = wallets.find((wallet) => wallet.phone === phone)?.personId ?? null;
  const person = persons.find((one) => one.id === personId);
  return person === undefined ? null : fullName(person);
}

type ConfirmProps = { check: SendCheck; onChange: () => void; onSend: () => Promise<void> };

function Confirm({ check, onChange, onSend }: ConfirmProps) {
  const { networks } = useWorld();
  const holder = useHolder(check.phone);
  const [sending, setSending] = useState(false);
  const words = moneyCopy.confirm;
  return (
    <div className={css.page}>
      <div className={css.summary} role="group" aria-label={words.title}>
        <p className={css.summaryAmount}>{moneyCopy.money(check.amount)}</p>
        <p className={css.summaryTo}>
          <NetworkMark network={check.network?.id ?? ""} size={38} />
          <span>
            <b>{holder ?? words.unknown}</b>
            <span>{formatPhone(check.phone, networks)}</span>
            <span>{`${check.network?.name ?? ""} · ${check.network?.country ?? ""}`}</span>
          </span>
        </p>
      </div>
      <button
        type="button"
        className={css.primary}
        disabled={sending}
        onClick={() => {
          setSending(true);
          void onSend().finally(() => setSending(false));
        }}
      >
        {words.send(check.amount)}
      </button>
      <button type="button" className={css.quietButton} onClick={onChange}>
        {words.change}
      </button>
    </div>
  );
}
