import { type AppState, type BottomButton, HEX } from "./app-state.ts";
import type { Post } from "./handlers.ts";
import css from "./mini-app.module.css";

const safe = (color: string | null) => (color !== null && HEX.test(color) ? color : undefined);

/** Under the web view, as on real clients: they take their height from it. */
export function BottomButtons({ state, post }: { state: AppState; post: Post }) {
  const { main, secondary } = state;
  if (!main.visible && !secondary.visible) return null;
  const both = main.visible && secondary.visible;
  return (
    <div className={css.buttons} data-layout={both ? secondary.position : "alone"}>
      {secondary.visible && <NativeButton kind="secondary" button={secondary} press={post} />}
      {main.visible && <NativeButton kind="main" button={main} press={post} />}
    </div>
  );
}

type Props = { kind: "main" | "secondary"; button: BottomButton; press: Post };

function NativeButton({ kind, button, press }: Props) {
  const style = { background: safe(button.color), color: safe(button.textColor) };
  return (
    <button
      type="button"
      className={css.native}
      data-kind={kind}
      data-shine={button.shine}
      disabled={!button.active}
      aria-busy={button.progress}
      style={style}
      onClick={() => press(`${kind}_button_pressed`)}
    >
      <span className={button.progress ? css.nativeTextBusy : css.nativeText}>{button.text}</span>
      {button.progress && <span className={css.spinner} aria-hidden="true" />}
    </button>
  );
}
