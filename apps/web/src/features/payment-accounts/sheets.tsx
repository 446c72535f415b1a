import { useLocation, useSearch } from "wouter";
import { SETTINGS } from "../../lib/text.ts";
import { usePremiumGate } from "../../lib/premium-gate.tsx";
import { Button, TintedButton, PlainButton } from "../../kit/button.tsx";
import { NotYet, Page } from "../../kit/screen.tsx";
import { Cell, Points } from "../../kit/layout.tsx";
import { Dialog, Sheet } from "../../kit/modal.tsx";
import { Rows } from "../../kit/records.tsx";
import { aggregatorsCopy as copy } from "./messages.fr.ts";
import { namedIn, ProviderMark, SuccessSheet, useOwnAggregators } from "./own-aggregators.tsx";

/** /PaymentSheet: what is active, one more, or back to the settings. */
export function PaymentSheet() {
  const [, navigate] = useLocation();
  const own = useOwnAggregators();
  const { pass, gate } = usePremiumGate("own-aggregators");
  const selling = own.data?.filter((method) => method.selling !== "none");
  return (
    <>
      <Page title={copy.title}>{null}</Page>
      <Sheet title={copy.title} onClose={() => navigate(SETTINGS)} close={copy.paymentSheet.close}>
        {selling ? (
          <Rows none={copy.paymentSheet.none}>
            {selling.map(({ key, name, selling: by }) => (
              <Cell
                key={key}
                before={<ProviderMark provider={key} />}
                title={name}
                subtitle={by === "none" ? "" : copy.by[by]}
              />
            ))}
          </Rows>
        ) : (
          <NotYet query={own} copy={copy} rows={3} />
        )}
        <Button icon="plus" onClick={() => pass(() => navigate("/AjouterMethode"))}>
          {copy.add}
        </Button>
        <TintedButton href="/ActivationMethode">{copy.paymentSheet.manage}</TintedButton>
      </Sheet>
      {gate}
    </>
  );
}

export function SuccesBottomSheetIndex() {
  const named = namedIn(useSearch());
  const own = useOwnAggregators().data;
  const name = own?.find(({ key }) => key === named)?.name ?? null;
  return (
    <>
      <Page title={copy.title}>{null}</Page>
      <SuccessSheet name={name} />
    </>
  );
}

/** /CustomPaymentConfig: now or later, over the page that says the same at leisure. */
export function CustomPaymentConfig() {
  const [, navigate] = useLocation();
  const { pass, gate } = usePremiumGate("custom-configuration");
  const later = () => navigate(SETTINGS);
  return (
    <>
      <Page title={copy.configure.pageTitle}>{null}</Page>
      {gate ?? (
        <Dialog
          title={copy.configure.title}
          onClose={later}
          actions={[
            { label: copy.configure.now, run: () => pass(() => navigate("/AjouterMethode")) },
            { label: copy.configure.later, look: "plain", run: later },
          ]}
        >
          {copy.configure.text}
        </Dialog>
      )}
    </>
  );
}

export function ConfigurerPaiement() {
  const [, navigate] = useLocation();
  const { pass, gate } = usePremiumGate("custom-configuration");
  return (
    <Page title={copy.configure.pageTitle} subtitle={copy.configure.text}>
      <Points points={copy.configure.points} />
      <Button onClick={() => pass(() => navigate("/AjouterMethode"))}>{copy.configure.now}</Button>
      <PlainButton href={SETTINGS}>{copy.configure.later}</PlainButton>
      {gate}
    </Page>
  );
}
