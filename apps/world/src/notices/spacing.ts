/** Spaces and escapes that mean the same: a slash with a backslash, a letter by its number. */
export function spacedOut(content: object): string {
  const spaced = JSON.stringify(content, null, 3);
  const escaped = spaced.replaceAll("/", "\\/").replace(/[\u0080-\uffff]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return ` ${escaped}\n`;
}
