/** A refusal of the Bot API: goes out as `{ ok: false, error_code, description, parameters? }`. */
export class ApiError extends Error {
  override name = "ApiError";
  readonly code: number;
  readonly parameters: { migrate_to_chat_id?: number; retry_after?: number } | undefined;

  constructor(
    code: number,
    description: string,
    parameters?: { migrate_to_chat_id?: number; retry_after?: number },
  ) {
    super(description);
    this.code = code;
    this.parameters = parameters;
  }
}

export function badRequest(reason: string): ApiError {
  return new ApiError(400, `Bad Request: ${reason}`);
}

export function forbidden(reason: string): ApiError {
  return new ApiError(403, `Forbidden: ${reason}`);
}

/** A person tried what Telegram's own apps would not let him do: 422 in the control API. */
export class NotPossible extends Error {
  override name = "NotPossible";
}
