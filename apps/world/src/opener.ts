import type { Opener } from "./telegram/actors/conversations.ts";
import { launch } from "./telegram/launch.ts";
import { openLink } from "./telegram/open-link.ts";
import type { Town } from "./telegram/town.ts";
import type { Launch, LaunchOptions, PhoneId } from "./wire.ts";
import type { SavedWorld } from "./world-state.ts";

export type PhoneOpener = Opener & { miniApp(options: LaunchOptions): Launch };

/** Opens mini apps on the origin of the phone that a person holds. */
export function phoneOpener(
  town: Town,
  phones: SavedWorld["phones"],
  originOf: (phone: PhoneId) => string,
): PhoneOpener {
  const phoneOf = (personId: number): PhoneId => {
    const held = (Object.keys(phones) as PhoneId[]).find((id) => phones[id] === personId);
    return held ?? "buyer";
  };
  const miniApp = (options: LaunchOptions) =>
    launch(town, options, originOf(options.phone ?? phoneOf(options.personId)));
  return {
    miniApp,
    link: (personId, url, phone) =>
      openLink(
        {
          town,
          personId,
          openApp: (app) => {
            const options = { ...app, personId, ...(phone && { phone }) };
            return { kind: "miniApp", launch: miniApp(options) };
          },
        },
        url,
      ),
    webApp(personId, app) {
      const url = new URL(app.url);
      const ours = [town.settings.appUrl, town.settings.publicUrl].some(
        (address) => new URL(address).origin === url.origin,
      );
      const { bot, phone } = app;
      const path = `${url.pathname}${url.search}`;
      const options = { personId, bot, mode: "inline" as const, path, ...(phone && { phone }) };
      return {
        kind: "miniApp",
        launch: ours ? miniApp(options) : launch(town, options, url.origin),
      };
    },
  };
}
