/** Own line drawings on a 24 grid; every one decorative: the button around it carries the name. */
const PATHS = {
  back: "M15 5l-7 7 7 7",
  close: "M6 6l12 12M18 6L6 18",
  more: "M12 5.5v.01M12 12v.01M12 18.5v.01",
  compose: "M4 20h4L19 9l-4-4L4 16v4zM13 7l4 4",
  send: "M4 12l16-8-5 16-3.5-6.5L4 12z",
  slow: "M4 16a8 8 0 0 1 16 0M12 16l-3.5-4M4 19h16",
  wallet: "M4 8.5V17a2 2 0 0 0 2 2h13V9H6a2 2 0 0 1 0-4h11v4M15.5 14v.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 22 }: { name: IconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2.8 : 1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
