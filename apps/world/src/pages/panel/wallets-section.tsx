import { fullName } from "../phone/chat-rows.ts";
import { formatPhone } from "../mobile-money/numbers.ts";
import { control } from "../world/api.ts";
import { useWorld } from "../world/store.ts";
import { panelCopy } from "./copy.fr.ts";
import css from "./panel.module.css";
import { payoutCopy } from "./payout-copy.fr.ts";

const copy = payoutCopy.wallets;
const CREDIT = 500_000;

/** Everybody's number and what is on it. */
export function WalletsSection() {
  const { wallets, persons, networks } = useWorld();
  const held = wallets.filter((wallet) => wallet.personId !== null);
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      <p className={css.quiet}>{copy.hint}</p>
      <ul>
        {held.map(({ phone, personId, balance }) => {
          const person = persons.find((one) => one.id === personId);
          const name = person === undefined ? phone : fullName(person);
          return (
            <li key={phone} className={css.item}>
              <span className={css.itemWords}>
                <b>{`${name} · ${panelCopy.money(balance)}`}</b>
                <span>{formatPhone(phone, networks)}</span>
              </span>
              <button
                type="button"
                className={css.small}
                aria-label={copy.creditLabel(name)}
                onClick={() => void control("creditWallet", { phone, amount: CREDIT })}
              >
                {copy.credit}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
