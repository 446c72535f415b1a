import * as contract from "@sesame/contract/reports";
import type { App } from "../../app.ts";
import { MALFORMED, on, sendSheet } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { readCalendar, readCalendarDay } from "./calendar.ts";
import { subscriptionsOf, transactionsOf } from "./history.ts";
import { askedBy, statisticsOf, statisticsSheet } from "./statistics.ts";

export function registerReportsHttp(app: App, http: HttpServer): void {
  on(http, contract.readStatistics, ({ query: { periode = "week" }, caller }) =>
    statisticsOf(app, caller.personId, periode),
  );
  on(http, contract.exportStatistics, async ({ query: { periode = "week" }, caller, reply }) => {
    const sheet = await statisticsSheet(app, caller.personId, periode);
    return sheet.ok ? sendSheet(reply, `statistiques-${periode}`, sheet.value) : sheet;
  });
  on(http, contract.listCalendarDays, ({ query, caller }) =>
    readCalendar(app.db, askedBy(app, caller.personId), query.mois),
  );
  on(http, contract.listCalendarEvents, ({ query, caller }) =>
    readCalendarDay(app.db, askedBy(app, caller.personId), query.jour),
  );
  on(http, contract.listTransactions, async ({ query, caller }) => {
    return (await transactionsOf(app, caller.personId, query)) ?? MALFORMED;
  });
  on(http, contract.listSubscriptions, ({ query: { cursor: before, limit, product }, caller }) =>
    subscriptionsOf(app.db, caller.personId, { before, limit, productId: product ?? null }),
  );
}
