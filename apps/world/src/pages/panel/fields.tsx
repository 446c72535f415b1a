import css from "./panel.module.css";

type CheckProps = { label: string; checked: boolean; onChange: (checked: boolean) => void };

export function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className={css.check}>
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  options: [T, string][];
  /** No choice is out of the ordinary. */
  plain?: boolean;
  onChange: (value: T) => void;
};

export function Choice<T extends string>(props: ChoiceProps<T>) {
  const { label, value, options, plain = false, onChange } = props;
  return (
    <label className={css.choice}>
      <span>{label}</span>
      <select
        value={value}
        data-off={!plain && value !== options[0]?.[0]}
        onChange={(event) => {
          const chosen = options.find(([key]) => key === event.target.value);
          if (chosen !== undefined) onChange(chosen[0]);
        }}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
