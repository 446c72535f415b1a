import { type CSSProperties, useState } from "react";
import type { PersonView, PhoneView } from "../../wire.ts";
import { type Money, useMoney } from "../mobile-money/use-money.ts";
import { useWorld } from "../world/store.ts";
import { phoneCopy } from "./copy.fr.ts";
import css from "./phone.module.css";
import { PhoneBar } from "./phone-bar.tsx";
import { PhoneInside } from "./phone-inside.tsx";
import { phoneStyle, type Scheme } from "./theme.ts";

type Props = { phone: PhoneView; scheme: Scheme };

/** One phone: who holds it above, the glass below. Another holder starts from a clean screen. */
export function Phone({ phone, scheme }: Props) {
  const { persons } = useWorld();
  const person = persons.find((one) => one.id === phone.personId);
  const money = useMoney(phone.personId);
  return (
    <section className={css.phone} aria-label={phoneCopy.phones[phone.id].label}>
      <PhoneBar phone={phone} person={person} money={money} />
      {person !== undefined && (
        <Glass key={person.id} phone={phone} person={person} scheme={scheme} money={money} />
      )}
    </section>
  );
}

type GlassProps = { phone: PhoneView; person: PersonView; scheme: Scheme; money: Money };

function Glass({ phone, person, scheme, money }: GlassProps) {
  const [haptic, setHaptic] = useState({ count: 0, kind: "" });
  const shake = { "--shake": haptic.count % 2 === 0 ? "shake-a" : "shake-b" } as CSSProperties;
  return (
    <div className={css.body} data-haptic={haptic.kind} style={shake}>
      <div className={css.glass} style={phoneStyle(scheme)}>
        <PhoneInside
          phone={phone}
          person={person}
          scheme={scheme}
          money={money}
          onHaptic={(kind) => setHaptic((before) => ({ count: before.count + 1, kind }))}
        />
        {haptic.count > 0 && (
          <span key={haptic.count} className={css.hapticMark} aria-hidden="true" />
        )}
      </div>
    </div>
  );
}
