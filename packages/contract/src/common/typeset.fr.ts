/** French signs stay on the line of their word: narrow no-break spaces, « » with no-break ones. */
export function typeset(text: string): string {
  return text
    .replaceAll(/ ([?!;%])/g, "\u202f$1")
    .replaceAll(/ ([:»])/g, "\u00a0$1")
    .replaceAll("« ", "«\u00a0")
    .replaceAll(/(\d) (h|FCFA)\b/g, "$1\u00a0$2");
}
