import sharp from "sharp";

/** A small JPEG with something to see, made here: no fixture file to keep. */
export function photograph(): Promise<Buffer> {
  const circles = Array.from({ length: 24 }, (_, at) => {
    const hue = 200 + ((at * 23) % 60);
    return `<circle cx="${(at * 173) % 1200}" cy="${(at * 97) % 750}" r="${40 + ((at * 31) % 120)}"
      fill="hsl(${hue} 60% ${35 + ((at * 7) % 30)}%)" opacity="0.45"/>`;
  }).join("");
  const line = Array.from({ length: 25 }, (_, at) => {
    const y = 560 - at * 14 + ((at * 53) % 90);
    return `${at * 50},${y}`;
  }).join(" ");
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="750">
      <defs><linearGradient id="sky" x2="0.4" y2="1"><stop stop-color="#123a6b"/>
      <stop offset="1" stop-color="#0b7a75"/></linearGradient></defs>
      <rect width="1200" height="750" fill="url(#sky)"/>${circles}
      <polyline points="${line}" fill="none" stroke="#ffd166" stroke-width="12"
        stroke-linejoin="round" stroke-linecap="round"/></svg>`),
  )
    .jpeg({ quality: 88 })
    .toBuffer();
}
