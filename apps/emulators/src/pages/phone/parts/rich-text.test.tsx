import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { MessageEntity } from "../../../wire.ts";
import { RichText } from "./messages.tsx";

/** The markup without class names, which the build invents. */
function render(text: string, entities: MessageEntity[] = []): string {
  const node = <RichText text={text} entities={entities} onLink={() => undefined} />;
  return renderToStaticMarkup(node).replaceAll(/ (class|type)="[^"]*"/g, "");
}

describe("the text of a message", () => {
  test("is never read as HTML", () => {
    expect(render("<img src=x onerror=alert(1)>")).toBe(
      "<span>&lt;img src=x onerror=alert(1)&gt;</span>",
    );
  });

  test("nests entities", () => {
    const entities: MessageEntity[] = [
      { type: "bold", offset: 0, length: 11 },
      { type: "italic", offset: 5, length: 6 },
    ];
    expect(render("Reçu de 5000 F", entities)).toBe("<span><b>Reçu <i>de 500</i></b>0 F</span>");
  });

  test("counts offsets in UTF-16 units, as Telegram does", () => {
    expect(render("🧾 Reçu", [{ type: "bold", offset: 3, length: 4 }])).toBe(
      "<span>🧾 <b>Reçu</b></span>",
    );
  });

  test("keeps every character when entities overlap without nesting", () => {
    const entities: MessageEntity[] = [
      { type: "bold", offset: 0, length: 4 },
      { type: "italic", offset: 2, length: 4 },
    ];
    expect(render("abcdefgh", entities).replaceAll(/<[^>]*>/g, "")).toBe("abcdefgh");
  });

  test("makes a link typed by a person pressable, without its final full stop", () => {
    expect(render("Voici https://t.me/b?startapp=x.")).toBe(
      "<span>Voici <button>https://t.me/b?startapp=x</button>.</span>",
    );
  });
});
