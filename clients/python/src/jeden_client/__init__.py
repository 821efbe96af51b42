"""Reads the API of jeden: Czech property listings, one property one record."""

from .client import Client
from .errors import (
    ApiError,
    Forbidden,
    InvalidRequest,
    NotFound,
    QuotaExceeded,
    ServiceError,
    Unauthorized,
)
from .records import (
    Filters,
    Location,
    Me,
    OfferDetail,
    OfferSummary,
    PortalLink,
    PricePoint,
    PriceSeries,
    SearchResponse,
)

__all__ = [
    "ApiError",
    "Client",
    "Filters",
    "Forbidden",
    "InvalidRequest",
    "Location",
    "Me",
    "NotFound",
    "OfferDetail",
    "OfferSummary",
    "PortalLink",
    "PricePoint",
    "PriceSeries",
    "QuotaExceeded",
    "SearchResponse",
    "ServiceError",
    "Unauthorized",
]
