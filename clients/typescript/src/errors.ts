// What the service refuses.

import type { ErrorCode, ErrorDetail } from "./records.js";

/** The service answered with an error. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The code of the error; `unknown` if the answer has none. */
    readonly code: ErrorCode | "unknown",
    message: string,
    /** Each wrong parameter, with what is accepted. */
    readonly details: ErrorDetail[],
    /** The id of the request, for questions to the operator. */
    readonly requestId: string | undefined,
    /** Seconds to wait, if the service says so. */
    readonly retryAfter: number | undefined,
  ) {
    super(message);
  }
}

interface Envelope {
  error?: { code: ErrorCode; message: string; details?: ErrorDetail[] };
  requestId?: string;
}

/** The error of an answer. */
export async function errorOf(answer: Response): Promise<ApiError> {
  let body: Envelope = {};
  try {
    body = JSON.parse(await answer.text()) ?? {};
  } catch {
    // Not from jeden: a proxy before it, perhaps.
  }
  const { code = "unknown", message = `the service answered with status ${answer.status}`, details = [] } =
    body.error ?? {};
  const wait = answer.headers.get("Retry-After");
  const retryAfter = wait !== null && /^\d+$/.test(wait) ? Number(wait) : undefined;
  return new ApiError(answer.status, code as ErrorCode | "unknown", message, details, body.requestId, retryAfter);
}
