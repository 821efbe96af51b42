"""The client."""

import json
import time
from collections.abc import Iterator
from typing import Any, Unpack
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

from .errors import error_of
from .reading import read
from .records import Filters, Me, OfferDetail, OfferSummary, SearchResponse

LARGEST_PAGE = 50


class Client:
    """Reads one service with one token."""

    def __init__(self, base_url: str, token: str, *, timeout: float = 30, max_wait: float = 60):
        """`timeout` is for each request, in seconds. `max_wait` is how long the client waits at most when the service
        says when to come back; 0 never waits."""
        self._base_url = base_url.rstrip("/")
        self._token = token
        self._timeout = timeout
        self._max_wait = max_wait

    def offers(self, **filters: Unpack[Filters]) -> Iterator[OfferSummary]:
        """Every record that matches, newest change first, page by page."""
        for page in self.pages(**filters):
            yield from page.data

    def pages(self, *, limit: int = LARGEST_PAGE, **filters: Unpack[Filters]) -> Iterator[SearchResponse]:
        """The pages of a search. Each is one request."""
        cursor = None
        while True:
            page = self.page(limit=limit, cursor=cursor, **filters)
            yield page
            cursor = page.pagination.next_cursor
            if cursor is None:
                return

    def page(self, *, limit: int = LARGEST_PAGE, cursor: str | None = None, **filters: Unpack[Filters]) -> SearchResponse:
        """One page of a search; `cursor` is the `next_cursor` of the page before."""
        query: dict[str, Any] = {**filters, "limit": limit, "cursor": cursor}
        return read(SearchResponse, self._get("/v1/offers", query))

    def offer(self, offer_id: str) -> OfferDetail:
        """A record with its adverts and their prices."""
        return read(OfferDetail, self._get(f"/v1/offers/{quote(offer_id, safe='')}"))

    def me(self) -> Me:
        """The token, its plan and what is left of the quota; not counted."""
        return read(Me, self._get("/v1/me"))

    def _get(self, path: str, query: dict[str, Any] | None = None) -> Any:
        given = {name: _text(value) for name, value in (query or {}).items() if value is not None}
        url = self._base_url + path + ("?" + urlencode(given) if given else "")
        headers = {"Authorization": f"Bearer {self._token}", "Accept": "application/json"}
        waited = 0.0
        while True:
            try:
                with urlopen(Request(url, headers=headers), timeout=self._timeout) as answer:
                    return json.load(answer)
            except HTTPError as refused:
                with refused:
                    error = error_of(refused.code, refused.read(), _seconds(refused.headers.get("Retry-After")))
            wait = error.retry_after
            if wait is None or error.status not in (429, 500) or waited + wait > self._max_wait:
                raise error
            # Also a wait of 0 seconds counts, so that the client cannot ask for ever.
            wait = max(wait, 1)
            time.sleep(wait)
            waited += wait


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seconds(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() else None
