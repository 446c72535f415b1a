/** Without accents or case: "Éducation" is found by "educ". */
function fold(text: string): string {
  return text
    .normalize("NFD")
    .replace(/\p{Diacritic}/gu, "")
    .toLowerCase();
}

export function foldedIncludes(text: string, part: string): boolean {
  return fold(text).includes(fold(part.trim()));
}

/** A part of an address as it was written; left alone when it is not well encoded. */
export function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
