//! `jeden export`: tables that have what the API has.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use schema::Timestamp;
use schema::store::{listings, matches};
use serde_json::{Map, Value, json};
use support::TestDatabase;

use super::dumps;
use super::jeden::{Jeden, Server};
use super::records::{get, walk};

const FORMATS: [&str; 3] = ["parquet", "csv", "jsonl"];

/// A row of a table: the known values by column.
pub type Row = BTreeMap<String, Value>;

/// Exports into a new folder.
fn export(jeden: &Jeden, format: &str, more: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let ran = jeden.run(&[&["export", "--format", format, "--out", out], more].concat());
    assert_eq!(ran.done(), "");
    folder
}

/// A number as the API writes it.
fn number(number: f64) -> Value {
    schema::offer_fields::number(&number, serde_json::value::Serializer).unwrap()
}

/// The rows of a file of Parquet.
pub fn parquet_rows(path: &Path) -> Vec<Row> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    let value = |field: Field| match field {
        Field::Str(text) => json!(text),
        Field::Bool(flag) => json!(flag),
        Field::Int(whole) => json!(whole),
        Field::Double(double) => number(double),
        Field::TimestampMillis(millis) => json!(Timestamp(millis)),
        Field::Bytes(bytes) => json!(bytes.data()),
        Field::Null => Value::Null,
        other => panic!("{other:?}"),
    };
    rows.map(|row| {
        let columns = row.unwrap().into_columns().into_iter();
        known(columns.map(|(name, field)| (name, value(field))))
    })
    .collect()
}

fn json_rows(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| known(serde_json::from_str::<Map<String, Value>>(line).unwrap()))
        .collect()
}

/// Every value is a text.
fn csv_rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let rows = reader.deserialize::<BTreeMap<String, String>>();
    rows.map(|row| {
        let filled = row
            .unwrap()
            .into_iter()
            .filter(|(_, text)| !text.is_empty());
        known(filled.map(|(name, text)| (name, json!(text))))
    })
    .collect()
}

fn known(values: impl IntoIterator<Item = (String, Value)>) -> Row {
    values
        .into_iter()
        .filter(|(_, value)| !value.is_null())
        .collect()
}

fn rows(folder: &Path, table: &str, format: &str) -> Vec<Row> {
    let path = folder.join(format!("{table}.{format}"));
    match format {
        "parquet" => parquet_rows(&path),
        "csv" => csv_rows(&path),
        _ => json_rows(&path),
    }
}

/// An object of the API as a row of a format: CSV has texts only.
fn expected(object: Value, format: &str) -> Row {
    let Value::Object(object) = object else {
        panic!("{object} is not an object")
    };
    let as_text = |value: Value| match value {
        Value::String(_) | Value::Null => value,
        other => json!(other.to_string()),
    };
    let values = object.into_iter().map(|(name, value)| {
        let value = if format == "csv" {
            as_text(value)
        } else {
            value
        };
        (name, value)
    });
    known(values)
}

/// A summary of the API as a row of the table `offers`.
fn offer(mut summary: Value, format: &str) -> Row {
    if format == "jsonl" {
        return expected(summary, format);
    }
    let object = summary.as_object_mut().unwrap();
    let location = object.remove("location").unwrap();
    let coordinates = [&location["lat"], &location["lng"]].map(Value::as_f64);
    if let [Some(lat), Some(lng)] = coordinates {
        object.insert("lat".to_owned(), number(lat));
        object.insert("lng".to_owned(), number(lng));
        if format == "parquet" {
            // Well-known binary: little-endian, a point, x, y.
            let mut point = vec![1, 1, 0, 0, 0];
            point.extend(lng.to_le_bytes());
            point.extend(lat.to_le_bytes());
            object.insert("geometry".to_owned(), json!(point));
        }
    }
    expected(summary, format)
}

/// The rows of the tables that describe a record, made from its detail.
fn links_and_prices(detail: &Value, format: &str) -> (Vec<Row>, Vec<Row>) {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let with_id = |mut object: Value| {
        object["id"] = detail["id"].clone();
        expected(object, format)
    };
    let links = list(&detail["portalLinks"]).into_iter().map(with_id);
    let prices = list(&detail["priceHistory"])
        .into_iter()
        .flat_map(|series| {
            list(&series["points"]).into_iter().map(move |mut point| {
                point["siteId"] = series["siteId"].clone();
                point["offerId"] = series["offerId"].clone();
                point
            })
        });
    (links.collect(), prices.map(with_id).collect())
}

fn id(row: &Row) -> String {
    row["id"].as_str().unwrap().to_owned()
}

fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|row| format!("{row:?}"));
    rows
}

