import { expect, test } from "vitest";
import { z } from "zod";
import { route } from "./route.ts";

const said = { summary: "Un exemple", access: "seller", answer: null } as const;

const body = z.object({ group_id: z.string() });

/** The compiler refuses each of these: `npm run check` fails when it does not. */
export const refused = () => [
  // @ts-expect-error: `owns` is missing for the id in the address.
  route("GET /api/products/:id", said),
  // @ts-expect-error: `owns` is missing for the id in the body.
  route("POST /api/products", { ...said, body, example: { body: { group_id: "1" } } }),
  // @ts-expect-error: no example of a valid body.
  route("POST /api/products", { ...said, owns: null, body }),
  // @ts-expect-error: no example of a valid form.
  route("POST /api/products", { ...said, owns: null, form: body }),
  // @ts-expect-error: `access` is missing.
  route("GET /api/products", { summary: "Un exemple", answer: null }),
];

test("a route names the owners of its ids and an example of its body", () => {
  const mine = { id: { thing: "product", by: ["seller"] } } as const;
  const { call, path } = route("GET /api/products/:id", { ...said, owns: mine });
  expect([call, path]).toEqual(["GET /api/products/:id", "/api/products/:id"]);
});
