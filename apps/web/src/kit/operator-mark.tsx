/**
 * Lines with their width, the lowest first, and their colour where it differs; a dot is a line of no length.
 */
type Mark = readonly [
  ground: string,
  ink: string,
  ...lines: (readonly [path: string, width: number, ink?: string])[],
];

const MARKS: Readonly<Record<string, Mark>> = {
  ORANGE: [
    "#ff7900",
    "#141414",
    ["M7.5 16a8.5 8.5 0 1 0 17 0 8.5 8.5 0 1 0-17 0", 2.8],
    ["M16 12v8M12.5 16h7", 2.4],
  ],
  MTN: ["#ffcb05", "#1b2a4a", ["M5 16a11 7 0 1 0 22 0 11 7 0 1 0-22 0", 2.4], ["M16 16h.01", 5.2]],
  MOOV: [
    "#0a5fb4",
    "#ffffff",
    ["M7 21V12l4.5 6 4.5-6 4.5 6 4.5-6v9", 2.6],
    ["M25 7.4h.01", 4.8, "#f5821f"],
  ],
  WAVE: [
    "#1dc3f2",
    "#0b2540",
    ["M5 13c3.7-4 7.3-4 11 0s7.3 4 11 0M5 20c3.7-4 7.3-4 11 0s7.3 4 11 0", 2.6],
  ],
  FREE: ["#c8102e", "#ffffff", ["M11 25V9.5h11M11 16.5h8.5", 3]],
  EXPRESSO: ["#5b2a86", "#f7c948", ["M8 9l7 7-7 7M16.5 9l7 7-7 7", 3]],
  TMONEY: ["#0f6b4f", "#ffd23f", ["M8 10h16M16 10v14M12 24h8", 3]],
};

const UNKNOWN: Mark = ["#6b7684", "#ffffff", ["M16 16h.01", 10]];

export const OPERATORS = /* @__PURE__ */ Object.keys(MARKS);

/**
 * An operator's mark: its colours and a drawing of ours, not its logo. Decorative: its name stands beside it.
 */
export function OperatorMark({ operator, size = 34 }: { operator: string; size?: number }) {
  const [ground, ink, ...lines] = MARKS[operator] ?? UNKNOWN;
  return (
    <svg
      data-avatar=""
      width={size}
      height={size}
      viewBox="0 0 32 32"
      fill="none"
      stroke={ink}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <rect width="32" height="32" rx="9" fill={ground} stroke="none" />
      {lines.map(([path, width, own]) => (
        <path key={path} d={path} strokeWidth={width} stroke={own} />
      ))}
    </svg>
  );
}
