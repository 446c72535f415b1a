import { describe, expect, test } from "vitest";
import { readFrancs } from "../../kit/use-form.tsx";
import { dayBeside } from "./day.tsx";
import { staffParentOf, staffTabOf, isMainBackOfficeRoute } from "./place.ts";
import { differencesOf } from "./operator-messages.fr.ts";
import { sayAge } from "../../lib/time-words.fr.ts";
import { sayCountdown, sayCountdownAloud, sayWorking } from "./messages.fr.ts";
import { KINDS } from "./settings-fields.ts";

describe("time in the back office", () => {
  test.each([
    [0, "à l'instant"],
    [59, "il y a 59 min"],
    [60, "il y a 1 h"],
    [1_440, "hier"],
    [4_400, "il y a 3 jours"],
  ])("%i minutes ago is « %s »", (minutes, words) => expect(sayAge(minutes)).toBe(words));

  test.each([
    [0, "0 min"],
    [65, "1 h 05"],
    [120, "2 h"],
    [1_439, "23 h"],
  ])("%i working minutes are « %s »", (minutes, words) => expect(sayWorking(minutes)).toBe(words));

  test("a countdown is shown by the second and spoken by the minute", () => {
    expect(sayCountdown(724.9)).toBe("12:04");
    expect(sayCountdown(-3)).toBe("0:00");
    expect(sayCountdownAloud(724)).toBe("13 minutes");
    expect(sayCountdownAloud(30)).toBe("moins d'une minute");
  });
});

describe("amounts and days as they are typed", () => {
  test("spaces are no matter; what is no whole number goes as it is", () => {
    expect(readFrancs("162 500")).toBe(162_500);
    expect(readFrancs("162\u202f500")).toBe(162_500);
    expect(readFrancs("12.500")).toBe(12_500);
    expect(readFrancs("12,5")).toBe("12,5");
    expect(readFrancs("12.5")).toBe("12.5");
    expect(readFrancs("")).toBe("");
  });

  test("the day before the first of a month is the last of the other", () => {
    expect(dayBeside("2026-12-01", -1)).toBe("2026-11-30");
    expect(dayBeside("2028-02-28", 1)).toBe("2028-02-29");
  });

  test("a share is typed in percent and travels in ten-thousandths", () => {
    expect(KINDS.percent.read("17,5")).toBe(1_750);
    expect(KINDS.percent.type(1_750)).toBe("17,5");
    expect(KINDS.percent.say(1_750)).toBe("17,5 %");
    expect(KINDS.percent.read("beaucoup")).toBeUndefined();
    expect(KINDS.francs.read("12,5")).toBeUndefined();
    expect(KINDS.days.read("30")).toBe(30);
    expect(KINDS.days.say(30)).toBe("30 jours");
    expect(KINDS.days.read("un mois")).toBeUndefined();
    expect(KINDS.text.read("  ")).toBeNull();
  });
});

describe("a change", () => {
  test("shows only the parts that differ", () => {
    expect(differencesOf({ free: 1_800, premium: 0 }, { free: 1_500, premium: 0 })).toEqual([
      { name: "plan gratuit", before: "1\u00a0800", after: "1\u00a0500" },
    ]);
  });

  test("from nothing has no before; a value without parts has no name", () => {
    expect(differencesOf(null, 100_000)).toEqual([
      { name: "", before: null, after: "100\u00a0000" },
    ]);
  });
});

describe("the back office's addresses", () => {
  test("belong to their tab, whatever their case", () => {
    expect(staffTabOf("/Bureau")).toBe("queue");
    expect(staffTabOf("/bureau/retraits/41")).toBe("queue");
    expect(staffTabOf("/bureau/vendeurs/7")).toBe("search");
    expect(staffTabOf("/bureau/commandes/9")).toBe("search");
    expect(staffTabOf("/bureau/remboursements")).toBe("buyers");
    expect(staffTabOf("/bureau/reclamations/3")).toBe("buyers");
    expect(staffTabOf("/bureau/journal")).toBe("settings");
    expect(staffTabOf("/bureau/nulle-part")).toBeNull();
  });

  test("of a detail lead back to its list", () => {
    expect(isMainBackOfficeRoute("/bureau/jour/")).toBe(true);
    expect(isMainBackOfficeRoute("/bureau/journal")).toBe(false);
    expect(staffParentOf("/bureau/retraits/41")).toBe("/bureau");
    expect(staffParentOf("/bureau/vendeurs/7")).toBe("/bureau/recherche");
    expect(staffParentOf("/bureau/commandes/9")).toBe("/bureau/recherche");
    expect(staffParentOf("/bureau/reclamations/3")).toBe("/bureau/reclamations");
    expect(staffParentOf("/bureau/journal")).toBe("/bureau/reglages");
  });
});
