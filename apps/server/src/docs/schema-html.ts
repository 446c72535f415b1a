import { textOf } from "@sesame/kernel";
import { escapeText } from "../pages/buyer-html.ts";
import { docsCopy } from "./copy.fr.ts";
import type { Schema } from "./description.ts";

/** A schema as nested lists of fields: name, type, whether it is required. */
export function schemaHtml(schema: Schema): string {
  const fields = fieldsOf(schema);
  const type = `<p class="type">${escapeText(sayType(schema))}</p>`;
  return fields === null ? type : fields;
}

function fieldsOf(schema: Schema): string | null {
  const shape = shapeOf(schema);
  if (!shape?.properties) return null;
  const required = new Set(shape.required);
  const items = Object.entries(shape.properties).map(([name, field]) => {
    const must = required.has(name) ? "" : "?";
    const inner = fieldsOf(field) ?? "";
    return `<li><code>${escapeText(name)}${must}</code> ${escapeText(sayType(field))}${inner}</li>`;
  });
  return `<ul class="fields">${items.join("")}</ul>`;
}

/** The object a schema is, or holds: through lists and "or nothing". */
function shapeOf(schema: Schema): Schema | null {
  if (schema.properties) return schema;
  if (schema.items) return shapeOf(schema.items);
  for (const choice of schema.anyOf ?? []) {
    const shape = shapeOf(choice);
    if (shape) return shape;
  }
  return null;
}

/** "texte, 64 caractères au plus", "liste de : objet", "entier ou vide". */
export function sayType(schema: Schema): string {
  if (schema.const !== undefined) return docsCopy.exactly(textOf(schema.const));
  if (schema.enum?.length === 1) return docsCopy.exactly(JSON.stringify(schema.enum[0]));
  if (schema.enum)
    return docsCopy.among(schema.enum.map((each) => JSON.stringify(each)).join(", "));
  if (schema.anyOf) {
    return [...new Set(schema.anyOf.map(sayType))].join(docsCopy.or);
  }
  if (schema.items) return docsCopy.listOf(sayType(schema.items));
  if (schema.format === "binary") return docsCopy.types.binary;
  const types = [schema.type ?? "any"].flat().map(sayName).join(docsCopy.or);
  return [types, ...limitsOf(schema)].join(", ");
}

function sayName(type: string): string {
  return type in docsCopy.types ? docsCopy.types[type as keyof typeof docsCopy.types] : type;
}

function limitsOf({ pattern, maxLength, minimum, maximum }: Schema): string[] {
  const limits: string[] = [];
  if (pattern !== undefined) limits.push(docsCopy.pattern(pattern));
  if (maxLength !== undefined) limits.push(docsCopy.atMost(maxLength));
  // Bounds of what JSON can carry are no rule of ours.
  const bounded = minimum !== undefined && maximum !== undefined;
  if (bounded && maximum !== Number.MAX_SAFE_INTEGER)
    limits.push(docsCopy.between(minimum, maximum));
  return limits;
}
