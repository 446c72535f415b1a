import { textOf } from "@sesame/kernel";
import { type FormEvent, useState } from "react";
import type { MerchantProviderName, MerchantView } from "../../wire.ts";
import { control } from "../world/api.ts";
import { useWorld } from "../world/store.ts";
import { collectCopy } from "./collect-copy.fr.ts";
import { Choice } from "./fields.tsx";
import css from "./panel.module.css";

const copy = collectCopy.merchants;
const PROVIDERS = (["moneroo", "fedapay", "kkiapay", "paydunya", "cryptopay"] as const).map(
  (name): [MerchantProviderName, string] => [name, collectCopy.providers[name]],
);

/** Accounts of sellers' own: where a visitor finds keys to give to the app. */
export function MerchantsSection() {
  const { merchants } = useWorld();
  const [provider, setProvider] = useState<MerchantProviderName>("fedapay");
  return (
    <section className={css.section} aria-label={copy.title}>
      <h3 className={css.title}>{copy.title}</h3>
      <p className={css.quiet}>{copy.hint}</p>
      <Choice
        label={copy.provider}
        value={provider}
        options={PROVIDERS}
        plain
        onChange={setProvider}
      />
      <div className={css.stack}>
        <button
          type="button"
          className={css.button}
          onClick={() => void control("openMerchant", { provider })}
        >
          {copy.open}
        </button>
      </div>
      {merchants.map((merchant) => (
        <Merchant key={`${merchant.provider} ${merchant.id}`} merchant={merchant} />
      ))}
    </section>
  );
}

function Merchant({ merchant }: { merchant: MerchantView }) {
  const { provider, id, keys } = merchant;
  return (
    <article className={css.merchant} aria-label={copy.account(provider, id)}>
      <h4 className={css.subtitle}>{copy.account(provider, id)}</h4>
      <dl>
        {Object.entries(keys).map(([name, key]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{key}</dd>
          </div>
        ))}
      </dl>
      {/* PayDunya is told the address with each payment. */}
      {provider !== "paydunya" && <Address merchant={merchant} />}
    </article>
  );
}

function Address({ merchant: { provider, id, noticeUrl } }: { merchant: MerchantView }) {
  const [complaint, setComplaint] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget).get("address");
    try {
      await control("pointMerchant", { provider, merchantId: id, noticeUrl: textOf(given).trim() });
      setComplaint(false);
    } catch {
      setComplaint(true);
    }
  };
  return (
    <form className={css.addressForm} onSubmit={(event) => void submit(event)}>
      <label className={css.address}>
        {copy.address}
        <input type="url" name="address" autoComplete="off" defaultValue={noticeUrl ?? ""} />
      </label>
      {complaint && (
        <p className={css.complaint} role="alert">
          {copy.wrong}
        </p>
      )}
      <button type="submit" className={css.button}>
        {copy.save}
      </button>
    </form>
  );
}
