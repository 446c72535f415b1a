import { type ReactNode, useEffect, useRef, useState } from "react";
import type { SentMoney } from "../../wire.ts";
import { fullName } from "../phone/chat-rows.ts";
import { Icon } from "../phone/parts/icon.tsx";
import { usePhone } from "../phone/phone-context.ts";
import { StatusBar } from "../phone/status-bar.tsx";
import { moneyCopy as copy } from "./copy.fr.ts";
import { MoneyHome } from "./home.tsx";
import css from "./mobile-money.module.css";
import { OwnNumbers } from "./own-numbers.tsx";
import { Receipt } from "./receipt.tsx";
import { SendMoney } from "./send-money.tsx";

export type MoneyScreen =
  | { at: "home" }
  | { at: "send" }
  | { at: "receipt"; sent: SentMoney }
  | { at: "numbers" };

/** The operators' app, and their messages: outside Telegram, as on any phone. */
export function MobileMoney({ onClose }: { onClose: () => void }) {
  const { person } = usePhone();
  const [screen, setScreen] = useState<MoneyScreen>({ at: "home" });
  const layer = useRef<HTMLElement>(null);
  useEffect(() => layer.current?.focus({ preventScroll: true }), []);
  const home = () => setScreen({ at: "home" });
  return (
    <section
      className={css.layer}
      aria-label={copy.region(fullName(person))}
      tabIndex={-1}
      ref={layer}
    >
      <StatusBar />
      {screen.at === "home" && (
        <>
          <Bar title={copy.title} back={copy.close} shownBack={copy.telegram} onBack={onClose}>
            <button
              type="button"
              className={css.tool}
              aria-label={copy.numbers}
              onClick={() => setScreen({ at: "numbers" })}
            >
              <Icon name="sim" size={21} />
            </button>
          </Bar>
          <MoneyHome onSend={() => setScreen({ at: "send" })} />
        </>
      )}
      {screen.at === "send" && (
        <>
          <Bar title={copy.form.title} back={copy.back} onBack={home} />
          <SendMoney onSent={(sent) => setScreen({ at: "receipt", sent })} />
        </>
      )}
      {screen.at === "receipt" && <Receipt sent={screen.sent} onDone={home} />}
      {screen.at === "numbers" && (
        <>
          <Bar title={copy.numbers} back={copy.back} onBack={home} />
          <OwnNumbers />
        </>
      )}
    </section>
  );
}

type BarProps = {
  title: string;
  back: string;
  /** Beside the arrow, where it leads. */
  shownBack?: string;
  onBack: () => void;
  children?: ReactNode;
};

function Bar({ title, back, shownBack, onBack, children }: BarProps) {
  return (
    <header className={css.bar}>
      <button type="button" className={css.back} aria-label={back} onClick={onBack}>
        <Icon name="back" size={22} />
        {shownBack !== undefined && <span>{shownBack}</span>}
      </button>
      <h3 className={css.barTitle}>{title}</h3>
      <span className={css.barEnd}>{children}</span>
    </header>
  );
}
