"""Compares exported tables, as DuckDB and pandas read them, with what the API serves, record by record.

    tables.py PROGRAM      JEDEN_URL, JEDEN_TOKEN and JEDEN_DATABASE_URL say of which service and database
"""

import json
import math
import os
import struct
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import duckdb
import pandas
from pyarrow import parquet

URL, TOKEN = os.environ["JEDEN_URL"], os.environ["JEDEN_TOKEN"]


def get(path, **query):
    request = Request(f"{URL}{path}?{urlencode(query)}", headers={"Authorization": f"Bearer {TOKEN}"})
    with urlopen(request, timeout=30) as answer:
        return json.load(answer)


def served():
    """Every record in full, by id."""
    records, cursor = {}, {}
    while True:
        page = get("/v1/offers", limit=50, **cursor)
        for summary in page["data"]:
            records[summary["id"]] = get(f"/v1/offers/{summary['id']}")
        if page["pagination"]["nextCursor"] is None:
            return records
        cursor = {"cursor": page["pagination"]["nextCursor"]}


def plain(value):
    """A value of a table as JSON has it; None for unknown."""
    if value is None or value is pandas.NaT or (isinstance(value, float) and math.isnan(value)):
        return None
    if isinstance(value, datetime):
        text = value.astimezone(timezone.utc).isoformat(timespec="milliseconds")
        return text.replace("+00:00", "Z").replace(".000Z", "Z")
    return value.item() if hasattr(value, "item") else value


def rows(columns, values):
    for row in values:
        yield {name: plain(value) for name, value in zip(columns, row) if plain(value) is not None}


def expected_offer(record):
    offer = {name: value for name, value in record.items() if name not in ("portalLinks", "priceHistory", "location")}
    if record["location"] is not None:
        lat, lng = record["location"]["lat"], record["location"]["lng"]
        offer.update(lat=lat, lng=lng, geometry=struct.pack("<BIdd", 1, 1, lng, lat))
    return offer


def expected_links(records):
    return [
        {"id": id, **{name: value for name, value in link.items() if value is not None}}
        for id, record in records.items()
        for link in record["portalLinks"]
    ]


def expected_points(records):
    return [
        {"id": id, "siteId": series["siteId"], "offerId": series["offerId"], **point}
        for id, record in records.items()
        for series in record["priceHistory"]
        for point in series["points"]
    ]


def check(reader, tables, records):
    offers = {row["id"]: row for row in tables("offers")}
    assert offers.keys() == records.keys(), reader
    for id, record in records.items():
        assert offers[id] == expected_offer(record), (reader, offers[id], expected_offer(record))
    for name, expected in (("links", expected_links(records)), ("price_points", expected_points(records))):
        found = sorted(tables(name), key=lambda row: json.dumps(row, sort_keys=True))
        assert found == sorted(expected, key=lambda row: json.dumps(row, sort_keys=True)), (reader, name)
    print(f"{reader} read {len(offers)} records as the API has them")


def main(program):
    records = served()
    assert len(records) > 50
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "export", "--format", "parquet", "--out", folder], check=True)
        file = lambda name: str(Path(folder) / f"{name}.parquet")

        database = duckdb.connect()
        database.execute("SET TimeZone = 'UTC'")

        def with_duckdb(name):
            found = database.execute("SELECT * FROM read_parquet(?)", [file(name)])
            columns = [column[0] for column in found.description]
            return rows(columns, found.fetchall())

        def with_pandas(name):
            table = pandas.read_parquet(file(name), dtype_backend="numpy_nullable")
            table = table.astype(object).where(table.notna(), None)
            return rows(table.columns, table.itertuples(index=False, name=None))

        check("DuckDB", with_duckdb, records)
        check("pandas", with_pandas, records)

        types = dict(database.execute("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM read_parquet(?))", [file("offers")]).fetchall())
        wanted = {"id": "VARCHAR", "firstSeenAt": "TIMESTAMP WITH TIME ZONE", "isLive": "BOOLEAN", "lat": "DOUBLE",
                  "priceTotal": "DOUBLE", "floor": "INTEGER", "garden": "BOOLEAN", "offerType": "VARCHAR"}
        assert wanted.items() <= types.items(), types
        metadata = parquet.read_metadata(file("offers")).metadata
        geo = json.loads(metadata[b"geo"])["columns"]["geometry"]
        assert (geo["encoding"], geo["geometry_types"]) == ("WKB", ["Point"]), geo
        manifest = json.loads((Path(folder) / "manifest.json").read_text())
        assert metadata[b"jeden:seq"] == str(manifest["seq"]).encode()


if __name__ == "__main__":
    main(sys.argv[1])
