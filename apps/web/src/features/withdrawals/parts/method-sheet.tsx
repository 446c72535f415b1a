import {
  COUNTRY_TERMS,
  PAYOUT_COUNTRIES,
  type PayoutMethodOnWire,
} from "@sesame/contract/withdrawals";
import { formatFcfa } from "../../../lib/format.ts";
import { Icon } from "../../../kit/icons.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { Sheet } from "../../../kit/modal.tsx";
import { OperatorMark } from "../../../kit/operator-mark.tsx";
import { Cell, Section } from "../../../kit/section.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";

const copy = withdrawalsCopy.form;

/** The methods of the instance, country by country. */
export function MethodSheet(props: {
  methods: readonly PayoutMethodOnWire[];
  value: string;
  onChoose(method: string): void;
  onClose(): void;
}) {
  return (
    <Sheet title={copy.methodTitle} onClose={props.onClose}>
      <Stack gap={4}>
        {PAYOUT_COUNTRIES.map((country) => {
          const methods = props.methods.filter(({ pays }) => pays === country);
          if (methods.length === 0) return null;
          return (
            <Section key={country} title={COUNTRY_TERMS[country].name}>
              {methods.map((method) => (
                <MethodCell
                  key={method.id}
                  method={method}
                  chosen={method.id === props.value}
                  onChoose={() => props.onChoose(method.id)}
                />
              ))}
            </Section>
          );
        })}
      </Stack>
    </Sheet>
  );
}

function MethodCell(props: { method: PayoutMethodOnWire; chosen: boolean; onChoose(): void }) {
  const { method, chosen } = props;
  return (
    <Cell
      before={<OperatorMark operator={method.operateur} />}
      title={method.nom}
      subtitle={subtitleOf(method)}
      after={
        chosen ? (
          <Text as="span" tone="green">
            <Icon name="check" size={22} />
            <span className="only-heard">{copy.chosen}</span>
          </Text>
        ) : undefined
      }
      disabled={!method.ouvert}
      onClick={props.onChoose}
    />
  );
}

const USUAL_MIN = 100;

function subtitleOf(method: PayoutMethodOnWire): string | undefined {
  if (!method.ouvert) return copy.methodClosed;
  return method.min > USUAL_MIN ? copy.methodMin(formatFcfa(method.min)) : undefined;
}
