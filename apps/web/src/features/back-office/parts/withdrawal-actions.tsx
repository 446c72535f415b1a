import { type DeskWithdrawalDetail, LANE_NAMES, type Lane } from "@sesame/contract/treasury";
import { useState } from "react";
import { haptic } from "../../../telegram/native.ts";
import { Button } from "../../../kit/button.tsx";
import { toast } from "../../../kit/toast.tsx";
import { useDesk } from "../use-desk.ts";
import styles from "../withdrawal.module.css";
import { withdrawalCopy as copy } from "../money-messages.fr.ts";
import { Complaint } from "./act-sheet.tsx";
import {
  FailedSheet,
  HandSheet,
  hasEnded,
  ProviderSheet,
  RejectSheet,
  ReleaseSheet,
  ResolveSheet,
  useDecision,
} from "./decision-sheets.tsx";

/** The sheet now open. */
type Open =
  | { readonly at: "none" }
  | { readonly at: "provider"; readonly lane: Lane }
  | { readonly at: "hand" | "release" | "failed" | "reject" | "resolve" };

/** What this agent may do now; what he may not says why. */
export function WithdrawalActions({ withdrawal }: { withdrawal: DeskWithdrawalDetail }) {
  const [open, setOpen] = useState<Open>({ at: "none" });
  const close = () => setOpen({ at: "none" });
  const { may, stage } = withdrawal;
  const anything = Object.values(may).some(({ allowed }) => allowed);
  const pending = withdrawal.status === "pending";
  const ended = hasEnded(withdrawal);
  return (
    <>
      {anything || pending ? (
        <section className={styles.actions} aria-label={copy.act}>
          {may.claim.allowed && !withdrawal.claim?.mine ? <Take id={withdrawal.id} /> : null}
          {pending ? <Lanes withdrawal={withdrawal} onOpen={setOpen} /> : null}
          {may.paid.allowed ? (
            <Button icon="check" onClick={() => setOpen({ at: "hand" })}>
              {copy.hand.open}
            </Button>
          ) : null}
          {may.resolve.allowed ? (
            <Button
              {...(ended ? { look: "plain" } : { icon: "shield" })}
              onClick={() => setOpen({ at: "resolve" })}
            >
              {ended ? copy.resolve.returnedButton : copy.resolve.button}
            </Button>
          ) : null}
          {stage === "uncertain" && !may.resolve.allowed ? <Why may={may.resolve} /> : null}
          {may.failed.allowed ? (
            <Button look="danger-tinted" onClick={() => setOpen({ at: "failed" })}>
              {copy.failed.button}
            </Button>
          ) : null}
          {may.reject.allowed ? (
            <Button look="danger-tinted" onClick={() => setOpen({ at: "reject" })}>
              {copy.reject.button}
            </Button>
          ) : null}
          {may.release.allowed ? (
            <Button look="plain" onClick={() => setOpen({ at: "release" })}>
              {copy.release}
            </Button>
          ) : null}
        </section>
      ) : null}
      <OpenSheet open={open} withdrawal={withdrawal} onClose={close} />
    </>
  );
}

/** Taken with one tap: nothing moves by it, and it ends by itself. */
function Take({ id }: { id: string }) {
  const claim = useDecision(id, "claim");
  const minutes = useDesk()?.claim_minutes;
  const take = () =>
    claim.mutate(
      {},
      {
        onSuccess: ({ message }) => {
          haptic("success");
          toast(message);
        },
        onError: () => haptic("error"),
      },
    );
  return (
    <>
      <Button icon="check" busy={claim.isPending} onClick={take}>
        {copy.take}
      </Button>
      <Complaint error={claim.error} />
      {minutes ? <p className={styles.hint}>{copy.takeHint(minutes)}</p> : null}
    </>
  );
}

/** One way among those that can serve; the others say why they cannot. */
function Lanes(props: { withdrawal: DeskWithdrawalDetail; onOpen(open: Open): void }) {
  const { withdrawal, onOpen } = props;
  const { may, lanes, first_approval: first } = withdrawal;
  const second = may.approve.allowed && isConfirmable(withdrawal);
  const offered = (second ? lanes.filter(({ id }) => id === first?.lane) : [...lanes]).sort(
    (a, b) => Number(a.id === "manual") - Number(b.id === "manual"),
  );
  const mine = may.approve.allowed || may.claim.allowed;
  const closed = offered.filter((lane) => !lane.open);
  return (
    <>
      {may.approve.allowed
        ? offered
            .filter((lane) => lane.open)
            .map(({ id }, at) =>
              id === "manual" ? (
                <Button key={id} look="tinted" onClick={() => onOpen({ at: "hand" })}>
                  {second ? copy.confirmByHand : copy.payByHand}
                </Button>
              ) : (
                <Button
                  key={id}
                  icon="send"
                  look={at === 0 ? "filled" : "tinted"}
                  onClick={() => onOpen({ at: "provider", lane: id })}
                >
                  {second ? copy.confirmBy(LANE_NAMES[id]) : copy.payBy(LANE_NAMES[id])}
                </Button>
              ),
            )
        : null}
      {mine || withdrawal.own ? null : <Why may={may.approve} />}
      {mine && closed.length > 0 ? (
        <ul className={styles.closed}>
          {closed.map((lane) => (
            <li key={lane.id}>
              <strong>{copy.laneOff(lane.label)}</strong>
              {lane.reason ? <span> : {lane.reason}</span> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** A second agent confirms the first one's lane, unless it can no longer serve: then he begins anew. */
function isConfirmable({ first_approval: first, lanes }: DeskWithdrawalDetail): boolean {
  return first !== null && lanes.some((lane) => lane.id === first.lane && lane.open);
}

function Why({ may }: { may: { reason: string | null } }) {
  return may.reason ? <p className={styles.why}>{may.reason}</p> : null;
}

function OpenSheet(props: { open: Open; withdrawal: DeskWithdrawalDetail; onClose(): void }) {
  const { open, withdrawal, onClose } = props;
  const second = isConfirmable(withdrawal);
  switch (open.at) {
    case "none":
      return null;
    case "provider":
      return (
        <ProviderSheet withdrawal={withdrawal} lane={open.lane} second={second} onClose={onClose} />
      );
    case "hand":
      return <HandSheet withdrawal={withdrawal} second={second} onClose={onClose} />;
    case "release":
      return <ReleaseSheet withdrawal={withdrawal} onClose={onClose} />;
    case "failed":
      return <FailedSheet withdrawal={withdrawal} onClose={onClose} />;
    case "reject":
      return <RejectSheet withdrawal={withdrawal} onClose={onClose} />;
    case "resolve":
      return <ResolveSheet withdrawal={withdrawal} onClose={onClose} />;
  }
}
