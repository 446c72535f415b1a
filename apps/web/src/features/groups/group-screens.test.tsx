import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keys } from "../../lib/resources.ts";
import { renderScreen } from "../../testing/screen.tsx";
import { answerCalls } from "../../testing/web-server.ts";
import { exampleChannel, exampleProduct, exampleUser } from "../../testing/wire-examples.ts";
import { GroupDetail } from "./group-detail.tsx";
import { GroupList } from "./group-list.tsx";
import { LinkBot } from "./link-bot.tsx";

const LINKS = {
  group: "https://t.me/SesameVendeurBot?startgroup",
  channel: "https://t.me/SesameVendeurBot?startchannel",
  seller_bot: "SesameVendeurBot",
  buyer_bot: "SesameBot",
  permissions: [],
};

beforeEach(() => {
  vi.stubGlobal("open", vi.fn());
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("linking the bot", () => {
  // @shows A9.bot-link-redirect
  test("returns to the list after 1.5 s inside Telegram", async () => {
    vi.stubGlobal("TelegramWebviewProxy", { postEvent: () => undefined });
    history.replaceState(null, "", "/relierbot#tgWebAppData=user");
    answerCalls(() => ({ status: 200, body: LINKS }));
    renderScreen(<LinkBot />);
    const button = await screen.findByRole("button", { name: "Canal" });
    await vi.waitFor(() => expect((button as HTMLButtonElement).disabled).toBe(false));
    vi.useFakeTimers();
    fireEvent.click(button);
    act(() => void vi.advanceTimersByTime(1_499));
    expect(location.pathname).toBe("/relierbot");
    act(() => void vi.advanceTimersByTime(1));
    expect(location.pathname).toBe("/GroupeListe");
  });
});

describe("the refresh of the groups", () => {
  // @shows A9.refresh-spinner
  test("turns for a second at least", async () => {
    vi.useFakeTimers();
    answerCalls(() => ({ status: 200, body: { success: true, channels: [exampleChannel()] } }));
    renderScreen(<GroupList />, {
      known: [
        [keys.user, exampleUser()],
        [keys.channels, [exampleChannel()]],
        [keys.products, []],
      ],
    });
    const button = screen.getByRole("button", { name: "Actualiser" }) as HTMLButtonElement;
    fireEvent.click(button);
    await act(() => vi.advanceTimersByTimeAsync(990));
    expect(button.disabled || button.getAttribute("aria-busy") === "true").toBe(true);
    await act(() => vi.advanceTimersByTimeAsync(20));
    expect(button.disabled || button.getAttribute("aria-busy") === "true").toBe(false);
  });
});

describe("a group's page", () => {
  const titles = (count: number) =>
    Array.from({ length: count }, (_, at) => exampleProduct({ id: `${at}`, title: `Offre ${at}` }));

  function open(count: number): void {
    answerCalls(() => ({ status: 200, body: {} }));
    renderScreen(<GroupDetail idGroup="-1001000000001" name="Club Forex" />, {
      known: [
        [keys.user, exampleUser()],
        [keys.channels, [exampleChannel()]],
        [keys.products, titles(count)],
      ],
    });
  }

  // @shows A9.group-products, A3.ventes
  test("shows three products, ten while one searches, and searches above three", () => {
    open(3);
    expect(screen.queryByRole("searchbox")).toBeNull();
    screen.getByText("Ventes");
    cleanup();
    open(14);
    expect(screen.getAllByText(/^Offre/)).toHaveLength(3);
    fireEvent.change(screen.getByRole("searchbox"), { target: { value: "offre" } });
    expect(screen.getAllByText(/^Offre/)).toHaveLength(10);
  });
});
