import { useWorld } from "../world/store.ts";
import css from "./mobile-money.module.css";
import { NetworkMark } from "./network-mark.tsx";

type Props = { label: string; value: string; onChange: (networkId: string) => void };

/** The fifteen networks, by country. */
export function NetworkChoice({ label, value, onChange }: Props) {
  const { networks } = useWorld();
  const countries = [...new Set(networks.map((one) => one.country))];
  return (
    <label className={css.field}>
      <span className={css.label}>{label}</span>
      <span className={css.box}>
        <NetworkMark network={value} size={28} />
        <select value={value} onChange={(event) => onChange(event.target.value)}>
          {countries.map((country) => (
            <optgroup key={country} label={country}>
              {networks
                .filter((one) => one.country === country)
                .map((one) => (
                  <option key={one.id} value={one.id}>
                    {`${one.name} · ${country}`}
                  </option>
                ))}
            </optgroup>
          ))}
        </select>
      </span>
    </label>
  );
}
