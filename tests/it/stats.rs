//! `jeden stats`.

use std::collections::BTreeMap;

use super::dumps;
use super::jeden::Jeden;

const FILES: [&str; 9] = [
    "distortion.csv",
    "duplicates.csv",
    "index.html",
    "price_changes.csv",
    "prices.csv",
    "prices_by_district.csv",
    "prices_by_month.csv",
    "prices_by_quarter.csv",
    "time_on_market.csv",
];

/// The files of a folder, without those that depend on the time.
fn written(folder: &std::path::Path) -> BTreeMap<String, String> {
    let entries = folder.read_dir().unwrap().map(|entry| entry.unwrap());
    entries
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

#[tokio::test]
async fn every_database_gives_the_same_tables_of_the_authored_dumps() {
    let mut all = Vec::new();
    for database in dumps::replayed().await {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("market");
        let jeden = Jeden::on(&database.url);
        jeden.run(&["stats", "--out", out.to_str().unwrap()]).done();
        let mut files = written(&out);
        assert_eq!(files.keys().map(String::as_str).collect::<Vec<_>>(), FILES);
        let page = files.remove("index.html").unwrap();
        assert!(page.contains("<svg") && !page.contains("<script"), "{page}");
        // Ages of live properties depend on today.
        files.remove("time_on_market.csv");
        let prices = &files["prices.csv"];
        assert!(
            prices.starts_with("kind,n,lower quartile,median,upper quartile\n"),
            "{prices}"
        );
        let flats = prices
            .lines()
            .find(|line| line.starts_with("apartment sale,"))
            .unwrap();
        assert!(
            flats
                .split(',')
                .skip(1)
                .all(|cell| cell.parse::<f64>().is_ok()),
            "{flats}"
        );
        // A kind with fewer than eight properties has a number and no figures.
        assert!(prices.lines().any(|line| line.ends_with(",,,")), "{prices}");
        all.push(files);
    }
    assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
}

#[tokio::test]
async fn without_a_folder_the_tables_are_printed() {
    let database = dumps::replayed().await.swap_remove(0);
    let printed = Jeden::on(&database.url).run(&["stats"]).done();
    for title in [
        "Asking prices by district",
        "Time on the market",
        "What duplicates would distort",
    ] {
        assert!(printed.contains(title), "{title}: {printed}");
    }
}
