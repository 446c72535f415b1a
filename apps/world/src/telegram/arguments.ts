import { textOf } from "@sesame/kernel";
import { badRequest } from "./api-error.ts";

/** A file that came with a multipart request. */
export type Upload = { bytes: Buffer; type: string; filename: string };

/**
 * The parameters of one call. However they came (query, form, multipart, JSON), the Bot API reads
 * each as text: a number may be a string, an object may be JSON inside a string.
 */
export class Arguments {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly uploads: ReadonlyMap<string, Upload>;

  readonly encoding: "json" | "form";

  constructor(
    raw: Record<string, unknown>,
    came: { encoding: "json" | "form"; uploads: ReadonlyMap<string, Upload> },
  ) {
    this.raw = raw;
    this.encoding = came.encoding;
    this.uploads = came.uploads;
  }

  has(name: string): boolean {
    return this.raw[name] !== undefined && this.raw[name] !== null;
  }

  text(name: string): string {
    const value = this.raw[name];
    if (value === undefined || value === null) return "";
    return typeof value === "object" ? JSON.stringify(value) : textOf(value);
  }

  /** Digits at the start count, as in the server's own `to_integer`; anything else is 0. */
  integer(name: string): number {
    const match = /^-?\d+/.exec(this.text(name).trim());
    return match === null ? 0 : Number(match[0]);
  }

  boolean(name: string): boolean {
    const value = this.text(name).trim().toLowerCase();
    return value === "true" || value === "yes" || value === "1";
  }

  json(name: string): unknown {
    const value = this.raw[name];
    if (typeof value !== "string") return value ?? undefined;
    if (value.trim() === "") return undefined;
    try {
      return JSON.parse(value) as unknown;
    } catch {
      throw badRequest(`can't parse ${name.replaceAll("_", " ")} JSON object`);
    }
  }
}
