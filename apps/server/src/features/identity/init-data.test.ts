import { isValid, sign } from "@tma.js/init-data-node";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signInitData } from "../../../test/client.ts";
import { createInitDataVerifier } from "./init-data.ts";

const TOKEN = "7000000001:a-token";
const NOW = new Date("2026-11-16T09:00:00.000Z");
const verify = createInitDataVerifier([{ name: "seller", token: TOKEN }]);
const runs = process.env.LONG === "1" ? 10_000 : 1_000;

const raw = signInitData(
  { id: 6_000_000_001, first_name: "Awa", last_name: "Koné & fils", username: "awa" },
  { token: TOKEN, authDate: NOW, startParam: "abcDEF2345" },
);

/** The pairs as they are read: two texts with the same ones are the same init data. */
function meaningOf(text: string): string {
  const pairs = text.split("&").map((pair) => {
    try {
      return decodeURIComponent(pair.replaceAll("+", " "));
    } catch {
      return `undecodable ${pair}`;
    }
  });
  return pairs.sort().join("\n");
}

describe("init data", () => {
  test("of Telegram's library are accepted, and ours by the library", () => {
    const user = { id: 1, first_name: "É 你 &=%+", last_name: "", language_code: "fr" };
    expect(verify(sign({ user }, TOKEN, NOW), NOW).ok).toBe(true);
    expect(verify(raw, NOW).ok).toBe(true);
    expect(isValid(raw, TOKEN, { expiresIn: 0 })).toBe(true);
  });

  test("agree with the library for any user", () => {
    fc.assert(
      fc.property(
        fc.record({
          id: fc.integer({ min: 1 }),
          first_name: fc.string({ unit: "binary" }),
          username: fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
        }),
        fc.option(fc.string({ unit: "grapheme" }), { nil: undefined }),
        (user, start_param) => {
          const signed = sign({ user, ...(start_param ? { start_param } : {}) }, TOKEN, NOW);
          const read = verify(signed, NOW);
          expect(read.ok && read.value.telegramId).toBe(BigInt(user.id));
        },
      ),
      { numRuns: runs / 10 },
    );
  });

  test("changed in any place are refused", () => {
    const position = fc.nat(raw.length - 1);
    const mutation = fc.oneof(
      fc.tuple(position, fc.string({ minLength: 1, maxLength: 3 })).map(([at, text]) => {
        return raw.slice(0, at) + text + raw.slice(at + text.length);
      }),
      fc.tuple(position, fc.nat(20)).map(([at, count]) => raw.slice(0, at) + raw.slice(at + count)),
      fc.tuple(position, fc.string({ minLength: 1 })).map(([at, text]) => {
        return raw.slice(0, at) + text + raw.slice(at);
      }),
      fc.tuple(position, fc.nat(7)).map(([at, bit]) => {
        const flipped = String.fromCharCode(raw.charCodeAt(at) ^ (1 << bit));
        return raw.slice(0, at) + flipped + raw.slice(at + 1);
      }),
      fc.constantFrom(raw.split("&")).chain((pairs) =>
        fc.tuple(fc.constantFrom(...pairs), fc.boolean()).map(([pair, twice]) => {
          return twice
            ? `${raw}&${pair}`
            : raw
                .split("&")
                .filter((one) => one !== pair)
                .join("&");
        }),
      ),
    );
    fc.assert(
      fc.property(mutation, (mutated) => {
        fc.pre(meaningOf(mutated) !== meaningOf(raw));
        expect(verify(mutated, NOW).ok).toBe(false);
      }),
      { numRuns: runs },
    );
  });

  test("of any text at all never throw", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(verify(text, NOW).ok).toBe(false);
      }),
      { numRuns: runs },
    );
  });

  test("longer than any of Telegram's are refused unread", () => {
    expect(verify(`${raw}&x=${"y".repeat(10_000)}`, NOW).ok).toBe(false);
  });
});
