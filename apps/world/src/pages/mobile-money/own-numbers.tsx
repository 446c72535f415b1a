import { type FormEvent, useState } from "react";
import { usePhone } from "../phone/phone-context.ts";
import { useWorld } from "../world/store.ts";
import { moneyCopy } from "./copy.fr.ts";
import { withNumber } from "./form.ts";
import css from "./mobile-money.module.css";
import { NetworkChoice } from "./network-choice.tsx";
import { NetworkMark } from "./network-mark.tsx";
import { formatPhone, grouped } from "./numbers.ts";

const copy = moneyCopy.mine;

/** The numbers a person answers to; one more is a second card in the same phone. */
export function OwnNumbers() {
  const { person } = usePhone();
  const { wallets, networks } = useWorld();
  const mine = wallets.filter((wallet) => wallet.personId === person.id);
  return (
    <div className={css.page}>
      <ul className={css.list}>
        {mine.map((wallet) => (
          <li key={wallet.phone} className={css.row}>
            <NetworkMark network={wallet.network} size={36} />
            <span className={css.rowWords}>
              <b>{formatPhone(wallet.phone, networks)}</b>
              <span>{networks.find((one) => one.id === wallet.network)?.name}</span>
              <span className={css.rowAmount}>{moneyCopy.money(wallet.balance)}</span>
            </span>
          </li>
        ))}
      </ul>
      <AddNumber />
    </div>
  );
}

function AddNumber() {
  const phone = usePhone();
  const { networks } = useWorld();
  const empty = { networkId: networks[0]?.id ?? "", number: "", amount: "" };
  const [form, setForm] = useState(empty);
  const network = networks.find((one) => one.id === form.networkId);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const takes = { network: form.networkId, phone: form.number };
    if ((await phone.act("addNumber", takes)) === null) return;
    setForm(empty);
    phone.say(copy.added);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <h4 className={css.subtitle}>{copy.add}</h4>
      <p className={css.hint}>{copy.hint}</p>
      <NetworkChoice
        label={copy.network}
        value={form.networkId}
        onChange={(networkId) => setForm({ ...form, networkId })}
      />
      <label className={css.field}>
        <span className={css.label}>{copy.number}</span>
        <span className={css.box}>
          <span className={css.dial}>{`+${network?.dial ?? ""}`}</span>
          <input
            inputMode="tel"
            autoComplete="off"
            aria-label={copy.number}
            value={grouped(form.number)}
            onChange={(event) => setForm(withNumber(form, event.target.value, networks))}
          />
        </span>
      </label>
      <button
        type="submit"
        className={css.primary}
        disabled={form.number.length !== network?.digits}
      >
        {copy.submit}
      </button>
    </form>
  );
}
