type Mark = { letters: string; background: string; ink: string };

/** Letters on the operator's colour: enough to know it by, and no logo of anybody's. */
const MARKS: [RegExp, Mark][] = [
  [/^orange/, { letters: "OM", background: "#ff7900", ink: "#000000" }],
  [/^mtn/, { letters: "MTN", background: "#ffcb05", ink: "#003a63" }],
  [/^moov/, { letters: "Mv", background: "#00579f", ink: "#ffffff" }],
  [/^wave/, { letters: "W", background: "#1dc8ff", ink: "#04263a" }],
  [/^free/, { letters: "fr", background: "#c4161c", ink: "#ffffff" }],
  [/^expresso/, { letters: "E", background: "#5b2a86", ink: "#ffffff" }],
  [/^t-money/, { letters: "T", background: "#f8d210", ink: "#1b1b1b" }],
];
const OTHER: Mark = { letters: "MM", background: "#0b6e5f", ink: "#ffffff" };

export function NetworkMark({ network, size = 36 }: { network: string; size?: number }) {
  const { letters, background, ink } = MARKS.find(([known]) => known.test(network))?.[1] ?? OTHER;
  return (
    <svg width={size} height={size} viewBox="0 0 36 36" style={{ flex: "none" }} aria-hidden="true">
      <rect width="36" height="36" rx="10" fill={background} />
      <text
        x="18"
        y={letters.length > 2 ? 22 : 23.5}
        fill={ink}
        fontSize={letters.length > 2 ? 12 : 15}
        fontWeight="800"
        textAnchor="middle"
      >
        {letters}
      </text>
    </svg>
  );
}
