import { z } from "zod";
import { route } from "../common/route.ts";
import { idOnWire } from "../common/wire.ts";
import { addDurationBody, deskDurationsAnswer, editDurationBody } from "./durations-wire.ts";
import { settingsRefusals } from "./refusals.fr.ts";
import { changeSettingsBody, settingsAnswer, settingsHistoryAnswer } from "./wire.ts";

export const readDeskSettings = route("GET /api/desk/settings", {
  summary: "Les réglages en vigueur et leurs défauts",
  access: "operator",
  owns: null,
  answer: settingsAnswer,
  example: {},
});

/** The settings named change, whole; the others stand. */
export const changeDeskSettings = route("PUT /api/desk/settings", {
  summary: "Changer des réglages : frais, limites, horaires, seuils, liens",
  access: "operator",
  owns: null,
  body: changeSettingsBody,
  answer: settingsAnswer,
  refusals: settingsRefusals,
  example: { body: { changes: { stars_only: false }, reason: "Fin de l'essai" } },
});

/** Newest first. */
export const listSettingChanges = route("GET /api/desk/settings/history", {
  summary: "Chaque changement d'un réglage : qui, quand, avant, après",
  access: "operator",
  owns: null,
  query: z.object({ key: z.string().max(40).optional(), cursor: idOnWire.optional() }),
  answer: settingsHistoryAnswer,
  example: {},
});

export const listDeskDurations = route("GET /api/desk/settings/durations", {
  summary: "Les durées proposées aux vendeurs",
  access: "operator",
  owns: null,
  answer: deskDurationsAnswer,
  example: {},
});

export const addDeskDuration = route("POST /api/desk/settings/durations", {
  summary: "Ajouter une durée",
  access: "operator",
  owns: null,
  body: addDurationBody,
  answer: deskDurationsAnswer,
  refusals: settingsRefusals,
  example: { body: { minutes: 20_160, label: "2 semaines", description: "", discount: 0 } },
});

export const editDeskDuration = route("PUT /api/desk/settings/durations/:id", {
  summary: "Renommer, décrire, activer ou désactiver une durée ; les produits gardent la leur",
  access: "operator",
  owns: null,
  body: editDurationBody,
  answer: deskDurationsAnswer,
  refusals: settingsRefusals,
  example: { params: { id: "999999999" }, body: { label: "Deux semaines" } },
});
