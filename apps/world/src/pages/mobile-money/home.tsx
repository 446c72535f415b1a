import type { SmsView, WalletView } from "../../wire.ts";
import { Icon } from "../phone/parts/icon.tsx";
import { usePhone } from "../phone/phone-context.ts";
import { formatClock, formatDay, sameDay } from "../world/format.ts";
import { useWorld } from "../world/store.ts";
import { moneyCopy as copy } from "./copy.fr.ts";
import css from "./mobile-money.module.css";
import { copyText } from "./copy-text.ts";
import { NetworkMark } from "./network-mark.tsx";
import { formatPhone } from "./numbers.ts";

/** The cards of each number, and below them what the operators wrote. */
export function MoneyHome({ onSend }: { onSend: () => void }) {
  const { person } = usePhone();
  const { wallets, sms } = useWorld();
  const mine = wallets.filter((wallet) => wallet.personId === person.id);
  const messages = sms.filter((one) => one.personId === person.id);
  return (
    <>
      <ul className={css.cards} data-many={mine.length > 1}>
        {mine.map((wallet) => (
          <Card key={wallet.phone} wallet={wallet} />
        ))}
      </ul>
      <div className={css.thread}>
        <div className={css.log} role="log" aria-label={copy.messages}>
          {messages.length === 0 && <p className={css.empty}>{copy.empty}</p>}
          {messages.map((message, at) => {
            const before = messages[at - 1];
            const newDay = before === undefined || !sameDay(before.sentAt, message.sentAt);
            return (
              <div key={message.id} className={css.item}>
                {newDay && <p className={css.day}>{formatDay(message.sentAt)}</p>}
                <Sms message={message} />
              </div>
            );
          })}
        </div>
      </div>
      <div className={css.dock}>
        <button type="button" className={css.primary} onClick={onSend}>
          {copy.send}
        </button>
      </div>
    </>
  );
}

function Card({ wallet }: { wallet: WalletView }) {
  const phone = usePhone();
  const { networks } = useWorld();
  const number = formatPhone(wallet.phone, networks);
  const network = networks.find((one) => one.id === wallet.network);
  return (
    <li className={css.card}>
      <p className={css.cardTop}>
        <NetworkMark network={wallet.network} size={34} />
        <span className={css.cardNetwork}>
          <b>{network?.name}</b>
          <span>{network?.country}</span>
        </span>
      </p>
      <p className={css.cardBalance}>
        <span className={css.cardLabel}>{copy.balance}</span>
        {copy.money(wallet.balance)}
      </p>
      <button
        type="button"
        className={css.cardNumber}
        aria-label={copy.copyNumber(number)}
        onClick={() => copyText(phone, { text: wallet.phone, said: copy.numberCopied })}
      >
        {number}
        <Icon name="copy" size={14} />
      </button>
    </li>
  );
}

function Sms({ message }: { message: SmsView }) {
  const phone = usePhone();
  const { networks } = useWorld();
  const { kind, amount, other, reference, balance, network, sentAt } = message;
  const words = copy.sms;
  const number = other.phone === null ? null : formatPhone(other.phone, networks);
  return (
    <div className={css.sms}>
      <NetworkMark network={network} size={30} />
      <div className={css.smsColumn}>
        <p className={css.smsFrom}>
          <b>{copy.sender(network)}</b>
          <time>{formatClock(sentAt)}</time>
        </p>
        <p className={css.bubble}>
          {words.before[kind]}
          <b>{words.amount(amount)}</b>
          {words.other(message, number)}
          {kind === "sent" && words.fee}
          {words.balance(balance)}
          {words.reference}
          <button
            type="button"
            className={css.reference}
            aria-label={words.copy(reference)}
            onClick={() => copyText(phone, { text: reference, said: copy.receipt.copied })}
          >
            {reference}
            <Icon name="copy" size={12} />
          </button>
        </p>
      </div>
    </div>
  );
}
