import type { SmsView } from "../../wire.ts";
import { moneyCopy as copy } from "./copy.fr.ts";
import css from "./mobile-money.module.css";
import { NetworkMark } from "./network-mark.tsx";

/** A message of the operator's, over whatever the phone shows. */
export function SmsBanner({ message, onOpen }: { message: SmsView; onOpen: () => void }) {
  return (
    <button type="button" className={css.banner} onClick={onOpen}>
      <NetworkMark network={message.network} size={36} />
      <span className={css.bannerWords}>
        <b>
          {copy.sender(message.network)}
          <span className={css.bannerTime}>{copy.now}</span>
        </b>
        <span>{copy.preview(message)}</span>
      </span>
    </button>
  );
}
