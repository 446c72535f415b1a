import type { OpenAPIV3_1 } from "openapi-types";

export const idempotencyKey: OpenAPIV3_1.ParameterObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "La même clé avec le même contenu répond comme la première fois, sans second effet.",
  schema: { type: "string", maxLength: 200 },
};
