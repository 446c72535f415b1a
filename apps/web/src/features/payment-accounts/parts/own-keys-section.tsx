import type { UserAggregatorOnWire } from "@sesame/contract/payment-accounts";
import { Badge } from "../../../kit/badge.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { aggregatorsCopy as copy } from "../messages.fr.ts";
import { ProviderMark } from "./provider-mark.tsx";

/** The accounts of his own, each leading to its keys. */
export function OwnKeysSection(props: {
  methods: readonly UserAggregatorOnWire[];
  title?: string;
}) {
  const owned = props.methods.filter(({ own }) => own !== null);
  if (owned.length === 0) return null;
  return (
    <Section title={props.title ?? copy.ownTitle} footer={props.title ? undefined : copy.ownNote}>
      <ul>
        {owned.map(({ key, name, own }) => (
          <li key={key}>
            <Cell
              href={`/ModifierKey?nom=${key}`}
              before={<ProviderMark provider={key} />}
              title={name}
              subtitle={Object.values(own?.keys ?? {})[0]}
              after={
                own?.refusedAt ? (
                  <Badge tone="danger">{copy.refused}</Badge>
                ) : own?.asleep ? (
                  <Badge tone="neutral">{copy.asleep}</Badge>
                ) : undefined
              }
              chevron
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
