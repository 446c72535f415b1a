import { Cell, Section } from "../../../kit/section.tsx";
import { Switch } from "../../../kit/switch.tsx";

export type Choice = { readonly key: string; readonly label: string };

/** Several of a short list, each with the word a program knows it by. */
export function Choices(props: {
  title: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  onChange(chosen: string[]): void;
}) {
  const { chosen } = props;
  const toggle = (key: string, on: boolean) =>
    props.onChange(on ? [...chosen, key] : chosen.filter((each) => each !== key));
  return (
    <Section title={props.title}>
      {props.choices.map(({ key, label }) => (
        <Cell
          key={key}
          title={label}
          subtitle={<code>{key}</code>}
          after={
            <Switch
              label={label}
              checked={chosen.includes(key)}
              onChange={(on) => toggle(key, on)}
            />
          }
        />
      ))}
    </Section>
  );
}
