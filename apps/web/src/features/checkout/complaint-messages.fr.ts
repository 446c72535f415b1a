// A file of its own: a refund loads none of these sentences.
import { careCopy } from "./care-messages.fr.ts";

export const complaintCopy = {
  title: "Que se passe-t-il\u00a0?",
  reason: "Que se passe-t-il\u00a0?",
  message: "Précisions (facultatif)",
  needed: "Dites ce qui ne va pas",
  send: "Envoyer la réclamation",
  failed: careCopy.failed,
} as const;
