import { useState } from "react";
import type { MonerooApiMode, NoticeView, MonerooPaymentView } from "../../wire.ts";
import { control } from "../world/api.ts";
import { useWorld } from "../world/store.ts";
import { panelCopy } from "./copy.fr.ts";
import { Check, Choice } from "./fields.tsx";
import css from "./panel.module.css";

const SHOWN = 4;
const MODES = Object.entries(panelCopy.modes) as [MonerooApiMode, string][];

export function MonerooSection() {
  const { faults, payments } = useWorld();
  const copy = panelCopy.moneroo;
  const [silent, setSilent] = useState(false);
  const last = [...payments].sort((a, b) => b.createdAt.localeCompare(a.createdAt)).slice(0, SHOWN);
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      <Choice
        label={copy.initialize}
        value={faults.moneroo.initialize}
        options={MODES}
        onChange={(initialize) => void control("setMonerooApi", { initialize })}
      />
      <Choice
        label={copy.verify}
        value={faults.moneroo.verify}
        options={MODES}
        onChange={(verify) => void control("setMonerooApi", { verify })}
      />
      <h4 className={css.subtitle}>{copy.payments}</h4>
      {last.length === 0 && <p className={css.quiet}>{copy.none}</p>}
      <ul>
        {last.map((payment) => (
          <PaymentRow key={payment.id} payment={payment} silent={silent} />
        ))}
      </ul>
      {last.length > 0 && <Check label={copy.silent} checked={silent} onChange={setSilent} />}
    </section>
  );
}

const SETTLES = ["success", "fail", "cancel"] as const;

function PaymentRow({ payment, silent }: { payment: MonerooPaymentView; silent: boolean }) {
  const copy = panelCopy.moneroo.settle;
  const open = payment.status === "initiated" || payment.status === "pending";
  return (
    <li className={css.item}>
      <span className={css.itemWords}>
        <b>{panelCopy.money(payment.amount)}</b>
        <span>{payment.customer}</span>
      </span>
      {open ? (
        <span className={css.actions}>
          {SETTLES.map((action) => (
            <button
              type="button"
              key={action}
              className={css.small}
              onClick={() =>
                void control("settlePayment", { paymentId: payment.id, action, silent })
              }
            >
              {copy[action]}
            </button>
          ))}
        </span>
      ) : (
        <span className={css.state} data-state={payment.status}>
          {panelCopy.statuses[payment.status]}
        </span>
      )}
    </li>
  );
}

const DELAYS = { none: 0, short: 10_000, long: 300_000 } as const;
type Delay = keyof typeof DELAYS;
const DELAY_OPTIONS = Object.entries(panelCopy.notices.delays) as [Delay, string][];

export function NoticesSection() {
  const { faults, notices } = useWorld();
  const copy = panelCopy.notices;
  const mode = faults.notices;
  const delay = (Object.keys(DELAYS) as Delay[]).find((key) => DELAYS[key] === mode.delayMs);
  const held = notices.some((notice) => notice.state === "held");
  const last = [...notices].sort((a, b) => b.id - a.id).slice(0, SHOWN);
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      <div className={css.checks}>
        <Check
          label={copy.copies}
          checked={mode.copies > 1}
          onChange={(on) => void control("setMonerooNotices", { copies: on ? 3 : 1 })}
        />
        <Check
          label={copy.drop}
          checked={mode.drop}
          onChange={(drop) => void control("setMonerooNotices", { drop })}
        />
        <Check
          label={copy.reorder}
          checked={mode.reorder}
          onChange={(reorder) => void control("setMonerooNotices", { reorder })}
        />
        <Check
          label={copy.forge}
          checked={mode.forgeSignature}
          onChange={(forgeSignature) => void control("setMonerooNotices", { forgeSignature })}
        />
      </div>
      <Choice
        label={copy.delay}
        value={delay ?? "none"}
        options={DELAY_OPTIONS}
        onChange={(key) => void control("setMonerooNotices", { delayMs: DELAYS[key] })}
      />
      {held && (
        <button
          type="button"
          className={css.button}
          onClick={() => void control("releaseNotices", {})}
        >
          {copy.release}
        </button>
      )}
      <h4 className={css.subtitle}>{copy.last}</h4>
      {last.length === 0 && <p className={css.quiet}>{copy.none}</p>}
      <ul>
        {last.map((notice) => (
          <NoticeRow key={notice.id} notice={notice} />
        ))}
      </ul>
    </section>
  );
}

function NoticeRow({ notice }: { notice: NoticeView }) {
  const copy = panelCopy.notices;
  const answer = notice.lastAnswer === null ? "" : ` · ${copy.answer(notice.lastAnswer)}`;
  return (
    <li className={css.item}>
      <span className={css.itemWords}>
        <b>{notice.event}</b>
        <span>{`${copy.states[notice.state]}${answer}`}</span>
      </span>
      <button
        type="button"
        className={css.small}
        aria-label={copy.repeatLabel(notice.event, notice.id)}
        onClick={() => void control("repeatNotice", { noticeId: notice.id })}
      >
        {copy.repeat}
      </button>
    </li>
  );
}
