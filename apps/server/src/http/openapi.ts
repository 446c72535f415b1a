import swagger from "@fastify/swagger";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform } from "fastify-type-provider-zod";

/** The description of every call, from the routes' own schemas: /api/openapi.json. */
export async function registerOpenapi(app: FastifyInstance, publicUrl: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Sésame",
        version: "0.1.0",
        description: "Paid, time-limited access to Telegram groups, in francs CFA.",
      },
      servers: [{ url: publicUrl }],
      components: {
        securitySchemes: {
          token: { type: "http", scheme: "bearer" },
          initData: { type: "apiKey", in: "header", name: "X-Telegram-Init-Data" },
        },
      },
    },
    transform: jsonSchemaTransform,
  });
  app.get(
    "/api/openapi.json",
    { config: { access: "public" }, schema: { hide: true } },
    async () => app.swagger(),
  );
}
