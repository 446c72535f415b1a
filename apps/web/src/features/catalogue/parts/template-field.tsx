import { useQuery } from "@tanstack/react-query";
import { formatFcfa } from "../../../lib/format.ts";
import { durationsQuery } from "../../../lib/resources.ts";
import { ChipField } from "../../../ui/field.tsx";
import { catalogueCopy, TEMPLATES, type TemplateId } from "../messages.fr.ts";
import { fillForm, templateOf } from "../fill-form.ts";
import type { ProductFormState } from "../form.ts";
const copy = catalogueCopy.form;
const IDS = Object.keys(TEMPLATES) as TemplateId[];

/** Three offers to begin with (decision 44): they fill the form, and publish nothing. */
export function TemplateField(props: {
  form: ProductFormState;
  onChange(form: ProductFormState): void;
}) {
  const durations = useQuery(durationsQuery()).data;
  if (!durations) return null;
  return (
    <ChipField
      label={copy.template}
      hint={copy.templateHint}
      value={templateOf(props.form)}
      choices={IDS.map((id) => ({
        value: id,
        label: TEMPLATES[id].name,
        note: formatFcfa(Number(TEMPLATES[id].price)),
      }))}
      onChange={(id) =>
        props.onChange(fillForm(props.form, TEMPLATES[id as TemplateId], durations))
      }
    />
  );
}
