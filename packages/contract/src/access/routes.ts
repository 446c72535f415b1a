import { route } from "../common/route.ts";
import { myAccessAnswer } from "./wire.ts";

export const listAccesses = route("GET /api/me/access", {
  summary: "Ses accès, en cours et terminés",
  access: "person",
  owns: null,
  answer: myAccessAnswer,
  example: {},
});
