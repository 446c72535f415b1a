import { useState } from "react";
import type {
  CollectorName,
  CollectorView,
  KkiapayModes,
  NoticeView,
  PaymentCall,
  PaymentFault,
  PaymentView,
} from "../../wire.ts";
import { control } from "../world/api.ts";
import { useWorld } from "../world/store.ts";
import { collectCopy as copy } from "./collect-copy.fr.ts";
import { panelCopy } from "./copy.fr.ts";
import { Check, Choice } from "./fields.tsx";
import css from "./panel.module.css";

const SHOWN = 4;

type FaultChoice = PaymentFault | "none";

const PROVIDERS = Object.entries(copy.providers) as [CollectorName, string][];
const FAULTS: [FaultChoice, string][] = [
  ["none", copy.noFault],
  ...(Object.entries(copy.faults) as [PaymentFault, string][]),
];
/** Who gives money back when asked. */
const REFUNDING: readonly CollectorName[] = ["kkiapay", "stars"];
/** Who says of a payment that a bank took it back. */
const TAKEN_BACK: readonly CollectorName[] = ["fedapay", "paydunya"];

/** Who takes the buyers' money: what is asked, what goes wrong, what is told. */
export function CollectSection() {
  const [name, setName] = useState<CollectorName>("moneroo");
  const shown = useWorld().collectors.find((one) => one.name === name);
  const calls: PaymentCall[] = ["create", "fetch"];
  if (REFUNDING.includes(name)) calls.push("refund");
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      <Choice label={copy.provider} value={name} options={PROVIDERS} plain onChange={setName} />
      {shown !== undefined && (
        <>
          {calls.map((call) => (
            <Choice
              key={call}
              label={copy.fault(call)}
              value={shown.faults.find((rule) => rule.call === call)?.kind ?? "none"}
              options={FAULTS}
              onChange={(kind) => void setFault(name, call, kind)}
            />
          ))}
          <Notices collector={shown} />
          <CollectQuirks name={name} />
          <Payments collector={shown} />
        </>
      )}
    </section>
  );
}

async function setFault(
  provider: CollectorName,
  call: PaymentCall,
  kind: FaultChoice,
): Promise<void> {
  // One fault at a time is enough for a visitor.
  await control("setPaymentFault", { provider, call, kind: null });
  if (kind !== "none") await control("setPaymentFault", { provider, call, kind });
}

function Notices({ collector: { name: provider, notices } }: { collector: CollectorView }) {
  return (
    <div className={css.checks}>
      <Check
        label={copy.lost}
        checked={notices.drop}
        onChange={(drop) => void control("setPaymentNotices", { provider, drop })}
      />
      <Check
        label={copy.thrice}
        checked={notices.copies > 1}
        onChange={(on) => void control("setPaymentNotices", { provider, copies: on ? 3 : 1 })}
      />
      <Check
        label={copy.forged}
        checked={notices.forgeSignature}
        onChange={(forgeSignature) =>
          void control("setPaymentNotices", { provider, forgeSignature })
        }
      />
    </div>
  );
}

const KKIAPAY_MODES = Object.entries(copy.quirks.kkiapay) as [keyof KkiapayModes, string][];

/** What goes wrong at one provider alone. */
function CollectQuirks({ name }: { name: CollectorName }) {
  const { faults } = useWorld();
  if (name === "stars") {
    return (
      <Check
        label={copy.quirks.lateStars}
        checked={faults.lateStars}
        onChange={(late) => void control("setStars", { late })}
      />
    );
  }
  if (name !== "kkiapay") return null;
  return (
    <div className={css.checks}>
      {KKIAPAY_MODES.map(([mode, words]) => (
        <Check
          key={mode}
          label={words}
          checked={faults.kkiapay[mode]}
          onChange={(on) => void control("setKkiapay", { [mode]: on })}
        />
      ))}
    </div>
  );
}

function Payments({ collector: { name, payments, told } }: { collector: CollectorView }) {
  return (
    <>
      <h4 className={css.subtitle}>{copy.payments}</h4>
      {payments.length === 0 && <p className={css.quiet}>{copy.none}</p>}
      <ul>
        {payments.slice(0, SHOWN).map((payment) => (
          <PaymentRow key={payment.id} provider={name} payment={payment} />
        ))}
      </ul>
      {told.length > 0 && <h4 className={css.subtitle}>{copy.told}</h4>}
      <ul>
        {told.slice(0, SHOWN).map((notice) => (
          <NoticeRow key={notice.id} provider={name} notice={notice} />
        ))}
      </ul>
    </>
  );
}

/** Nobody refuses or cancels a payment in crypto: it comes, or it does not. */
const outcomesOf = (provider: CollectorName) =>
  provider === "cryptopay" ? (["success"] as const) : (["success", "failure", "cancel"] as const);

function PaymentRow({ provider, payment }: { provider: CollectorName; payment: PaymentView }) {
  const { id, status, reference } = payment;
  return (
    <li className={css.item}>
      <span className={css.itemWords}>
        <b>{copy.price(payment)}</b>
        <span>{reference ?? id}</span>
      </span>
      {status === "pending" ? (
        <span className={css.actions}>
          {outcomesOf(provider).map((outcome) => (
            <button
              type="button"
              key={outcome}
              className={css.small}
              aria-label={copy.settleLabel(outcome, payment)}
              onClick={() => void control("settleCollected", { provider, paymentId: id, outcome })}
            >
              {copy.settle[outcome]}
            </button>
          ))}
        </span>
      ) : (
        <>
          {TAKEN_BACK.includes(provider) && <TakeBack provider={provider} payment={payment} />}
          <span className={css.state} data-state={status === "paid" ? "success" : status}>
            {copy.statuses[status]}
          </span>
        </>
      )}
    </li>
  );
}

/** A bank takes the money back, or gives it up again; the provider says so. */
function TakeBack({ provider, payment }: { provider: CollectorName; payment: PaymentView }) {
  const { id: paymentId, status } = payment;
  const isPaid = status === "paid";
  if (!isPaid && status !== "refunded") return null;
  const word = isPaid ? "refunded" : null;
  return (
    <button
      type="button"
      className={css.small}
      aria-label={isPaid ? copy.takeBackLabel(payment) : copy.restoreLabel(payment)}
      onClick={() =>
        void control("alterCollected", { provider, paymentId, status: word, announced: true })
      }
    >
      {isPaid ? copy.takeBack : copy.restore}
    </button>
  );
}

function NoticeRow({ provider, notice }: { provider: CollectorName; notice: NoticeView }) {
  const words = panelCopy.notices;
  return (
    <li className={css.item}>
      <span className={css.itemWords}>
        <b>{notice.event}</b>
        <span>{words.states[notice.state]}</span>
      </span>
      <button
        type="button"
        className={css.small}
        aria-label={words.repeatLabel(notice.event, notice.id)}
        onClick={() => void control("repeatPaymentNotice", { provider, noticeId: notice.id })}
      >
        {words.repeat}
      </button>
    </li>
  );
}
