import type { PlansAnswer } from "@sesame/contract/plans";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { call } from "../../lib/api.ts";
import { Faq } from "../../lib/faq.tsx";
import { plansQuery, refreshResources, userQuery } from "../../lib/resources.ts";
import { useUser } from "../../lib/use-seller.ts";
import { haptic } from "../../telegram/native.ts";
import { Banner } from "../../kit/banner.tsx";
import { Button } from "../../kit/button.tsx";
import { Stack } from "../../kit/layout.tsx";
import { Dialog } from "../../kit/modal.tsx";
import { NotYet } from "../../kit/not-yet.tsx";
import { Page } from "../../kit/page.tsx";
import { Segmented } from "../../kit/segmented.tsx";
import { Skeleton } from "../../kit/skeleton.tsx";
import { toast } from "../../kit/toast.tsx";
import { plansCopy as copy } from "./messages.fr.ts";
import { Comparison } from "./parts/comparison.tsx";
import { PlanCard } from "./parts/plan-card.tsx";
import { PremiumState } from "./parts/premium-state.tsx";
import styles from "./plans.module.css";

type Shown = "gratuit" | "payant";

export function Plans() {
  const plans = useQuery(plansQuery);
  return (
    <Page title={copy.title} subtitle={copy.subtitle}>
      <MissingUserBanner />
      {plans.data?.plans ? (
        <PlansContent answer={plans.data} />
      ) : (
        <NotYet query={plans} copy={copy}>
          <Stack gap={5} role="status" aria-label={copy.loading}>
            <Skeleton height="50px" radius="12px" />
            <Skeleton height="320px" radius="20px" />
          </Stack>
        </NotYet>
      )}
    </Page>
  );
}

/** A §2: when the user id is missing. A link of the page's own: what is loaded anew signs in anew. */
function MissingUserBanner() {
  const user = useUser();
  if (user?.id) return null;
  return (
    <Banner tone="warning" icon="warning" action={<a href="/">{copy.signInLink}</a>}>
      {copy.signInAgain}
    </Banner>
  );
}

function PlansContent({ answer }: { answer: PlansAnswer }) {
  const user = useUser();
  const [shown, setShown] = useState<Shown>(user?.type_plan ?? "gratuit");
  const [trying, setTrying] = useState(false);
  const [, navigate] = useLocation();
  const free = answer.plans.find((plan) => plan.type_plan === "gratuit");
  const premium = answer.plans.find((plan) => plan.type_plan === "payant");
  if (!free || !premium) return null;
  const current = user?.plan ? user.type_plan : null;
  const choose = (plan: Shown) => {
    haptic("light");
    if (plan === "gratuit") setTrying(true);
    else navigate("/PaymentSelector");
  };
  return (
    <Stack gap={5}>
      <PremiumState answer={answer} />
      <Segmented
        label={copy.toggle}
        segments={[
          { value: "gratuit", label: copy.free },
          { value: "payant", label: copy.premium },
        ]}
        value={shown}
        onChange={setShown}
      />
      <div className={styles.cards} data-shown={shown}>
        <PlanCard terms={free} answer={answer} current={current} onChoose={choose} />
        <PlanCard terms={premium} answer={answer} current={current} onChoose={choose} />
      </div>
      <Comparison answer={answer} />
      <Faq of="plans" title={copy.faqTitle} />
      <Stack>
        <Button onClick={() => choose("gratuit")} disabled={user?.type_plan === "payant"}>
          {current === "gratuit" ? copy.keepFree : copy.chooseFree}
        </Button>
        <Button look="tinted" onClick={() => choose("payant")}>
          {current === "payant" ? copy.renew : copy.choosePremium}
        </Button>
      </Stack>
      {trying ? <TrialDialog percent={free.fee_percent} onClose={() => setTrying(false)} /> : null}
    </Stack>
  );
}

function TrialDialog({ percent, onClose }: { percent: number; onClose(): void }) {
  const user = useUser();
  const [, navigate] = useLocation();
  const client = useQueryClient();
  // The free plan, with the instance's built-in payments (decision 3).
  const choice = useMutation({
    mutationFn: async () => {
      if (!user?.id) throw new Error(copy.idMissing);
      return call("PUT /api/users/:id", {
        params: { id: user.id },
        body: { plan: true, type_plan: "gratuit", deja: true },
      });
    },
    onSuccess: ({ user: changed }) => {
      if (changed) client.setQueryData(userQuery(changed.id).queryKey, changed);
      return refreshResources(client, ["channels"]);
    },
  });
  const choose = () =>
    choice.mutate(undefined, {
      onSuccess: () => {
        haptic("success");
        navigate("/IndexEspace");
      },
      onError: (error) => {
        haptic("error");
        toast(copy.updateFailed(error.message), "bad");
        onClose();
      },
    });
  return (
    <Dialog
      title={copy.trialTitle}
      onClose={onClose}
      actions={[
        { label: copy.trial, busy: choice.isPending, run: choose },
        { label: copy.cancel, look: "plain", run: onClose },
      ]}
    >
      {copy.trialText(percent)}
    </Dialog>
  );
}
