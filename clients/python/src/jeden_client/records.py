"""The records of the API. Generated from api/openapi.json by clients/generate.py. Do not edit."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypedDict


@dataclass(frozen=True, kw_only=True, slots=True)
class Location:
    """`Location` of the API."""

    lat: float = field(metadata={"name": "lat"})
    """Latitude, WGS 84."""
    lng: float = field(metadata={"name": "lng"})
    """Longitude, WGS 84."""

PropertyType = Literal["apartment", "house", "commercial", "other", "land"]
"""Property type."""

Subtype = Literal["family", "villa", "cottage", "holiday", "planned", "farm", "historical", "office", "warehouse", "production", "shopping_space", "accommodation", "restaurant", "agricultural", "building", "garage_full", "garage_space", "mobile_home", "wine_cellar", "attic", "housing", "commercial", "meadow", "forest", "fishpond", "orchard", "garden", "other"]
"""Finer property type."""

OfferType = Literal["sale", "rent", "exchange", "auction"]
"""Kind of offer."""

Arrangement = Literal["1+0", "1+1", "1+kk", "2+0", "2+1", "2+kk", "3+0", "3+1", "3+kk", "4+0", "4+1", "4+kk", "5+0", "5+1", "5+kk", "6+0", "6+1", "6+kk", "7+0", "7+1", "7+kk", "6++", "other"]
"""Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen."""

PropertyState = Literal["very_good", "good", "bad", "in_construction", "in_planning", "newly_constructed", "development_project", "before_renovation", "after_renovation", "for_demolition"]
"""Condition of the property."""

Ownership = Literal["private", "communal", "local", "state", "other"]
"""Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`."""

BuildingType = Literal["brick", "panel", "wood", "eco", "skeleton", "mix", "assemble", "stone"]
"""Construction type."""

Equipment = Literal["full", "none", "partial"]
"""How furnished the property is."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferSummary:
    """`OfferSummary` of the API."""

    id: str = field(metadata={"name": "id"})
    """Stable id of the listing, used in the path of the detail."""
    first_seen_at: datetime = field(metadata={"name": "firstSeenAt"})
    """When the property was first seen on any portal. ISO 8601 in UTC, with the suffix `Z`."""
    last_changed_at: datetime = field(metadata={"name": "lastChangedAt"})
    """When any portal listing last changed; searches are sorted by it. ISO 8601 in UTC, with the suffix `Z`."""
    is_live: bool = field(metadata={"name": "isLive"})
    """True while at least one portal advertises it."""
    location: Location | None = field(metadata={"name": "location"})
    """Geocoded position; null if no portal gave one."""
    title: str | None = field(default=None, metadata={"name": "title"})
    """Listing title as written by the portal, in Czech."""
    description: str | None = field(default=None, metadata={"name": "description"})
    """Full listing text as written by the portal, in Czech."""
    city: str | None = field(default=None, metadata={"name": "city"})
    """Municipality."""
    street: str | None = field(default=None, metadata={"name": "street"})
    """Street name without the house number."""
    region: str | None = field(default=None, metadata={"name": "region"})
    """Region (kraj)."""
    neighborhood: str | None = field(default=None, metadata={"name": "neighborhood"})
    """City part or quarter."""
    district: str | None = field(default=None, metadata={"name": "district"})
    """District (okres)."""
    postal_code: str | None = field(default=None, metadata={"name": "postalCode"})
    """Czech postal code, usually with a space between the groups."""
    address: str | None = field(default=None, metadata={"name": "address"})
    """Address line as published; precision differs between portals."""
    unit_number: str | None = field(default=None, metadata={"name": "unitNumber"})
    """Apartment or unit number; rarely present."""
    type_: PropertyType | None = field(default=None, metadata={"name": "type"})
    """Property type."""
    subtype: Subtype | None = field(default=None, metadata={"name": "subtype"})
    """Finer property type."""
    offer_type: OfferType | None = field(default=None, metadata={"name": "offerType"})
    """Kind of offer."""
    arrangement: Arrangement | None = field(default=None, metadata={"name": "arrangement"})
    """Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen."""
    property_state: PropertyState | None = field(default=None, metadata={"name": "propertyState"})
    """Condition of the property."""
    ownership: Ownership | None = field(default=None, metadata={"name": "ownership"})
    """Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`."""
    building_type: BuildingType | None = field(default=None, metadata={"name": "buildingType"})
    """Construction type."""
    price_total: float | None = field(default=None, metadata={"name": "priceTotal"})
    """Asking price in CZK: the total for a sale, the monthly amount for a rent."""
    living_area: float | None = field(default=None, metadata={"name": "livingArea"})
    """Living (usable) floor area in m²."""
    land_area: float | None = field(default=None, metadata={"name": "landArea"})
    """Plot area in m²."""
    floor: float | None = field(default=None, metadata={"name": "floor"})
    """Floor of the unit; 0 is the ground floor, negative is below ground."""
    floor_count: float | None = field(default=None, metadata={"name": "floorCount"})
    """Number of floors in the building."""
    equipment: Equipment | None = field(default=None, metadata={"name": "equipment"})
    """How furnished the property is."""
    garden: bool | None = field(default=None, metadata={"name": "garden"})
    """Garden."""
    storage: bool | None = field(default=None, metadata={"name": "storage"})
    """Storage room or cellar."""
    balcony: bool | None = field(default=None, metadata={"name": "balcony"})
    """Balcony."""
    loggia: bool | None = field(default=None, metadata={"name": "loggia"})
    """Loggia."""
    terrace: bool | None = field(default=None, metadata={"name": "terrace"})
    """Terrace."""
    garage: bool | None = field(default=None, metadata={"name": "garage"})
    """Garage."""
    elevator: bool | None = field(default=None, metadata={"name": "elevator"})
    """Elevator."""
    parking: bool | None = field(default=None, metadata={"name": "parking"})
    """Parking."""
    barrier_free: bool | None = field(default=None, metadata={"name": "barrierFree"})
    """Wheelchair access."""
    swimming_pool: bool | None = field(default=None, metadata={"name": "swimmingPool"})
    """Swimming pool."""
    garden_area: float | None = field(default=None, metadata={"name": "gardenArea"})
    """Area of the garden in m²."""
    storage_area: float | None = field(default=None, metadata={"name": "storageArea"})
    """Area of the storage room or cellar in m²."""
    balcony_area: float | None = field(default=None, metadata={"name": "balconyArea"})
    """Area of the balcony in m²."""
    loggia_area: float | None = field(default=None, metadata={"name": "loggiaArea"})
    """Area of the loggia in m²."""
    terrace_area: float | None = field(default=None, metadata={"name": "terraceArea"})
    """Area of the terrace in m²."""
    garage_area: float | None = field(default=None, metadata={"name": "garageArea"})
    """Area of the garage in m²."""
    energy_class: str | None = field(default=None, metadata={"name": "energyClass"})
    """Energy class as published: usually a letter A to G. Not an enumeration."""
    heating_source: str | None = field(default=None, metadata={"name": "heatingSource"})
    """Heating source."""
    heating_type: str | None = field(default=None, metadata={"name": "heatingType"})
    """Heating type: `communal` is central."""
    sewerage: str | None = field(default=None, metadata={"name": "sewerage"})
    """Sewerage: `communal` is the public sewer."""
    house_position: str | None = field(default=None, metadata={"name": "housePosition"})
    """Position of the house."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PortalLink:
    """`PortalLink` of the API."""

    offer_id: str = field(metadata={"name": "offerId"})
    """Id of the portal listing."""
    site_id: str = field(metadata={"name": "siteId"})
    """Id of the portal."""
    url: str | None = field(metadata={"name": "url"})
    """Page of the listing on the portal, an http or https URL; null if none is known."""
    is_live: bool = field(metadata={"name": "isLive"})
    """True while that portal advertises it."""
    first_seen_at: datetime = field(metadata={"name": "firstSeenAt"})
    """When it was first seen on that portal. ISO 8601 in UTC, with the suffix `Z`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PricePoint:
    """`PricePoint` of the API."""

    at: datetime = field(metadata={"name": "at"})
    """When that price was first seen. ISO 8601 in UTC, with the suffix `Z`."""
    price_total: float = field(metadata={"name": "priceTotal"})
    """CZK."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PriceSeries:
    """`PriceSeries` of the API."""

    offer_id: str = field(metadata={"name": "offerId"})
    """Id of the portal listing."""
    site_id: str = field(metadata={"name": "siteId"})
    """Id of the portal."""
    points: list[PricePoint] = field(metadata={"name": "points"})
    """Oldest first. Each price differs from the one before."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OfferDetail:
    """`OfferDetail` of the API."""

    id: str = field(metadata={"name": "id"})
    """Stable id of the listing, used in the path of the detail."""
    first_seen_at: datetime = field(metadata={"name": "firstSeenAt"})
    """When the property was first seen on any portal. ISO 8601 in UTC, with the suffix `Z`."""
    last_changed_at: datetime = field(metadata={"name": "lastChangedAt"})
    """When any portal listing last changed; searches are sorted by it. ISO 8601 in UTC, with the suffix `Z`."""
    is_live: bool = field(metadata={"name": "isLive"})
    """True while at least one portal advertises it."""
    location: Location | None = field(metadata={"name": "location"})
    """Geocoded position; null if no portal gave one."""
    title: str | None = field(default=None, metadata={"name": "title"})
    """Listing title as written by the portal, in Czech."""
    description: str | None = field(default=None, metadata={"name": "description"})
    """Full listing text as written by the portal, in Czech."""
    city: str | None = field(default=None, metadata={"name": "city"})
    """Municipality."""
    street: str | None = field(default=None, metadata={"name": "street"})
    """Street name without the house number."""
    region: str | None = field(default=None, metadata={"name": "region"})
    """Region (kraj)."""
    neighborhood: str | None = field(default=None, metadata={"name": "neighborhood"})
    """City part or quarter."""
    district: str | None = field(default=None, metadata={"name": "district"})
    """District (okres)."""
    postal_code: str | None = field(default=None, metadata={"name": "postalCode"})
    """Czech postal code, usually with a space between the groups."""
    address: str | None = field(default=None, metadata={"name": "address"})
    """Address line as published; precision differs between portals."""
    unit_number: str | None = field(default=None, metadata={"name": "unitNumber"})
    """Apartment or unit number; rarely present."""
    type_: PropertyType | None = field(default=None, metadata={"name": "type"})
    """Property type."""
    subtype: Subtype | None = field(default=None, metadata={"name": "subtype"})
    """Finer property type."""
    offer_type: OfferType | None = field(default=None, metadata={"name": "offerType"})
    """Kind of offer."""
    arrangement: Arrangement | None = field(default=None, metadata={"name": "arrangement"})
    """Czech room layout: `2+kk` is two rooms with a kitchenette, `3+1` three rooms and a kitchen."""
    property_state: PropertyState | None = field(default=None, metadata={"name": "propertyState"})
    """Condition of the property."""
    ownership: Ownership | None = field(default=None, metadata={"name": "ownership"})
    """Ownership form: `private` (personal), `communal` (cooperative), `local` (municipal), `state`, `other`."""
    building_type: BuildingType | None = field(default=None, metadata={"name": "buildingType"})
    """Construction type."""
    price_total: float | None = field(default=None, metadata={"name": "priceTotal"})
    """Asking price in CZK: the total for a sale, the monthly amount for a rent."""
    living_area: float | None = field(default=None, metadata={"name": "livingArea"})
    """Living (usable) floor area in m²."""
    land_area: float | None = field(default=None, metadata={"name": "landArea"})
    """Plot area in m²."""
    floor: float | None = field(default=None, metadata={"name": "floor"})
    """Floor of the unit; 0 is the ground floor, negative is below ground."""
    floor_count: float | None = field(default=None, metadata={"name": "floorCount"})
    """Number of floors in the building."""
    equipment: Equipment | None = field(default=None, metadata={"name": "equipment"})
    """How furnished the property is."""
    garden: bool | None = field(default=None, metadata={"name": "garden"})
    """Garden."""
    storage: bool | None = field(default=None, metadata={"name": "storage"})
    """Storage room or cellar."""
    balcony: bool | None = field(default=None, metadata={"name": "balcony"})
    """Balcony."""
    loggia: bool | None = field(default=None, metadata={"name": "loggia"})
    """Loggia."""
    terrace: bool | None = field(default=None, metadata={"name": "terrace"})
    """Terrace."""
    garage: bool | None = field(default=None, metadata={"name": "garage"})
    """Garage."""
    elevator: bool | None = field(default=None, metadata={"name": "elevator"})
    """Elevator."""
    parking: bool | None = field(default=None, metadata={"name": "parking"})
    """Parking."""
    barrier_free: bool | None = field(default=None, metadata={"name": "barrierFree"})
    """Wheelchair access."""
    swimming_pool: bool | None = field(default=None, metadata={"name": "swimmingPool"})
    """Swimming pool."""
    garden_area: float | None = field(default=None, metadata={"name": "gardenArea"})
    """Area of the garden in m²."""
    storage_area: float | None = field(default=None, metadata={"name": "storageArea"})
    """Area of the storage room or cellar in m²."""
    balcony_area: float | None = field(default=None, metadata={"name": "balconyArea"})
    """Area of the balcony in m²."""
    loggia_area: float | None = field(default=None, metadata={"name": "loggiaArea"})
    """Area of the loggia in m²."""
    terrace_area: float | None = field(default=None, metadata={"name": "terraceArea"})
    """Area of the terrace in m²."""
    garage_area: float | None = field(default=None, metadata={"name": "garageArea"})
    """Area of the garage in m²."""
    energy_class: str | None = field(default=None, metadata={"name": "energyClass"})
    """Energy class as published: usually a letter A to G. Not an enumeration."""
    heating_source: str | None = field(default=None, metadata={"name": "heatingSource"})
    """Heating source."""
    heating_type: str | None = field(default=None, metadata={"name": "heatingType"})
    """Heating type: `communal` is central."""
    sewerage: str | None = field(default=None, metadata={"name": "sewerage"})
    """Sewerage: `communal` is the public sewer."""
    house_position: str | None = field(default=None, metadata={"name": "housePosition"})
    """Position of the house."""
    portal_links: list[PortalLink] = field(metadata={"name": "portalLinks"})
    """One entry for each portal listing of the property."""
    price_history: list[PriceSeries] = field(metadata={"name": "priceHistory"})
    """One series for each portal listing. Portals often disagree, so the series are not merged."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Pagination:
    """`Pagination` of the API."""

    limit: int = field(metadata={"name": "limit"})
    """Page size in effect."""
    count: int = field(metadata={"name": "count"})
    """Number of items on this page."""
    has_more: bool = field(metadata={"name": "hasMore"})
    """False on the last page."""
    next_cursor: str | None = field(metadata={"name": "nextCursor"})
    """Opaque cursor of the next page; null on the last page."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchResponse:
    """`SearchResponse` of the API."""

    data: list[OfferSummary] = field(metadata={"name": "data"})
    pagination: Pagination = field(metadata={"name": "pagination"})


@dataclass(frozen=True, kw_only=True, slots=True)
class MeToken:
    """`MeToken` of the API."""

    id: str = field(metadata={"name": "id"})
    """Public id of the token."""
    prefix: str = field(metadata={"name": "prefix"})
    """Leading characters of the token: `jdn_` and six more."""

MePlanId = Literal["free", "basicV2", "proV2", "investor", "customV2"]
"""Plan id."""

MePlanName = Literal["Free", "Basic", "Pro", "Investor", "Custom"]
"""Display name of the plan."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MePlan:
    """`MePlan` of the API."""

    id: MePlanId = field(metadata={"name": "id"})
    """Plan id."""
    name: MePlanName = field(metadata={"name": "name"})
    """Display name of the plan."""
    requests_per_month: int = field(metadata={"name": "requestsPerMonth"})
    """Requests per month."""
    history_months: int = field(metadata={"name": "historyMonths"})
    """Calendar months of history; 0 if only live listings are included."""


