"""What the service refuses, one class for each kind."""

import json

from .records import ErrorDetail
from .reading import read


class ApiError(Exception):
    """The service answered with an error."""

    status: int
    """The HTTP status."""
    code: str
    """The code of the error, such as `invalid-request`; `unknown` if the answer has none."""
    details: list[ErrorDetail]
    """Each wrong parameter, with what is accepted."""
    request_id: str | None
    """The id of the request, for questions to the operator."""
    retry_after: int | None
    """Seconds to wait, if the service says so."""

    def __init__(self, status: int, body: bytes, retry_after: int | None):
        try:
            answer = json.loads(body)
            error = answer["error"]
            self.code, message = error["code"], error["message"]
        except (ValueError, KeyError, TypeError):
            # Not from jeden: a proxy before it, perhaps.
            answer, error = {}, {}
            self.code, message = "unknown", f"the service answered with status {status}"
        self.status = status
        self.details = [read(ErrorDetail, detail) for detail in error.get("details", [])]
        self.request_id = answer.get("requestId")
        self.retry_after = retry_after
        super().__init__(message)


class InvalidRequest(ApiError):
    """400: parameters are wrong; `details` says which."""


class Unauthorized(ApiError):
    """401: the token is missing, unknown or revoked."""


class Forbidden(ApiError):
    """403: the plan does not include what was asked for."""


class NotFound(ApiError):
    """404: there is no such record, or it expired before the plan's history."""


class QuotaExceeded(ApiError):
    """429: the month's requests are used up; `retry_after` says until when."""


class ServiceError(ApiError):
    """500 or 504: the service failed, or the search took too long. Not counted."""


KINDS = {400: InvalidRequest, 401: Unauthorized, 403: Forbidden, 404: NotFound, 429: QuotaExceeded}


def error_of(status: int, body: bytes, retry_after: int | None) -> ApiError:
    """The error of an answer."""
    kind = ServiceError if status >= 500 else KINDS.get(status, ApiError)
    return kind(status, body, retry_after)
