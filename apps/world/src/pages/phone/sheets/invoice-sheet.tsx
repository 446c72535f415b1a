import { useState } from "react";
import type { InvoiceView, PaidInvoice } from "../../../wire.ts";
import { control } from "../../world/api.ts";
import { useWorld } from "../../world/store.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import { Icon } from "../parts/icon.tsx";
import css from "../parts/parts.module.css";
import { BottomSheet } from "../parts/sheet.tsx";
import { usePhone } from "../phone-context.ts";
import type { ClosedInvoice } from "../ui-state.ts";

const copy = phoneCopy.stars;
/** What one buys at a time: enough for most prices, little enough to run out. */
const BOUGHT = 1_000;

type Props = { invoice: InvoiceView; onClosed: ((status: ClosedInvoice) => void) | null };

/** What a bot asks for in Stars: paid here, or put away. */
export function InvoiceSheet({ invoice, onClosed }: Props) {
  const phone = usePhone();
  const [paying, setPaying] = useState(false);
  const { slug: link, title } = invoice;
  const end = (status: ClosedInvoice) => {
    phone.dispatch({ type: "sheet", sheet: null });
    onClosed?.(status);
  };
  const putAway = () => {
    void phone.act("cancelInvoice", { link });
    end(paying ? "pending" : "cancelled");
  };
  const pay = async () => {
    setPaying(true);
    const answer = await phone.act("payInvoice", { link });
    if (answer === null) return end("failed");
    say(answer.gives);
    end(answer.gives.status);
  };
  const say = ({ status, why, words }: PaidInvoice) => {
    if (status === "paid") return phone.say(copy.paid(title));
    const text = why === "no-answer" ? copy.noAnswer : (words ?? copy.refused);
    phone.dispatch({ type: "notice", notice: { kind: "alert", text } });
  };
  return (
    <BottomSheet label={copy.title} onClose={putAway}>
      <InvoiceWords invoice={invoice} />
      <Payment invoice={invoice} paying={paying} onPay={() => void pay()} />
    </BottomSheet>
  );
}

function InvoiceWords({ invoice }: { invoice: InvoiceView }) {
  const bot = useWorld().bots.find((one) => one.role === invoice.bot);
  return (
    <div className={css.hero}>
      <Avatar id={bot?.id ?? 0} name={invoice.botName} bot size={64} />
      <p className={css.heroNote}>{copy.to(invoice.botName)}</p>
      <p className={css.heroName}>{invoice.title}</p>
      <p className={css.heroNote}>{invoice.description}</p>
      <p className={css.price}>
        <Icon name="star" size={26} />
        {copy.amount(invoice.amount)}
      </p>
      {invoice.recurring && <p className={css.heroNote}>{copy.monthly}</p>}
    </div>
  );
}

type PaymentProps = { invoice: InvoiceView; paying: boolean; onPay: () => void };

function Payment({ invoice: { amount }, paying, onPay }: PaymentProps) {
  const { person } = usePhone();
  const missing = amount - person.stars;
  return (
    <>
      <p className={css.hint} role="status">
        {paying ? copy.paying : missing > 0 ? copy.missing(missing) : copy.wallet(person.stars)}
      </p>
      {missing > 0 && !paying ? (
        <button
          type="button"
          className={css.wideQuiet}
          onClick={() =>
            void control("setStars", { personId: person.id, stars: person.stars + BOUGHT })
          }
        >
          {copy.buy(BOUGHT)}
        </button>
      ) : (
        <button
          type="button"
          className={css.wide}
          aria-label={copy.pay(amount)}
          disabled={paying}
          onClick={onPay}
        >
          <span className={css.payWords}>
            {copy.payFor} <Icon name="star" size={18} /> {copy.amount(amount)}
          </span>
        </button>
      )}
      <p className={css.hint}>{copy.simulated}</p>
    </>
  );
}
