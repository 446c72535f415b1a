import { useState } from "react";
import { ChipField, FrancsField, SelectField, TextArea, TextField } from "../kit/field.tsx";
import { FilterChips, Segmented, SearchField } from "../kit/choices.tsx";
import { Switch } from "../kit/button.tsx";
import { Field } from "../kit/use-form.tsx";
import styles from "./gallery.module.css";
import { Part } from "./part.tsx";
import { words } from "./messages.fr.ts";

const copy = words.fields;
const COUNTRIES = copy.countries.map((label) => ({ value: label, label }));
const DURATIONS = copy.durations.map((label, at) =>
  at === 2 ? { value: label, label, note: copy.advised } : { value: label, label },
);

const CHOICES = (["refund", "reject"] as const).map((value) => ({
  value,
  ...words.choices[value],
}));

export function FieldParts() {
  const [text, setText] = useState("");
  const [country, setCountry] = useState("");
  const [duration, setDuration] = useState<string>(copy.durations[2]);
  return (
    <>
      <Part name="fields" title={words.parts.fields}>
        <TextField
          label={copy.name}
          required
          placeholder={copy.placeholder}
          value={text}
          onChange={setText}
        />
        <div data-force="focus-within">
          <TextField
            label={copy.amount}
            hint={copy.amountHint}
            suffix={copy.currency}
            value="5000"
            onChange={setText}
          />
        </div>
        <TextArea
          label={copy.description}
          value={words.long}
          length={350}
          max={500}
          onChange={setText}
        />
        <SelectField
          label={copy.country}
          value={country}
          empty={copy.countryEmpty}
          choices={COUNTRIES}
          onChange={setCountry}
        />
        <TextField label={copy.secret} secret value="sk_sandbox" onChange={setText} />
        <ChipField
          label={copy.duration}
          value={duration}
          choices={DURATIONS}
          onChange={setDuration}
        />
      </Part>
      <WrongFields />
      <Choices />
    </>
  );
}

function WrongFields() {
  const [text, setText] = useState("60");
  return (
    <Part name="fields-refused" title={words.parts.wrongFields}>
      <TextField
        label={copy.amount}
        required
        suffix={copy.currency}
        error={copy.amountWrong}
        value={text}
        onChange={setText}
      />
      <TextArea
        label={copy.description}
        value={words.long}
        length={512}
        max={500}
        error={copy.descriptionWrong}
        onChange={setText}
      />
      <FrancsField label={copy.amount} value="12.5" onChange={setText} />
      <SelectField
        label={copy.country}
        value=""
        empty={copy.countryEmpty}
        choices={COUNTRIES}
        error={copy.countryWrong}
        onChange={setText}
      />
    </Part>
  );
}

function Choices() {
  const { choices } = words;
  const [span, setSpan] = useState<"week" | "month" | "year">("month");
  const [filter, setFilter] = useState<string>(choices.filters[0]);
  const [on, setOn] = useState(true);
  const [search, setSearch] = useState("");
  return (
    <Part name="choices" title={words.parts.choices}>
      <Segmented
        label={words.parts.choices}
        value={span}
        segments={[
          { value: "week", label: choices.week },
          { value: "month", label: choices.month },
          { value: "year", label: choices.year },
        ]}
        onChange={setSpan}
      />
      <Field
        ask={{ kind: "choices", label: words.parts.choices, choices: CHOICES }}
        value={on ? "refund" : "reject"}
        onChange={(value) => setOn(value === "refund")}
      />
      <FilterChips<string>
        label={words.parts.choices}
        value={filter}
        choices={choices.filters.map((label) => ({ value: label, label }))}
        onChange={setFilter}
      />
      <div className={styles.line}>
        <Switch label={choices.notifications} checked={on} onChange={setOn} />
        <Switch label={choices.notifications} checked={!on} onChange={(next) => setOn(!next)} />
        <Switch label={choices.notifications} checked disabled onChange={setOn} />
        <span data-force="focus-visible focus">
          <Switch label={choices.notifications} checked={on} onChange={setOn} />
        </span>
      </div>
      <SearchField label={choices.search} value={search} onChange={setSearch} />
      <SearchField label={choices.search} value={choices.found} onChange={setSearch} />
    </Part>
  );
}
