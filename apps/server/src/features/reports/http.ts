import {
  exportStatistics,
  listCalendarDays,
  listCalendarEvents,
  listSubscriptions,
  listTransactions,
  readStatistics,
} from "@sesame/contract/reports";
import { refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { on, sendSheet } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { readCalendar, readCalendarDay } from "./calendar.ts";
import { subscriptionsOf, transactionsOf, readHistoryCursor } from "./history.ts";
import { askedBy, statisticsOf, statisticsSheet } from "./statistics.ts";

export function registerReportsHttp(app: App, http: HttpServer): void {
  on(http, readStatistics, ({ query: { periode = "week" }, caller }) =>
    statisticsOf(app, caller.personId, periode),
  );
  on(http, exportStatistics, async ({ query: { periode = "week" }, caller, reply }) => {
    const sheet = await statisticsSheet(app, caller.personId, periode);
    return sheet.ok ? sendSheet(reply, `statistiques-${periode}`, sheet.value) : sheet;
  });
  on(http, listCalendarDays, ({ query, caller }) =>
    readCalendar(app.db, askedBy(app, caller.personId), query.mois),
  );
  on(http, listCalendarEvents, ({ query, caller }) =>
    readCalendarDay(app.db, askedBy(app, caller.personId), query.jour),
  );
  on(http, listTransactions, ({ query, caller }) => {
    const position = readHistoryCursor(query.cursor);
    if (position === "malformed") return refuse({ kind: "request.malformed" });
    return transactionsOf(app, caller.personId, { query, position });
  });
  on(http, listSubscriptions, ({ query: { cursor: before, limit, product }, caller }) =>
    subscriptionsOf(app.db, caller.personId, { before, limit, productId: product ?? null }),
  );
}
