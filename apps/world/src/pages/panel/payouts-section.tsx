import { useState } from "react";
import type { FloatView, PayoutFault, PayoutProviderName, PayoutView } from "../../wire.ts";
import { control } from "../world/api.ts";
import { useWorld } from "../world/store.ts";
import { panelCopy } from "./copy.fr.ts";
import { Choice } from "./fields.tsx";
import css from "./panel.module.css";
import { payoutCopy as copy } from "./payout-copy.fr.ts";

const SHOWN = 4;
/** Long enough to be seen, short enough to wait for. */
const SILENCE_MS = 4_000;
const REFILL = 2_000_000;
const PLANTED = 12_500;

type FaultChoice = PayoutFault | "none";

const PROVIDERS = Object.entries(copy.providers) as [PayoutProviderName, string][];
const FAULTS: [FaultChoice, string][] = [
  ["none", copy.noFault],
  ...(Object.entries(copy.faults) as [PayoutFault, string][]),
];

/** Who pays the sellers: what is on its way, what goes wrong, what is left to send. */
export function PayoutsSection() {
  const [provider, setProvider] = useState<PayoutProviderName>("paydunya");
  const { faults, payouts } = useWorld();
  const last = payouts.filter((payout) => payout.provider === provider).slice(0, SHOWN);
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      <Choice label={copy.provider} value={provider} options={PROVIDERS} onChange={setProvider} />
      <Choice
        label={copy.fault}
        value={faults.payouts[provider][0]?.kind ?? "none"}
        options={FAULTS}
        onChange={(kind) => void setFault(provider, kind)}
      />
      <Floats key={provider} provider={provider} />
      <h4 className={css.subtitle}>{copy.payouts}</h4>
      {last.length === 0 && <p className={css.quiet}>{copy.none}</p>}
      <ul>
        {last.map((payout) => (
          <PayoutRow key={payout.id} payout={payout} />
        ))}
      </ul>
      <Differences provider={provider} last={last[0]} />
    </section>
  );
}

async function setFault(provider: PayoutProviderName, kind: FaultChoice): Promise<void> {
  // One fault at a time is enough for a visitor.
  await control("setPayoutFault", { provider, kind: null });
  if (kind === "none") return;
  const how = kind.startsWith("timeout") ? { afterMs: SILENCE_MS } : {};
  await control("setPayoutFault", { provider, kind, ...how });
}

function Floats({ provider }: { provider: PayoutProviderName }) {
  const floats = useWorld().floats.filter((float) => float.provider === provider);
  const [account, setAccount] = useState(floats[0]?.account ?? "");
  const shown = floats.find((float) => float.account === account);
  const accounts = floats.map((float): [string, string] => [float.account, float.account]);
  if (shown === undefined) return null;
  return (
    <>
      {accounts.length > 1 && (
        <Choice label={copy.account} value={account} options={accounts} onChange={setAccount} />
      )}
      <FloatRow float={shown} />
    </>
  );
}

function FloatRow({ float }: { float: FloatView }) {
  const { provider, account, amount } = float;
  const name = copy.providers[provider];
  const fill = (next: number) => void control("setFloat", { provider, account, amount: next });
  return (
    <div className={css.item}>
      <span className={css.itemWords}>
        <b>{panelCopy.money(amount)}</b>
        <span>{copy.float}</span>
      </span>
      <span className={css.actions}>
        <button
          type="button"
          className={css.small}
          aria-label={copy.emptyLabel(name)}
          onClick={() => fill(0)}
        >
          {copy.empty}
        </button>
        <button
          type="button"
          className={css.small}
          aria-label={copy.refillLabel(name)}
          onClick={() => fill(amount + REFILL)}
        >
          {copy.refill}
        </button>
      </span>
    </div>
  );
}

const OUTCOMES = ["success", "failed"] as const;

function PayoutRow({ payout }: { payout: PayoutView }) {
  const { provider, id, amount, phone, status, planted } = payout;
  const open = status === "queued" || status === "pending";
  return (
    <li className={css.item}>
      <span className={css.itemWords}>
        <b>{panelCopy.money(amount)}</b>
        <span>{planted ? `${phone} · ${copy.planted}` : phone}</span>
      </span>
      {open ? (
        <span className={css.actions}>
          {OUTCOMES.map((outcome) => (
            <button
              type="button"
              key={outcome}
              className={css.small}
              aria-label={copy.settleLabel(outcome, amount)}
              onClick={() => void control("settlePayout", { provider, payoutId: id, outcome })}
            >
              {copy.settle[outcome]}
            </button>
          ))}
        </span>
      ) : (
        <span className={css.state} data-state={status}>
          {copy.statuses[status]}
        </span>
      )}
    </li>
  );
}

type DifferencesProps = { provider: PayoutProviderName; last: PayoutView | undefined };

/** What the reconciliation must find. */
function Differences({ provider, last }: DifferencesProps) {
  return (
    <>
      <h4 className={css.subtitle}>{copy.reconciliation}</h4>
      <div className={css.stack}>
        <button
          type="button"
          className={css.button}
          onClick={() => void control("plantPayout", { provider, amount: PLANTED })}
        >
          {copy.plant}
        </button>
        <button
          type="button"
          className={css.button}
          disabled={last === undefined}
          onClick={() => {
            if (last !== undefined) void control("forgetPayout", { provider, payoutId: last.id });
          }}
        >
          {copy.forget}
        </button>
      </div>
    </>
  );
}
