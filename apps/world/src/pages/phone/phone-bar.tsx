import { useState } from "react";
import type { PersonView, PhoneView } from "../../wire.ts";
import { moneyCopy } from "../mobile-money/copy.fr.ts";
import type { Money } from "../mobile-money/use-money.ts";
import { act, control } from "../world/api.ts";
import { useWorld } from "../world/store.ts";
import { fullName } from "./chat-rows.ts";
import { phoneCopy } from "./copy.fr.ts";
import { Avatar } from "./parts/avatar.tsx";
import { Icon } from "./parts/icon.tsx";
import css from "./phone-bar.module.css";

type Props = {
  phone: PhoneView;
  person: PersonView | undefined;
  money: Money;
};

/** Outside the glass: whose phone it is, and what a visitor may change about it. */
export function PhoneBar({ phone, person, money }: Props) {
  const [choosing, setChoosing] = useState(false);
  const name = person === undefined ? "" : fullName(person);
  return (
    <header className={css.bar}>
      <h2 className={css.role}>{phoneCopy.phones[phone.id].role}</h2>
      <button
        type="button"
        className={css.person}
        aria-label={phoneCopy.switcher.change(name)}
        aria-expanded={choosing}
        onClick={() => setChoosing(!choosing)}
      >
        {person !== undefined && <Avatar id={person.id} name={name} size={22} />}
        <span className={css.name}>{name}</span>
        <Icon name="down" size={14} />
      </button>
      <span className={css.space} />
      <MoneyButton money={money} />
      <SlowNetwork phone={phone} />
      {choosing && <PersonChooser phone={phone} onDone={() => setChoosing(false)} />}
    </header>
  );
}

/** The operators' app lives beside Telegram on the same phone. */
function MoneyButton({ money }: { money: Money }) {
  const { open, unread, setOpen } = money;
  return (
    <button
      type="button"
      className={css.tool}
      aria-label={unread > 0 ? moneyCopy.unread(unread) : moneyCopy.title}
      aria-pressed={open}
      title={moneyCopy.title}
      onClick={() => setOpen(!open)}
    >
      <Icon name="wallet" size={19} />
      {unread > 0 && <span className={css.dot} aria-hidden="true" />}
    </button>
  );
}

const SLOW_MS = 1500;

function SlowNetwork({ phone }: { phone: PhoneView }) {
  const slow = phone.delayMs > 0;
  const toggle = () =>
    void control("setPhoneNetwork", { phone: phone.id, delayMs: slow ? 0 : SLOW_MS });
  return (
    <button
      type="button"
      className={css.tool}
      aria-label={phoneCopy.frame.slow}
      aria-pressed={slow}
      title={slow ? phoneCopy.frame.fast : phoneCopy.frame.slow}
      onClick={toggle}
    >
      <Icon name="slow" size={18} />
    </button>
  );
}

function PersonChooser({ phone, onDone }: { phone: PhoneView; onDone: () => void }) {
  const { persons, phones } = useWorld();
  const hold = async (personId: number) => {
    await act("switchPerson", { phone: phone.id, personId });
    onDone();
  };
  return (
    <div className={css.chooser} role="dialog" aria-label={phoneCopy.switcher.title}>
      <p className={css.chooserTitle}>{phoneCopy.switcher.title}</p>
      <ul>
        {persons.map((person) => {
          const name = fullName(person);
          const held = phones.find((one) => one.personId === person.id);
          return (
            <li key={person.id}>
              <button
                type="button"
                className={css.choice}
                aria-label={name}
                aria-pressed={person.id === phone.personId}
                onClick={() => void hold(person.id)}
              >
                <Avatar id={person.id} name={name} size={28} />
                <span className={css.choiceName}>{name}</span>
                {held !== undefined && (
                  <span className={css.held}>{phoneCopy.phones[held.id].role}</span>
                )}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
