const mixed = (part: number) => `color-mix(in srgb, var(--green) ${part}%, var(--card))`;
const filled = (fill: string) => ({ fill });
const drawn = (stroke: string, strokeWidth = 4) => ({ fill: "none", stroke, strokeWidth });

const LOOKS = {
  strong: filled("var(--green)"),
  soft: filled(mixed(38)),
  paper: filled("var(--card)"),
  line: drawn("var(--green)"),
  thickLine: drawn("var(--green)", 7),
  softLine: drawn(mixed(45), 7),
  paperLine: drawn("var(--card)"),
  groundLine: drawn(mixed(10), 6),
};

/** Shapes of each drawing, the lowest first. */
const SHAPES = {
  door: [
    ["soft", "M38 92V52a22 22 0 0 1 44 0v40z"],
    ["strong", "M38 92V52a22 22 0 0 1 22-22l12 12v50z"],
    ["paper", "M62.6 64a3.4 3.4 0 1 0 6.8 0 3.4 3.4 0 1 0 -6.8 0"],
    ["line", "M30 92h60"],
  ],
  product: [
    ["strong", "M43 40h34a9 9 0 0 1 9 9v28a9 9 0 0 1 -9 9h-34a9 9 0 0 1 -9 -9v-28a9 9 0 0 1 9 -9z"],
    ["line", "M48 50v-8a12 12 0 0 1 24 0v8"],
    ["paperLine", "M60 58v16M52 66h16"],
    ["soft", "M82 38a8 8 0 1 0 16 0 8 8 0 1 0 -16 0"],
  ],
  group: [
    ["soft", "M33 52a11 11 0 1 0 22 0 11 11 0 1 0 -22 0"],
    ["soft", "M26 84c0-11 8-18 18-18s18 7 18 18z"],
    ["strong", "M56 48a14 14 0 1 0 28 0 14 14 0 1 0 -28 0"],
    ["strong", "M47 90c0-14 10-23 23-23s23 9 23 23z"],
    ["paperLine", "M70 72v12M64 78h12"],
  ],
  receipt: [
    ["strong", "M40 30h40v58l-6.7-5-6.6 5-6.7-5-6.7 5-6.6-5L40 88z"],
    ["paperLine", "M49 46h22M49 57h22M49 68h13"],
  ],
  search: [
    ["soft", "M34 55a21 21 0 1 0 42 0 21 21 0 1 0 -42 0"],
    ["thickLine", "M34 55a21 21 0 1 0 42 0 21 21 0 1 0 -42 0"],
    ["thickLine", "M71 71l16 16"],
  ],
  phone: [
    ["strong", "M51 26h18a9 9 0 0 1 9 9v50a9 9 0 0 1 -9 9h-18a9 9 0 0 1 -9 -9v-50a9 9 0 0 1 9 -9z"],
    ["paper", "M51 34h18a4 4 0 0 1 4 4v38a4 4 0 0 1 -4 4h-18a4 4 0 0 1 -4 -4v-38a4 4 0 0 1 4 -4z"],
    ["strong", "M71 45 52 53l6.5 2.3L61 62.5l3.5-4.3 5 3.5z"],
    ["paper", "M57 87a3 3 0 1 0 6 0 3 3 0 1 0 -6 0"],
  ],
  link: [
    [
      "thickLine",
      "M40 50h14a12 12 0 0 1 12 12v0a12 12 0 0 1 -12 12h-14a12 12 0 0 1 -12 -12v-0a12 12 0 0 1 12 -12z",
    ],
    [
      "softLine",
      "M66 46h14a12 12 0 0 1 12 12v0a12 12 0 0 1 -12 12h-14a12 12 0 0 1 -12 -12v-0a12 12 0 0 1 12 -12z",
    ],
  ],
  coins: [
    ["soft", "M28 80a24 9 0 1 0 48 0 24 9 0 1 0 -48 0"],
    ["strong", "M28 70a24 9 0 1 0 48 0 24 9 0 1 0 -48 0"],
    ["soft", "M28 60a24 9 0 1 0 48 0 24 9 0 1 0 -48 0"],
    ["strong", "M58 46a18 18 0 1 0 36 0 18 18 0 1 0 -36 0"],
    ["paperLine", "M71 40h11M71 46h8M71 40v14"],
  ],
  broken: [
    ["strong", "M34 44a8 8 0 0 1 8-8h36a8 8 0 0 1 8 8v34a8 8 0 0 1-8 8H42a8 8 0 0 1-8-8z"],
    ["paperLine", "M34 70l14-14 10 10 8-8 20 18"],
    ["groundLine", "M62 30 56 48l10 6-8 20"],
  ],
} as const satisfies Record<string, readonly (readonly [look: keyof typeof LOOKS, path: string])[]>;

export type DrawingName = keyof typeof SHAPES;

export const DRAWING_NAMES = /* @__PURE__ */ Object.keys(SHAPES) as readonly DrawingName[];

/** Small pictures in two tones, drawn for light and dark alike. */
export function Drawing({ name, size = 120 }: { name: DrawingName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 120 120"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path
        d="M8 60a52 52 0 0 1 104 0v38a14 14 0 0 1-14 14H22a14 14 0 0 1-14-14z"
        fill={mixed(10)}
      />
      {SHAPES[name].map(([look, path]) => (
        <path key={`${look} ${path}`} d={path} {...LOOKS[look]} />
      ))}
    </svg>
  );
}
