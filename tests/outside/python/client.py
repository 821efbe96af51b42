"""Reads a page, a detail and two errors with the generated client."""

import os

from jeden_client import AuthenticatedClient
from jeden_client.api.offers import get_offer, search_offers
from jeden_client.models import Arrangement, Error, OfferType, PropertyType

service = AuthenticatedClient(base_url=os.environ["JEDEN_URL"], token=os.environ["JEDEN_TOKEN"])


def search(**more):
    """Searches flats 2+kk for sale."""
    return search_offers.sync_detailed(
        client=service, offer_type=OfferType.SALE, type_=PropertyType.APARTMENT, arrangement=Arrangement.VALUE_5, **more
    )


page = search(price_max=1e16, limit=2)
assert page.status_code == 200, page
first = page.parsed.data[0]
assert (len(page.parsed.data), page.parsed.pagination.limit) == (2, 2)
assert (first.type_, first.arrangement) == (PropertyType.APARTMENT, "2+kk"), first

detail = get_offer.sync(first.id, client=service)
assert (detail.id, detail.title) == (first.id, first.title)
assert detail.portal_links

refusal = search(limit=51)
assert refusal.status_code == 400 and isinstance(refusal.parsed, Error), refusal
assert [entry.path for entry in refusal.parsed.error.details] == ["limit"]
assert get_offer.sync_detailed("nothing", client=service).status_code == 404

print(f"the Python client read {first.id} of {len(detail.portal_links)} links")
