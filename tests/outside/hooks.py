"""Makes valid requests valid beyond what a schema can express.

Schemathesis sends requests that conform to the description and expects them to be accepted, and requests that do not
and expects them to be refused. Some rules are described only in words, because OpenAPI cannot express them: `lat` and
`lng` are sent together and without `address`, a radius needs a centre, a minimum is at most its maximum, an address must
exist, and cursors and tokens must come from the service. Requests that are meant to be valid are completed here.
Requests that are meant to be invalid are sent unchanged, and no answer is ignored.
"""

import os

import requests
import schemathesis
from schemathesis import GenerationMode

URL = os.environ["JEDEN_URL"]
TOKEN = os.environ["JEDEN_TOKEN"]
RANGES = ["price", "livingArea", "landArea", "floor", "floorCount"]
ADDRESSES = ["Praha", "Brno", "Olomouc", "Karlovy Vary"]


def first_cursor():
    """The cursor of a search without filters."""
    page = requests.get(f"{URL}/v1/offers?limit=1", headers={"X-Api-Key": TOKEN}, timeout=10).json()
    return page["pagination"]["nextCursor"]


CURSOR = first_cursor()


@schemathesis.hook
def before_call(context, case, kwargs):
    """Completes a request that is meant to be valid."""
    if case.meta is None or case.meta.generation.mode is not GenerationMode.POSITIVE:
        return
    if "token" in (case.query or {}):
        case.query["token"] = TOKEN
    if "X-Api-Key" in (case.headers or {}):
        case.headers["X-Api-Key"] = TOKEN
    if case.operation.path == "/v1/offers" and case.query:
        complete_search(case.query)


def complete_search(query):
    """Makes the parameters of a search consistent."""
    if "cursor" in query:
        # The cursor belongs to a search without filters.
        for name in [name for name in query if name not in ("limit", "token")]:
            del query[name]
        query["cursor"] = CURSOR
        return
    for name in RANGES:
        least, most = query.get(f"{name}Min"), query.get(f"{name}Max")
        if least is not None and most is not None and least > most:
            query[f"{name}Min"], query[f"{name}Max"] = most, least
    if "address" in query:
        query["address"] = ADDRESSES[len(str(query["address"])) % len(ADDRESSES)]
        query.pop("lat", None)
        query.pop("lng", None)
    elif "lat" in query or "lng" in query or "radiusMeters" in query:
        query.setdefault("lat", 50.0755)
        query.setdefault("lng", 14.4378)
