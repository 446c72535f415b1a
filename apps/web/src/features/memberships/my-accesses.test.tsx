import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { AccessOnWire } from "@sesame/contract/memberships";
import { exampleAccess } from "../../testing/payment-examples.ts";
import { type Answer, answerCalls, ok, good } from "../../testing/web-server.ts";
import { MyAccesses } from "./my-accesses.tsx";

/** What Telegram is asked to open. */
const joined: string[] = [];

beforeEach(() => {
  const user = encodeURIComponent(JSON.stringify({ id: 42 }));
  location.hash = `#tgWebAppVersion=8.0&tgWebAppData=${encodeURIComponent(`user=${user}`)}`;
  vi.stubGlobal("TelegramWebviewProxy", {
    postEvent: (type: string, payload: string) => {
      if (type === "web_app_open_tg_link") joined.push(JSON.parse(payload).path_full);
    },
  });
});
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

test("each access says in French until when it runs, and leads into its group", async () => {
  const until = (access: Partial<AccessOnWire>) => {
    cleanup();
    render(<MyAccesses accesses={[exampleAccess(access)]} go={() => undefined} />);
    return screen.getByRole("listitem").querySelector("em")?.parentElement?.textContent;
  };
  expect(until({ group: { ...exampleAccess().group, link: "https://t.me/c/8/9" } })).toBe(
    "Actif jusqu'au 3 février 2027",
  );
  press("Ouvrir");
  expect(until({ status: "left", invite_link: "https://t.me/+a" })).toBe(
    "Groupe quitté accès jusqu'au 3 février 2027",
  );
  press("Rejoindre");
  await waitFor(() => expect(joined).toEqual(["/c/8/9", "/+a"]));
  expect(until({ status: "waiting" })).toBe("À rejoindre accès jusqu'au 3 février 2027");
  expect(until({ status: "ended" })).toBe("Terminé le 3 février 2027");
  expect(until({ status: "banned" })).toBe("Retiré");
  expect(screen.queryByRole("button", { name: "Ouvrir" })).toBeNull();
});

test("an order under way leads to its page, and an older answer without orders shows none", () => {
  const created_at = "2027-02-03T10:00:00.000Z";
  const order = { id: "8", title: "Recettes", amount: 5_000, created_at };
  const went: unknown[] = [];
  render(<MyAccesses accesses={[]} orders={[order]} go={(to) => went.push(to)} />);
  expect(screen.queryByRole("heading", { name: "Aucun accès" })).toBeNull();
  const said = screen.getByRole("listitem").textContent;
  expect(said).toMatch(/^Recettes5\s000\sFCFAEn cours commande du 3 février 2027/);
  press("Suivre ma commande");
  expect(went).toEqual([{ at: "order", orderId: "8" }]);
  cleanup();
  render(<MyAccesses accesses={[]} go={() => undefined} />);
  screen.getByRole("heading", { name: "Aucun accès" });
});

test("an access whose group lost the bot says that the entry waits for the seller", () => {
  const waiting = exampleAccess({ status: "waiting", order_id: "8", entry_paused: true });
  render(<MyAccesses accesses={[waiting]} go={() => undefined} />);
  screen.getByText(/rendre au bot sa place ou ses droits dans le groupe\. Il est prévenu/);
  screen.getByRole("button", { name: "Un problème ? Cercle" });
});

test("a buyer has his data, and erases them after a second word", async () => {
  const message = "Vos données sont encore nécessaires : 1 accès en cours.";
  const refusals: Answer[] = [{ status: 409, body: { success: false, code: "x", message } }];
  const log = answerCalls(({ path }) => {
    if (path === "/api/auth/acheteur") return ok({ token: "t0k", user: { id: "1" } });
    const erased = good({ message: "" });
    return path === "/api/me/delete" ? (refusals.shift() ?? erased) : ok({});
  });
  const asked = (path: string) => log.filter((each) => each.path === path).length;
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:data");
  // A link that is really followed would take the page of the next test file along.
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  render(<MyAccesses accesses={[]} go={() => undefined} />);
  expect(screen.getByRole("link", { name: /Ce que nous gardons/ }).getAttribute("href")).toBe(
    "/confidentialite",
  );
  press("Télécharger");
  const erase = screen.getByRole("button", { name: "Effacer" });
  erase.focus();
  // While the data comes, nothing else can be asked for.
  press("Effacer");
  expect(screen.queryByRole("alert")).toBeNull();
  await waitFor(() => expect(erase.getAttribute("aria-busy")).toBe("false"));
  press("Effacer");
  screen.getByRole("alert");
  expect(document.activeElement?.textContent, "a second Enter does not erase").toBe("Annuler");
  press("Annuler");
  expect(document.activeElement).toBe(erase);
  expect([asked("/api/me/export"), asked("/api/me/delete")]).toEqual([1, 0]);
  press("Effacer");
  press("Effacer pour toujours");
  expect(await screen.findByText(/^Vos données sont encore nécessaires/)).toBeTruthy();
  press("Effacer");
  press("Effacer pour toujours");
  const erased = await screen.findByText("Vos données personnelles sont effacées.");
  expect(document.activeElement).toBe(erased);
  expect([asked("/api/me/export"), asked("/api/me/delete")]).toEqual([1, 2]);
  expect(saved).toHaveBeenCalledTimes(1);
  saved.mockRestore();
});
