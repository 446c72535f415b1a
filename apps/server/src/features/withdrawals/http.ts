import * as contract from "@sesame/contract/withdrawals";
import { refuse } from "@sesame/kernel";
import type { App } from "../../app.ts";
import { on } from "../../http/on.ts";
import type { HttpServer } from "../../http/server.ts";
import { limitsAnswerOf, requestWithdrawal } from "./request.ts";
import { configurePayouts, payoutSettingsOf } from "./settings.ts";
import { cancel, findWithdrawal, pageOf } from "./withdrawals.ts";

export function registerWithdrawalsHttp(app: App, http: HttpServer): void {
  on(http, contract.askWithdrawal, async ({ body, caller, call }) => {
    const form = {
      amount: body.montant,
      method: body.methode_paiement,
      phone: body.numero_transfert,
      whatsapp: body.numero_whatsapp,
    };
    const key = call && { key: call.key, content: JSON.stringify(form) };
    const request = { sellerId: caller.personId, form, key, automaticOn: null };
    const asked = await requestWithdrawal(app, request);
    return asked.ok ? { message: contract.REQUEST_TAKEN, demande: asked.value.withdrawal } : asked;
  });
  on(http, contract.cancelWithdrawal, async ({ params: { id }, caller, call }) => {
    const cancelled = await cancel(app, { id, sellerId: caller.personId, call });
    if (!cancelled.ok) return cancelled;
    const { disponible: available } = await limitsAnswerOf(app, caller.personId);
    return { message: contract.REQUEST_CANCELLED, demande: cancelled.value, available };
  });
  on(http, contract.listWithdrawals, ({ query: { status = "all", cursor = null }, caller }) =>
    pageOf(app, caller.personId, { status: status === "all" ? null : status, before: cursor }),
  );
  on(http, contract.readWithdrawalLimits, ({ caller }) => limitsAnswerOf(app, caller.personId));
  on(http, contract.readWithdrawal, async ({ params, caller }) => {
    const now = app.clock.now();
    const demande = await findWithdrawal(app.db, params.id, caller.personId, now);
    if (!demande) return refuse({ kind: "withdrawals.unknown" });
    return { message: contract.WITHDRAWAL_STATUS_NAMES[demande.status], demande };
  });
  on(http, contract.readPayoutSettings, async ({ caller }) => ({
    message: "",
    paiement: await payoutSettingsOf(app, caller.personId),
  }));
  on(http, contract.savePayoutSettings, async ({ body, caller: { personId } }) => {
    const saved = await configurePayouts(app, personId, body);
    if (!saved.ok) return saved;
    const off = !saved.value.automatic && body.retrait_auto !== undefined;
    const message = off ? contract.AUTOMATIC_SWITCHED_OFF : contract.CONFIGURATION_SAVED;
    return { message, paiement: await payoutSettingsOf(app, personId) };
  });
}
