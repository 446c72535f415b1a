import { textOf } from "@sesame/kernel";
import { type FormEvent, type ReactNode, useState } from "react";
import type {
  CollectorName,
  MerchantProviderName,
  MerchantView,
  PayoutProviderName,
  EmulatorEvent,
} from "../../wire.ts";
import { IconButton } from "../phone/parts/parts.tsx";
import {
  control,
  formatLongDay,
  formatSeconds,
  useEmulators,
  useEmulatorEvent,
  useEmulatorNow,
} from "../emulators.ts";
import { callLine, journalBetween, type JournalLine } from "./journal.ts";
import { panelCopy } from "./messages.fr.ts";
import css from "./panel.module.css";
import { Rows } from "./rows.tsx";
import {
  accountRows,
  type Chosen,
  clockRows,
  faultWords,
  paymentRows,
  payoutRows,
  telegramRows,
  walletRows,
} from "./sections.ts";

const KEPT = 80;

/** Newest first, since this page was opened. */
function useJournal(): JournalLine[] {
  const emulators = useEmulators();
  const [seen, setSeen] = useState({ emulators, lines: [] as JournalLine[] });
  if (seen.emulators !== emulators) {
    const fresh = journalBetween(seen.emulators, emulators).reverse();
    setSeen({ emulators, lines: [...fresh, ...seen.lines].slice(0, KEPT) });
  }
  useEmulatorEvent((event: EmulatorEvent) => {
    if (event.type !== "call") return;
    const line = callLine(event);
    if (line === null) return;
    setSeen((before) => ({ ...before, lines: [line, ...before.lines].slice(0, KEPT) }));
  });
  return seen.lines;
}

function useChosen<T>(first: T): Chosen<T> {
  const [chosen, choose] = useState(first);
  return { chosen, choose };
}

type Props = { open: boolean; onClose: () => void };

/**
 * The visitor's control of the emulators: time, failures, webhooks. It never changes the server.
 */
export function ControlPanel({ open, onClose }: Props) {
  const emulators = useEmulators();
  const lines = useJournal();
  const collector = useChosen<CollectorName>("moneroo");
  const merchant = useChosen<MerchantProviderName>("fedapay");
  const payer = useChosen<PayoutProviderName>("paydunya");
  const float = useChosen("main");
  return (
    <aside className={css.panel} aria-label={panelCopy.title} hidden={!open}>
      <header className={css.head}>
        <h2>{panelCopy.title}</h2>
        <IconButton icon="close" label={panelCopy.close} onClick={onClose} />
      </header>
      <div className={css.sections}>
        <Section title={panelCopy.clock.title}>
          <Now />
          <Rows rows={clockRows(emulators)} />
        </Section>
        <Journal lines={lines} />
        <ResetButton />
        <Section title={panelCopy.payments.title}>
          <Rows rows={paymentRows(emulators, collector)} />
        </Section>
        <Section title={panelCopy.accounts.title}>
          <Rows rows={accountRows(merchant)} />
          {emulators.merchants.map((one) => (
            <Account key={`${one.provider} ${one.id}`} merchant={one} />
          ))}
        </Section>
        <Section title={panelCopy.payouts.title}>
          <Rows rows={payoutRows(emulators, payer, float)} />
        </Section>
        <Section title={panelCopy.wallets.title}>
          <Rows rows={walletRows(emulators)} />
        </Section>
        <Section title={panelCopy.telegram.title}>
          <Rows rows={telegramRows(emulators)} />
        </Section>
      </div>
    </aside>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={css.section} aria-label={title}>
      <h3 className={css.title}>{title}</h3>
      {children}
    </section>
  );
}

function Now() {
  const now = useEmulatorNow(1000);
  return (
    <p className={css.now}>
      <time>{formatSeconds(now)}</time>
      <span>{formatLongDay(now)}</span>
    </p>
  );
}

/** An account of a seller's: where a visitor finds keys to give to the app. */
function Account({ merchant }: { merchant: MerchantView }) {
  const { provider, id, keys, webhookUrl } = merchant;
  const copy = panelCopy.accounts;
  const title = copy.account(provider, id);
  const [isWrong, setWrong] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = textOf(new FormData(event.currentTarget).get("address")).trim();
    const pointed = control("pointMerchant", { provider, merchantId: id, webhookUrl: given });
    setWrong((await pointed.catch(() => null)) === null);
  };
  return (
    <article className={css.merchant} aria-label={title}>
      <h4 className={css.subtitle}>{title}</h4>
      <dl>
        {Object.entries(keys).map(([name, key]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{key}</dd>
          </div>
        ))}
      </dl>
      {/* PayDunya gets the address with each payment. */}
      {provider !== "paydunya" && (
        <form className={css.addressForm} onSubmit={(event) => void submit(event)}>
          <label className={css.address}>
            {copy.address}
            <input type="url" name="address" autoComplete="off" defaultValue={webhookUrl ?? ""} />
          </label>
          {isWrong && (
            <p className={css.warning} role="alert">
              {copy.wrong}
            </p>
          )}
          <button type="submit" className={css.button}>
            {copy.save}
          </button>
        </form>
      )}
    </article>
  );
}

function ResetButton() {
  const faultless = faultWords(useEmulators()).length === 0;
  return (
    <button
      type="button"
      className={css.reset}
      disabled={faultless}
      onClick={() => void control("clearFaults", {})}
    >
      {faultless ? panelCopy.resetDone : panelCopy.reset}
    </button>
  );
}

function Journal({ lines }: { lines: JournalLine[] }) {
  const copy = panelCopy.journal;
  return (
    <Section title={copy.title}>
      {lines.length === 0 && <p className={css.quiet}>{copy.empty}</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys scroll it */}
      <div className={css.journal} role="log" aria-label={copy.title} tabIndex={0}>
        <ol>
          {lines.map((line) => (
            <li key={line.key} className={css.line} data-party={line.party}>
              <time>{formatSeconds(line.at)}</time>
              <span>{line.text}</span>
            </li>
          ))}
        </ol>
      </div>
    </Section>
  );
}
