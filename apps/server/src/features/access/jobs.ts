import type { JobHandler } from "../../jobs/outbox.ts";
import { RENEW_LINKS, RESUME_ACCESS } from "../groups/index.ts";
import { CLOSE_ACCESS, closeAccess } from "./close-access.ts";
import type { AccessDeps } from "./deps.ts";
import { decideEntry } from "./entries/decide-entry.ts";
import { DECIDE_ENTRY } from "./entries/note-entry.ts";
import { REMOVE_ENTRY, removeEntry } from "./entries/remove-entry.ts";
import { REPORT_ENTRIES, reportEntries } from "./entries/report-entries.ts";
import { renewLinks, resumeGroup } from "./group-events.ts";
import { OPEN_ACCESS, openAccess } from "./open-access.ts";
import { REVOKE_LINK, revokeLink } from "./revoke-links.ts";
import { tellSales } from "./tell-sales.ts";

/** While Telegram is out, access is tried for days: a job is not given up, the desk decides. */
const FOR_DAYS = 1_000;

export function accessJobs(deps: AccessDeps): JobHandler[] {
  const access = { batch: 20, concurrency: 10, maxAttempts: FOR_DAYS };
  const group = { batch: 5, concurrency: 1, maxAttempts: FOR_DAYS };
  return [
    { ...access, topic: OPEN_ACCESS, run: (job) => openAccess(deps, job) },
    { ...access, topic: CLOSE_ACCESS, run: (job) => closeAccess(deps, job) },
    { ...access, topic: DECIDE_ENTRY, run: (job) => decideEntry(deps, job) },
    { ...access, topic: REMOVE_ENTRY, run: (job) => removeEntry(deps, job) },
    { ...group, topic: REPORT_ENTRIES, run: (job) => reportEntries(deps, job) },
    { ...access, topic: REVOKE_LINK, maxAttempts: 10, run: (job) => revokeLink(deps, job) },
    { ...group, topic: RESUME_ACCESS, run: (job) => resumeGroup(deps, job) },
    { ...group, topic: RENEW_LINKS, run: (job) => renewLinks(deps, job) },
    {
      topic: "sales.tell-seller",
      batch: 100,
      concurrency: 1,
      maxAttempts: 10,
      run: (job) => tellSales(deps, job),
    },
  ];
}
