//! `jeden purge` takes stored data out again, and `jeden show` says what is stored.

use schema::{ListingKey, OfferId};
use serde_json::Value;
use support::{clusters, databases, records};

use super::dumps;
use super::jeden::Jeden;

/// A listing that shares a record with two others, and one that has a record of its own with one other.
const OF_THREE: &str = "sreality/1351898127";
const OTHERS: [&str; 2] = ["idnes/6aab9e00003fe33e6eeddc82", "bazos/225097851"];

/// Whether a line of a dump is about this listing.
fn is_about(line: &str, listing: &str) -> bool {
    let line: Value = serde_json::from_str(line).unwrap();
    listing
        == format!(
            "{}/{}",
            line["siteId"].as_str().unwrap_or_default(),
            line["offerId"].as_str().unwrap_or_default()
        )
}

#[tokio::test]
async fn a_purged_listing_is_gone_from_every_answer_and_its_record_keeps_its_id() {
    for (database, fresh) in dumps::replayed().await.into_iter().zip(databases().await) {
        let jeden = Jeden::on(&database.url);
        let before = clusters(&database.db).await;
        let (site_id, number) = OF_THREE.split_once('/').unwrap();
        let key = ListingKey::new(site_id, number);
        let (shared, _) = before.iter().find(|(_, keys)| keys.contains(&key)).unwrap();
        let (alone, keys) = before.iter().find(|(_, keys)| keys.len() == 1).unwrap();
        let lonely = keys.iter().next().unwrap().to_string();
        let account = ["account", "create", "reader", "--plan", "investor"];
        jeden.run(&account).done();
        let token = jeden.run(&["token", "create", "reader"]).done();
        let server = jeden.serve(&["serve"]);
        let status = async |id: &OfferId| {
            let url = format!("{}/v1/offers/{}", server.base, id.as_str());
            let request = support::http_client().get(url).bearer_auth(token.trim());
            request.send().await.unwrap().status().as_u16()
        };
        assert_eq!(status(alone).await, 200);

        let trial = jeden.run(&[
            "purge",
            "listing",
            OF_THREE,
            "--reason",
            "asked",
            "--dry-run",
        ]);
        assert_eq!(trial.code, 0, "{}", trial.stderr);
        assert!(
            trial.stderr.contains("would delete 1 listing, "),
            "{}",
            trial.stderr
        );
        let unasked = jeden.run(&["purge", "listing", OF_THREE, "--reason", "asked"]);
        assert_eq!(unasked.code, 1, "{}", unasked.stderr);
        assert_eq!(clusters(&database.db).await, before, "nothing was deleted");

        for listing in [OF_THREE, &lonely] {
            jeden
                .run(&["purge", "listing", listing, "--reason", "asked", "--yes"])
                .done();
        }
        let after = clusters(&database.db).await;
        assert_eq!(after.len(), before.len() - 1);
        assert_eq!(after[shared].len(), before[shared].len() - 1);
        assert_eq!((status(shared).await, status(alone).await), (200, 404));
        let search = format!("{}/v1/offers?includeInactive=true&limit=1", server.base);
        let found = support::http_client().get(search).bearer_auth(token.trim());
        let found: Value = found.send().await.unwrap().json().await.unwrap();
        assert!(found["data"].is_array(), "{found}");

        // The records are those of a database that never saw the two listings.
        let lines = dumps::authored("");
        let kept = lines
            .iter()
            .filter(|line| !is_about(line, OF_THREE) && !is_about(line, &lonely));
        let kept: Vec<&str> = kept.map(String::as_str).collect();
        Jeden::on(&fresh.url)
            .run_with(&["replay", "-"], &kept.join("\n"))
            .done();
        assert_eq!(records(&database.db).await, records(&fresh.db).await);

        // They do not come back with the next replay, unless they are allowed to.
        jeden.replay(&[&dumps::folder()]);
        assert_eq!(clusters(&database.db).await, after);
        jeden.run(&["purge", "allow", OF_THREE]).done();
        jeden.replay(&[&dumps::folder()]);
        assert_eq!(clusters(&database.db).await[shared], before[shared]);
        let notes = jeden.run(&["purge", "list"]).done();
        assert!(
            notes.contains(&lonely) && notes.contains("asked"),
            "{notes}"
        );
    }
}

#[tokio::test]
async fn a_purged_portal_is_not_crawled() {
    let database = dumps::replayed().await.swap_remove(0);
    let jeden = Jeden::on(&database.url);
    let purge = ["purge", "portal", "idnes", "--reason", "withdrawn", "--yes"];
    jeden.run(&purge).done();
    let clusters = jeden.run(&["clusters"]).done();
    assert!(!clusters.contains("idnes"), "{clusters}");
    let contact = ["--contact", "crawler@example.org"];
    let scrape = ["scrape", "idnes", "--base-url", "http://127.0.0.1:9"];
    let refused = jeden.run(&[&scrape[..], &contact].concat());
    assert_eq!(refused.code, 1);
    assert!(
        refused.stderr.contains("jeden purge allow idnes"),
        "{}",
        refused.stderr
    );
}

#[tokio::test]
async fn what_a_dump_brought_is_taken_out_again() {
    for (database, fresh) in databases().await.into_iter().zip(databases().await) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("wrong.jsonl");
        let (wrong, right): (Vec<String>, Vec<String>) = dumps::authored("")
            .into_iter()
            .partition(|line| line.contains("\"siteId\":\"bazos\""));
        std::fs::write(&path, wrong.join("\n")).unwrap();
        for one in [&database, &fresh] {
            let jeden = Jeden::on(&one.url);
            jeden.run_with(&["replay", "-"], &right.join("\n")).done();
        }
        let jeden = Jeden::on(&database.url);
        jeden.replay(&[&path]);
        let path = path.to_str().unwrap();
        jeden
            .run(&["purge", "dump", path, "--reason", "wrong clock", "--yes"])
            .done();
        assert_eq!(records(&database.db).await, records(&fresh.db).await);
    }
}

#[tokio::test]
async fn a_listing_is_shown_with_its_fields_changes_and_contents() {
    for database in dumps::replayed().await {
        let jeden = Jeden::on(&database.url);
        let text = jeden.run(&["show", OF_THREE]).done();
        for part in [
            "is in the record",
            "priceTotal: ",
            "(since 2026-",
            "first seen",
            "Contents",
        ] {
            assert!(text.contains(part), "{part:?} is missing in:\n{text}");
        }
        let json: Value =
            serde_json::from_str(&jeden.run(&["show", OF_THREE, "--json"]).done()).unwrap();
        assert_eq!(json["listing"], OF_THREE);
        assert!(json["contents"][0]["bytes"].as_u64() > Some(100), "{json}");
        let raw = jeden.run(&["show", OF_THREE, "--raw"]).done();
        let raw: Value = serde_json::from_str(&raw).unwrap();
        assert!(raw.is_object() || raw.is_string());
        let unknown = jeden.run(&["show", "sreality/0"]);
        assert_eq!(unknown.code, 1);
        assert!(
            unknown.stderr.contains("no listing sreality/0"),
            "{}",
            unknown.stderr
        );
        for other in OTHERS {
            jeden.run(&["show", other]).done();
        }
    }
}
