"""Makes records of JSON. Fields that a record does not have are ignored, so that the service may add some."""

from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

T = TypeVar("T")


def read(kind: type[T], value: Any) -> T:
    """A record of this kind."""
    return _value(kind, value)


def _value(kind: Any, value: Any) -> Any:
    if value is None:
        return None
    if get_origin(kind) is UnionType:
        (kind,) = (part for part in get_args(kind) if part is not NoneType)
    if get_origin(kind) is list:
        (item,) = get_args(kind)
        return [_value(item, one) for one in value]
    if kind is datetime:
        return datetime.fromisoformat(value)
    if is_dataclass(kind):
        known = {name: _value(of, value[key]) for name, key, of in _members(kind) if key in value}
        return kind(**known)
    return value


@cache
def _members(kind: type) -> list[tuple[str, str, Any]]:
    hints = get_type_hints(kind)
    return [(one.name, one.metadata["name"], hints[one.name]) for one in fields(kind)]
