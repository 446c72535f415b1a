/** An answer of the server, with whatever a test changes. */
export const example =
  <Answer>(whole: Answer) =>
  (part: Partial<Answer> = {}): Answer => ({ ...whole, ...part });
