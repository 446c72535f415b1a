import type { HttpServer } from "../../http/server.ts";
import type { JobHandler } from "../../jobs/outbox.ts";
import { registerDeskSupportHttp } from "./desk-http.ts";
import { forgetNoticesJob } from "./forget-notices.ts";
import { registerSupportHttp } from "./http.ts";
import { registerLegalPages } from "./legal-pages.ts";
import type { SupportDeps } from "./needs.ts";
import { registerPersonalDataHttp } from "./personal-data-http.ts";
import { supportJobs } from "./tell.ts";

export type { SupportDeps } from "./needs.ts";

/** The door of support: conversations with the desk, questions, personal data. */
export type Support = {
  registerHttp(app: HttpServer): void;
  readonly jobs: readonly JobHandler[];
};

export function createSupport(deps: SupportDeps): Support {
  return {
    registerHttp(app) {
      registerSupportHttp(app, deps);
      registerDeskSupportHttp(app, deps);
      registerPersonalDataHttp(app, deps);
      registerLegalPages(app, deps);
    },
    jobs: [...supportJobs(deps), forgetNoticesJob(deps)],
  };
}
