import type { SentMoney } from "../../wire.ts";
import { Icon } from "../phone/parts/icon.tsx";
import { usePhone } from "../phone/phone-context.ts";
import { useWorld } from "../world/store.ts";
import { copyText } from "./copy-text.ts";
import { moneyCopy } from "./copy.fr.ts";
import css from "./mobile-money.module.css";
import { formatPhone } from "./numbers.ts";

const copy = moneyCopy.receipt;

/** The proof of a payment by hand: its reference is what the agent types at the desk. */
export function Receipt({ sent, onDone }: { sent: SentMoney; onDone: () => void }) {
  const phone = usePhone();
  const { networks } = useWorld();
  const { amount, name, reference, balance } = sent;
  const number = formatPhone(sent.phone, networks);
  return (
    <div className={css.page}>
      <div className={css.receipt} role="status">
        <span className={css.tick} aria-hidden="true">
          <Icon name="check" size={34} />
        </span>
        <h3 className={css.receiptTitle}>{copy.title}</h3>
        <p className={css.receiptAmount}>{moneyCopy.money(amount)}</p>
        <p className={css.receiptTo}>{name === null ? number : `${name} · ${number}`}</p>
      </div>
      <div className={css.proof}>
        <span className={css.label}>{copy.reference}</span>
        <output className={css.proofWords} aria-label={copy.reference}>
          {reference}
        </output>
        <button
          type="button"
          className={css.copy}
          onClick={() => copyText(phone, { text: reference, said: copy.copied })}
        >
          <Icon name="copy" size={16} />
          {copy.copy}
        </button>
      </div>
      <p className={css.after}>
        <span>{copy.balance}</span>
        <b>{moneyCopy.money(balance)}</b>
      </p>
      <button type="button" className={css.primary} onClick={onDone}>
        {copy.done}
      </button>
    </div>
  );
}