/// A server on a database with the authored dumps, and a token.
fn served(database: &TestDatabase) -> (Jeden, Server, String) {
    let jeden = Jeden::on(&database.url);
    jeden
        .run(&[
            "account",
            "create",
            "exporter",
            "--plan",
            "customV2",
            "--requests-per-month",
            "99999",
        ])
        .done();
    let token = jeden.run(&["token", "create", "exporter"]).done();
    let server = jeden.serve(&["serve"]);
    (jeden, server, token.trim().to_owned())
}

#[tokio::test]
async fn every_format_has_what_the_api_serves_record_by_record() {
    for database in dumps::replayed().await {
        let (jeden, server, token) = served(&database);
        let mut details = Vec::new();
        let summaries = walk(&server.base, &token).await;
        for summary in &summaries {
            let id = summary["id"].as_str().unwrap();
            details.push(get(&format!("{}/v1/offers/{id}", server.base), &token).await);
        }
        for format in FORMATS {
            let folder = export(&jeden, format, &["--filter", "includeInactive=true"]);
            let of = |table| rows(folder.path(), table, format);
            let offers: BTreeMap<String, Row> = of("offers")
                .into_iter()
                .map(|row| (id(&row), row))
                .collect();
            // The API does not show what expired before the plan's history; the export does.
            let shown: BTreeSet<String> = offers
                .keys()
                .filter(|id| summaries.iter().any(|summary| summary["id"] == **id))
                .cloned()
                .collect();
            assert_eq!(shown.len(), summaries.len(), "{format}");
            for summary in &summaries {
                let expected = offer(summary.clone(), format);
                assert_eq!(offers[&id(&expected)], expected, "{format}");
            }
            let (mut links, mut prices) = (Vec::new(), Vec::new());
            for detail in &details {
                let (some_links, some_prices) = links_and_prices(detail, format);
                links.extend(some_links);
                prices.extend(some_prices);
            }
            let of_served = |table| {
                let rows = of(table).into_iter();
                sorted(rows.filter(|row| shown.contains(&id(row))).collect())
            };
            assert_eq!(of_served("links"), sorted(links), "{format}");
            assert_eq!(of_served("price_points"), sorted(prices), "{format}");
        }
    }
}

#[tokio::test]
async fn a_filter_exports_what_a_search_finds() {
    let database = dumps::replayed().await.swap_remove(0);
    let (jeden, server, token) = served(&database);
    let searches: [&[&str]; 5] = [
        &[],
        &["offerType=sale", "priceMax=8000000"],
        &["district=Hlavní město Praha"],
        &["lat=49.1951", "lng=16.6068", "radiusMeters=3000"],
        &["address=udolni, brno", "radiusMeters=500"],
    ];
    let client = support::http_client();
    for search in searches {
        let pairs: Vec<(&str, &str)> = search
            .iter()
            .map(|filter| filter.split_once('=').unwrap())
            .collect();
        let request = client.get(format!("{}/v1/offers?limit=50", server.base));
        let mut found = BTreeSet::new();
        let mut cursor: Option<String> = None;
        loop {
            let page = request
                .try_clone()
                .unwrap()
                .query(&pairs)
                .bearer_auth(&token);
            let page: Value = match &cursor {
                Some(cursor) => page.query(&[("cursor", cursor)]),
                None => page,
            }
            .send()
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
            let offers = page["data"].as_array().unwrap().iter();
            found.extend(offers.map(|offer| offer["id"].as_str().unwrap().to_owned()));
            cursor = page["pagination"]["nextCursor"].as_str().map(str::to_owned);
            if cursor.is_none() {
                break;
            }
        }
        assert!(!found.is_empty(), "{search:?}");
        let filters: Vec<&str> = search
            .iter()
            .flat_map(|filter| ["--filter", filter])
            .collect();
        let folder = export(&jeden, "parquet", &filters);
        let exported: BTreeSet<String> = rows(folder.path(), "offers", "parquet")
            .iter()
            .map(id)
            .collect();
        assert_eq!(exported, found, "{search:?}");
        let linked: BTreeSet<String> = rows(folder.path(), "links", "parquet")
            .iter()
            .map(id)
            .collect();
        assert_eq!(linked, found, "{search:?}");
    }
    let wrong = jeden.run(&[
        "export", "--out", "/nowhere", "--filter", "limit=5", "--filter", "a=b",
    ]);
    assert_eq!(wrong.code, 1);
    for named in ["limit", "a is not a filter", "priceMin"] {
        assert!(wrong.stderr.contains(named), "{}", wrong.stderr);
    }
}

