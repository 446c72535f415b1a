import {
  isPayoutMethod,
  PAYOUT_METHODS,
  type PayoutMethodOnWire,
} from "@sesame/contract/withdrawals";
import { lazy, Suspense, useEffect, useId, useState } from "react";
import { whenIdle } from "../../../lib/realtime.ts";
import { haptic } from "../../../telegram/native.ts";
import { Icon } from "../../../kit/icons.tsx";
import { Stack, Text } from "../../../kit/layout.tsx";
import { OperatorMark } from "../../../kit/operator-mark.tsx";
import { withdrawalsCopy } from "../messages.fr.ts";
import styles from "../withdrawals.module.css";

const copy = withdrawalsCopy.form;

const loadSheet = () => import("./method-sheet.tsx");
const MethodSheet = lazy(async () => ({ default: (await loadSheet()).MethodSheet }));

/** One of the fifteen, by its mark; chosen on a sheet, country by country (B §3). */
export function MethodField(props: {
  methods: readonly PayoutMethodOnWire[];
  value: string;
  error: string | null;
  onChange(method: string): void;
}) {
  const { methods, value, error } = props;
  const [choosing, setChoosing] = useState(false);
  const id = useId();
  useEffect(() => whenIdle(() => void loadSheet().catch(() => undefined)), []);
  const chosen = isPayoutMethod(value) ? PAYOUT_METHODS[value] : null;
  return (
    <Stack gap={2}>
      <Text as="span" size="small" tone="soft" strong id={`${id}-label`}>
        {copy.method}
        <span aria-hidden="true"> *</span>
      </Text>
      <button
        type="button"
        className={styles.methodBox}
        aria-haspopup="dialog"
        data-wrong={error ? "" : undefined}
        aria-labelledby={`${id}-label ${id}-value`}
        aria-describedby={error ? `${id}-error` : undefined}
        onClick={() => setChoosing(true)}
      >
        {chosen ? <OperatorMark operator={chosen.operator} /> : <Icon name="phone" size={24} />}
        <span id={`${id}-value`} className={styles.methodName}>
          {chosen ? chosen.label : copy.methodNone}
        </span>
        <Icon name="down" size={20} />
      </button>
      {error ? (
        <Text size="small" tone="brick" id={`${id}-error`}>
          {error}
        </Text>
      ) : null}
      {choosing ? (
        <Suspense fallback={null}>
          <MethodSheet
            methods={methods}
            value={value}
            onClose={() => setChoosing(false)}
            onChoose={(method) => {
              haptic("selection");
              setChoosing(false);
              props.onChange(method);
            }}
          />
        </Suspense>
      ) : null}
    </Stack>
  );
}
