import css from "./panel.module.css";

export type Press = { words: string; label?: string; disabled?: boolean; press(): unknown };
type Item = {
  key: string | number;
  words: string;
  under: string;
  /** Its state, and the colour of that state. */
  state?: [words: string, colour: string];
  buttons?: Press[];
};

/** A fault that a checkbox turns on. */
export type Check = { check: string; on: boolean; set(on: boolean): unknown };
type Choice = {
  choice: string;
  value: string;
  options: readonly (readonly [string, string])[];
  /** No option is a fault. */
  plain?: boolean;
  set(value: string): unknown;
};

/** All of the panel is drawn from such rows. */
export type Row =
  | Check
  | Choice
  | { title: string }
  | { note: string; isWarning?: boolean; link?: Press }
  | { buttons: Press[] }
  | { list: Item[]; none?: string };

export function Rows({ rows }: { rows: readonly Row[] }) {
  return (
    <div className={css.rows}>
      {rows.map((row, at) => (
        <OneRow key={at} row={row} />
      ))}
    </div>
  );
}

function OneRow({ row }: { row: Row }) {
  if ("check" in row) {
    return (
      <label className={css.check}>
        <input
          type="checkbox"
          checked={row.on}
          onChange={(event) => void row.set(event.target.checked)}
        />
        {row.check}
      </label>
    );
  }
  if ("choice" in row) return <ChoiceRow row={row} />;
  if ("title" in row) return <h4 className={css.subtitle}>{row.title}</h4>;
  if ("note" in row) {
    return (
      <div className={css.between}>
        <span className={row.isWarning ? css.warning : css.quiet}>{row.note}</span>
        {row.link && <Button press={row.link} className={css.link} />}
      </div>
    );
  }
  if ("buttons" in row) {
    return (
      <div className={row.buttons.length === 4 ? css.row : css.stack}>
        {row.buttons.map((press) => (
          <Button key={press.words} press={press} className={css.button} />
        ))}
      </div>
    );
  }
  if (row.list.length === 0) return row.none ? <p className={css.quiet}>{row.none}</p> : null;
  return (
    <ul>
      {row.list.map((item) => (
        <ItemRow key={item.key} item={item} />
      ))}
    </ul>
  );
}

function ItemRow({ item: { words, under, state, buttons = [] } }: { item: Item }) {
  return (
    <li className={css.item}>
      <span className={css.itemWords}>
        <b>{words}</b>
        <span>{under}</span>
      </span>
      {buttons.length > 0 && (
        <span className={css.actions}>
          {buttons.map((press) => (
            <Button key={press.words} press={press} className={css.small} />
          ))}
        </span>
      )}
      {state && (
        <span className={css.state} data-state={state[1]}>
          {state[0]}
        </span>
      )}
    </li>
  );
}

function ChoiceRow({ row: { choice, value, options, plain = false, set } }: { row: Choice }) {
  return (
    <label className={css.choice}>
      <span>{choice}</span>
      <select
        value={value}
        data-off={!plain && value !== options[0]?.[0]}
        onChange={(event) => void set(event.target.value)}
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

type ButtonProps = { press: Press; className: string | undefined };

function Button({ press: { words, label, disabled, press }, className }: ButtonProps) {
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      disabled={disabled}
      onClick={() => void press()}
    >
      {words}
    </button>
  );
}
