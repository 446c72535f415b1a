/**
 * What no log line carries, at any level. Plug-ins log whole requests at `trace` (multipart: every
 * header of an upload), a database error carries the values of the row that it refused, and an error
 * of the Bot API carries the message that was sent. Paths of pino's `redact`.
 */
const SECRET_HEADERS = [
  "authorization",
  "x-telegram-init-data",
  "cookie",
  "x-telegram-bot-api-secret-token",
];

const HOLDERS = ["headers", "*.headers", "*.*.headers"];

export const LOG_REDACTION = {
  paths: [
    ...HOLDERS.flatMap((holder) => SECRET_HEADERS.map((name) => `${holder}["${name}"]`)),
    ...["err", "error"].flatMap((error) =>
      ["detail", "where", "payload", "internalQuery"].map((field) => `${error}.${field}`),
    ),
  ],
  censor: "[redacted]",
};
