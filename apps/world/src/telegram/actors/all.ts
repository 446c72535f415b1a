import type { MobileMoney } from "../../mobile-money/mobile-money.ts";
import type { PhoneOpener } from "../../opener.ts";
import type { PhoneDelays } from "../../phones.ts";
import type { PhoneId } from "../../wire.ts";
import type { SavedWorld } from "../../world-state.ts";
import { personById, type Town } from "../town.ts";
import type { Actors } from "./actors.ts";
import { botActors } from "./bots.ts";
import { conversationActors } from "./conversations.ts";
import { joinActors, memberActors, ownerActors } from "./members.ts";
import { personActors } from "./persons.ts";
import { starActors } from "./stars.ts";

export function allActors(
  town: Town,
  given: {
    opener: PhoneOpener;
    phones: SavedWorld["phones"];
    phoneOrigin: (id: PhoneId) => string;
    phoneDelays: PhoneDelays;
    mobileMoney: MobileMoney;
  },
): Actors {
  const { opener, phones, phoneOrigin, phoneDelays, mobileMoney } = given;
  return {
    ...personActors(town),
    ...memberActors(town),
    ...joinActors(town),
    ...ownerActors(town),
    ...botActors(town),
    ...conversationActors(town, opener),
    ...starActors(town),
    sendMoney: (sending) => mobileMoney.send(sending),
    addNumber: (number) => mobileMoney.addNumber(number),
    openLink: ({ personId, url, phone }) => opener.link(personId, url, phone),
    openMiniApp: (options) => opener.miniApp(options),
    switchPerson({ phone, personId }) {
      personById(town, personId);
      phones[phone] = personId;
      town.changed();
      return { id: phone, personId, appOrigin: phoneOrigin(phone), delayMs: phoneDelays[phone] };
    },
  };
}
