import { useEffect, useEffectEvent } from "react";
import type { InvitePreview } from "../../../wire.ts";
import { useWorld } from "../../world/store.ts";
import { phoneCopy } from "../copy.fr.ts";
import { Avatar } from "../parts/avatar.tsx";
import css from "../parts/parts.module.css";
import { BottomSheet } from "../parts/sheet.tsx";
import { usePhone } from "../phone-context.ts";

/** What stands behind t.me/+HASH. It follows the world: a request accepted shows at once. */
export function InviteSheet({ invite }: { invite: InvitePreview }) {
  const phone = usePhone();
  const { version } = useWorld();
  const { act, dispatch } = phone;
  const { link } = invite;
  const show = (fresh: InvitePreview) =>
    dispatch({ type: "sheet", sheet: { kind: "invite", invite: fresh } });

  const look = useEffectEvent(async (wanted: () => boolean) => {
    const answer = await act("previewInvite", { link });
    if (answer !== null && wanted()) show(answer.gives);
  });
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- asked anew at each change of the world
  useEffect(() => {
    let open = true;
    void look(() => open);
    return () => {
      open = false;
    };
  }, [version, link]);

  const close = () => dispatch({ type: "sheet", sheet: null });
  const press = async () => {
    const { state, chatId } = invite;
    if (state === "open" || state === "askable") {
      const answer = await act("join", { link });
      if (answer !== null) show(answer.gives);
    } else if (state === "member" && chatId !== null) {
      dispatch({ type: "goTo", screen: { at: "chat", chatId } });
    } else if (state === "asked" && chatId !== null) {
      await act("cancelJoinRequest", { chatId });
    } else close();
  };
  return (
    <BottomSheet label={invite.title || phoneCopy.info.links} onClose={close}>
      <InviteBody invite={invite} onPress={() => void press()} />
    </BottomSheet>
  );
}

function InviteBody({ invite, onPress }: { invite: InvitePreview; onPress: () => void }) {
  const words = phoneCopy.invite[invite.state];
  const known = invite.title !== "";
  return (
    <>
      <div className={css.hero}>
        {known && <Avatar id={invite.chatId ?? 0} name={invite.title} size={84} />}
        {invite.kind !== null && (
          <p className={css.heroNote}>
            {phoneCopy.kinds[invite.kind]} · {phoneCopy.size(invite.kind, invite.memberCount)}
          </p>
        )}
        <p className={css.heroName} role="status">
          {words.text}
        </p>
      </div>
      <button
        type="button"
        className={invite.state === "asked" ? css.wideQuiet : css.wide}
        onClick={onPress}
      >
        {words.button}
      </button>
    </>
  );
}