#[tokio::test]
async fn the_manifest_says_which_state_the_tables_show() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let folder = export(
            &jeden,
            "parquet",
            &["--filter", "type=apartment", "--pairs"],
        );
        let text = std::fs::read_to_string(folder.path().join("manifest.json")).unwrap();
        let manifest: Value = serde_json::from_str(&text).unwrap();
        let change = schema::store::offers::last_change(&database.db)
            .await
            .unwrap();
        assert_eq!(manifest["seq"], change);
        assert_eq!(manifest["filters"], json!({"type": "apartment"}));
        let tables = manifest["tables"].as_object().unwrap();
        assert_eq!(tables.len(), 4);
        for (name, table) in tables {
            let path = folder.path().join(table["file"].as_str().unwrap());
            assert_eq!(table["bytes"], path.metadata().unwrap().len());
            let counted = rows(folder.path(), name, "parquet").len();
            assert_eq!(table["rows"], counted, "{name}");
        }
        let reader =
            SerializedFileReader::new(File::open(folder.path().join("offers.parquet")).unwrap());
        let notes = reader
            .unwrap()
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .cloned();
        let notes: BTreeMap<String, String> = notes
            .unwrap()
            .into_iter()
            .map(|note| (note.key, note.value.unwrap_or_default()))
            .collect();
        assert_eq!(notes["jeden:seq"], change.to_string());
        let geo: Value = serde_json::from_str(&notes["geo"]).unwrap();
        assert_eq!(geo["primary_column"], "geometry");
        let column = &geo["columns"]["geometry"];
        assert_eq!(
            (&column["encoding"], &column["geometry_types"]),
            (&json!("WKB"), &json!(["Point"]))
        );
        let west = column["bbox"][0].as_f64().unwrap();
        assert!(
            (12.0..19.0).contains(&west),
            "longitude comes first: {column}"
        );
    }
}

#[tokio::test]
async fn pairs_have_the_stored_weights_and_the_names_of_their_adverts() {
    let database = dumps::replayed().await.swap_remove(0);
    let jeden = Jeden::on(&database.url);
    let mut tx = database.db.begin_read().await.unwrap();
    let stored = matches::all(&mut tx).await.unwrap();
    let mut expected = Vec::new();
    for pair in &stored {
        let mut names = Vec::new();
        for listing in [pair.left, pair.right] {
            let found = listings::get(&mut tx, &[listing]).await.unwrap().remove(0);
            names.push((found.key, found.offer_id.unwrap().to_string()));
        }
        let [(left, left_id), (right, right_id)] = <[_; 2]>::try_from(names).unwrap();
        expected.push(known([
            ("leftSiteId".to_owned(), json!(left.site_id)),
            ("leftOfferId".to_owned(), json!(left.offer_id)),
            ("leftId".to_owned(), json!(left_id)),
            ("rightSiteId".to_owned(), json!(right.site_id)),
            ("rightOfferId".to_owned(), json!(right.offer_id)),
            ("rightId".to_owned(), json!(right_id)),
            ("weight".to_owned(), number(pair.weight)),
            ("vetoed".to_owned(), json!(pair.vetoed)),
        ]));
    }
    assert!(expected.len() > 20);
    let everything = ["--pairs", "--filter", "includeInactive=true"];
    let folder = export(&jeden, "parquet", &everything);
    assert_eq!(rows(folder.path(), "pairs", "parquet"), expected);

    let folder = export(&jeden, "jsonl", &["--pairs", "--filter", "type=house"]);
    let houses: BTreeSet<String> = rows(folder.path(), "offers", "jsonl")
        .iter()
        .map(id)
        .collect();
    expected.retain(|pair| {
        ["leftId", "rightId"]
            .iter()
            .any(|side| houses.contains(pair[*side].as_str().unwrap()))
    });
    assert!(!expected.is_empty());
    assert_eq!(rows(folder.path(), "pairs", "jsonl"), expected);
}

#[tokio::test]
async fn an_export_that_fails_leaves_the_files_of_the_one_before() {
    static FILLED: support::Filled = support::Filled::new();
    let database = FILLED
        .sqlite(async |database| Jeden::on(&database.url).replay(&[&dumps::folder()]))
        .await;
    let jeden = Jeden::on(&database.url);
    let folder = export(&jeden, "csv", &[]);
    let files = || -> BTreeMap<String, Vec<u8>> {
        let entries = folder.path().read_dir().unwrap().map(Result::unwrap);
        entries
            .map(|file| {
                let name = file.file_name().to_string_lossy().into_owned();
                (name, std::fs::read(file.path()).unwrap())
            })
            .collect()
    };
    let before = files();
    assert_eq!(
        before.keys().collect::<Vec<_>>(),
        [
            "links.csv",
            "manifest.json",
            "offers.csv",
            "price_points.csv"
        ]
    );
    support::execute(
        &database.url,
        "UPDATE offer_documents SET document = CAST('p{}' || char(10) || '{}' AS BLOB) \
         WHERE row = (SELECT MAX(row) FROM offers WHERE is_live)",
    )
    .await;
    let out = folder.path().to_str().unwrap();
    let failed = jeden.run(&["export", "--format", "csv", "--out", out]);
    assert_eq!(failed.code, 1);
    assert!(
        failed.stderr.contains("cannot be read"),
        "{}",
        failed.stderr
    );
    assert_eq!(files(), before);
}