@dataclass(frozen=True, kw_only=True, slots=True)
class MeUsage:
    """`MeUsage` of the API."""

    month: str = field(metadata={"name": "month"})
    """The calendar month in UTC."""
    requests_used: int = field(metadata={"name": "requestsUsed"})
    """Requests counted this month, over all tokens of the account."""
    requests_remaining: int = field(metadata={"name": "requestsRemaining"})
    """Requests left this month."""
    resets_at: datetime = field(metadata={"name": "resetsAt"})
    """When the quota renews. ISO 8601 in UTC, with the suffix `Z`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Me:
    """`Me` of the API."""

    token: MeToken = field(metadata={"name": "token"})
    plan: MePlan = field(metadata={"name": "plan"})
    usage: MeUsage = field(metadata={"name": "usage"})

ErrorCode = Literal["unauthorized", "forbidden", "plan-limit-exceeded", "not-found", "invalid-request", "payload-too-large", "quota-exceeded", "query-timeout", "internal-error"]
"""What clients branch on."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ErrorDetail:
    """`ErrorDetail` of the API."""

    path: str = field(metadata={"name": "path"})
    """The invalid query parameter."""
    message: str = field(metadata={"name": "message"})
    """Which values it accepts, or that it is unknown and which names are accepted."""


class Filters(TypedDict, total=False):
    """The filters of a search."""

    offer_type: OfferType
    """Kind of offer."""
    type_: PropertyType
    """Property type."""
    subtype: Subtype
    """Finer category within `type`."""
    arrangement: Arrangement
    """Czech room layout. Encode the `+` as `%2B` (`2%2Bkk`): a plain `+` is a space in a query string."""
    equipment: Equipment
    """How furnished the property is."""
    ownership: Ownership
    """Ownership form."""
    property_state: PropertyState
    """Condition of the property."""
    building_type: BuildingType
    """Construction type."""
    district: str
    """Exact name of the district (okres), as written in the field `district`. Its usual forms are accepted too: without diacritics, in any Unicode normal form, `okres Kladno`, `Hlavní město Praha`, `Brno`. An unknown name finds nothing."""
    neighborhood: str
    """Exact name of the city part, as written in the field `neighborhood`. Its usual forms are accepted too: without diacritics, in any Unicode normal form, `Praha 5 - Smíchov`. An unknown name finds nothing."""
    price_min: float
    """Lowest price in CZK, inclusive; the monthly rent for rentals."""
    price_max: float
    """Highest price in CZK, inclusive; the monthly rent for rentals."""
    living_area_min: float
    """Smallest living area in m², inclusive."""
    living_area_max: float
    """Largest living area in m², inclusive."""
    land_area_min: float
    """Smallest plot area in m², inclusive."""
    land_area_max: float
    """Largest plot area in m², inclusive."""
    floor_min: float
    """Lowest floor, inclusive; 0 is the ground floor."""
    floor_max: float
    """Highest floor, inclusive; 0 is the ground floor."""
    floor_count_min: float
    """Fewest floors in the building, inclusive."""
    floor_count_max: float
    """Most floors in the building, inclusive."""
    lat: float
    """Latitude of the search centre in degrees (WGS 84). Send it together with `lng`, and without `address`."""
    lng: float
    """Longitude of the search centre in degrees (WGS 84). Send it together with `lat`, and without `address`."""
    address: str
    """Free-text address that the service geocodes to the centre. Send it instead of `lat` and `lng`. If it matches several places, the most important one is used if it is clearly that. If nothing decides between them, if the parts contradict each other, if it is a number alone, or if it only resembles a name, the answer is 400; it says which parts were understood and which places may be meant. The headers `X-Address-Place`, `X-Address-Level`, `X-Address-Fit` and `X-Address-Centre` say which place is used. All pages of a search use the centre found for the first page."""
    radius_meters: float
    """Search radius around the centre in metres, inclusive, measured along the great circle; 2000 if a centre is sent without it. Needs a centre: `lat` and `lng`, or `address`. Listings without a position never match."""
    include_inactive: bool
    """Whether listings that are no longer live are included. `true` needs a plan with history. It includes listings that expired within the plan's calendar months before the first page."""
