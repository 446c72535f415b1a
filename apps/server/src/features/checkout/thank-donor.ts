import { type Telling, tell } from "../../bot/tell.ts";
import { DONE, type JobHandler } from "../../jobs/outbox.ts";
import { takeJob } from "../../jobs/outbox.store.ts";
import type { AppButton } from "../../bot/app-button.ts";
import { BUTTONS, thankDonor } from "./bot-texts.fr.ts";
import type { CheckoutDeps } from "./needs.ts";
import { viewDonation } from "./order.view.ts";

export type ThanksDeps = Pick<CheckoutDeps, "db" | "clock"> & {
  readonly appButton: AppButton;
  sayInstant(instant: Date): string;
};

/** Who gave is thanked, with a receipt: nothing else comes of a donation. */
export function donationJobs(deps: ThanksDeps): JobHandler[] {
  return [
    {
      topic: "donations.thank",
      batch: 50,
      concurrency: 5,
      maxAttempts: 10,
      async run(job) {
        const donation = await viewDonation(deps.db, job.ref);
        if (!donation) return { kind: "failed", reason: "no such donation is paid" };
        const message = {
          text: thankDonor(donation, deps.sayInstant),
          buttons: [deps.appButton(BUTTONS.order, `/commande/${donation.id}`)],
        };
        const telling: Telling = { bot: "buyer", personId: donation.buyer_id, message };
        await deps.db.transaction().execute(async (tx) => {
          if (await takeJob(tx, job.id)) await tell(tx, [telling], deps.clock.now());
        });
        return DONE;
      },
    },
  ];
}
