import { useWorld } from "../../world/store.ts";
import css from "./avatar.module.css";

const TINTS = ["#d9705b", "#d58a35", "#7f63c9", "#4b9e58", "#3a93b8", "#4a7fd0", "#c65d92"];

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return letters.map((word) => Array.from(word ?? "")[0] ?? "").join("");
}

type Props = { id: number; name: string; size?: number; bot?: boolean };

export function Avatar({ id, name, size = 44, bot = false }: Props) {
  const { bots } = useWorld();
  const tint = TINTS[Math.abs(id) % TINTS.length];
  const role = bots.find((one) => one.id === id)?.role;
  return (
    <span
      className={bot ? css.bot : css.avatar}
      data-bot={role}
      // Drawn, not written: the name stands beside them.
      data-letters={bot ? undefined : initials(name)}
      style={{
        width: size,
        height: size,
        fontSize: size * 0.38,
        ...(bot ? {} : { background: tint }),
      }}
      aria-hidden="true"
    >
      {bot && (
        <svg width={size * 0.56} height={size * 0.56} viewBox="0 0 24 24">
          <path d="M6 21V11a6 6 0 0 1 12 0v10z" fill="#f8f4e8" />
          <circle cx="14.6" cy="14.5" r="1.4" fill="currentColor" />
        </svg>
      )}
    </span>
  );
}
