//! What the pages show, and what they must not contain.

use reqwest::header::CONTENT_SECURITY_POLICY;
use schema::Role;

use crate::browser::{Person, Served, escaped, on_each_authored, replay};

/// Two adverts of one flat whose texts contain markup.
const HOSTILE: &str = concat!(
    r#"{"siteId":"idnes","offerId":"1","observedAt":"2026-11-20T10:00:00Z","url":"https://example.org/1","listing":{"offerType":"sale","type":"apartment","arrangement":"2+kk","livingArea":54,"priceTotal":4990000,"city":"Brno","street":"Údolní","title":"<script>alert(1)</script> Byt 2+kk","description":"\"><img src=x onerror=alert(2)> jednotka 114/7, balkon 5 m², 2. patro","location":{"lat":49.1989,"lng":16.5935}}}"#,
    "\n",
    r#"{"siteId":"bazos","offerId":"2","observedAt":"2026-11-21T10:00:00Z","url":"javascript:alert(3)","listing":{"offerType":"sale","type":"apartment","arrangement":"2+kk","livingArea":54,"priceTotal":4890000,"city":"Brno","street":"Údolní","title":"<script>alert(1)</script> Byt 2+kk v Brně","description":"\"><img src=x onerror=alert(2)> jednotka 114/7, balkon 5 m², 2. patro","location":{"lat":49.1989,"lng":16.5935}}}"#,
    "\n",
);

/// The pages that show these two adverts.
async fn pages_of(person: &Person) -> Vec<String> {
    let listing = person.get("/listings/idnes/1").await;
    assert_eq!(listing.status, 200, "{}", listing.body);
    let record = listing
        .body
        .split("/records/")
        .nth(1)
        .unwrap()
        .split('"')
        .next()
        .unwrap();
    let pair = format!("one={}&other={}", escaped("idnes/1"), escaped("bazos/2"));
    let review = format!("left={}&right={}", escaped("idnes/1"), escaped("bazos/2"));
    vec![
        "/".to_owned(),
        "/portals/idnes".to_owned(),
        "/portals/idnes/left-out?field=floor".to_owned(),
        "/records".to_owned(),
        "/records?address=%3Cscript%3E&offerType=nonsense".to_owned(),
        format!("/records/{record}"),
        "/listings/idnes/1".to_owned(),
        "/listings/bazos/2".to_owned(),
        format!("/pairs?{pair}"),
        format!("/review?{review}"),
        "/review".to_owned(),
        "/review/log".to_owned(),
        "/changes".to_owned(),
        "/addresses?text=%3Cscript%3Ealert(1)%3C/script%3E".to_owned(),
        "/weights".to_owned(),
        "/audit".to_owned(),
        "/nothing-here".to_owned(),
    ]
}

#[tokio::test]
async fn every_page_has_the_policy_and_nothing_inline() {
    support::on_each_database(async |db| {
        replay(&db, HOSTILE).await;
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Operator).await;
        for path in pages_of(&person).await {
            let shown = person.get(&path).await;
            assert!([200, 404].contains(&shown.status), "{path}: {}", shown.body);
            let policy = shown.headers[CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.contains("default-src 'none'"), "{path}: {policy}");
            assert!(!policy.contains("unsafe"), "{path}: {policy}");
            assert!(!shown.body.contains(" style=\""), "{path}");
            assert!(!shown.body.contains("<style"), "{path}");
            assert!(!shown.body.contains(" onclick"), "{path}");
            let scripts = shown.body.matches("<script").count();
            let own = shown
                .body
                .matches("<script type=\"module\" src=\"/assets/")
                .count();
            assert_eq!(scripts, own, "{path}: {}", shown.body);
            assert!(!shown.body.contains("src=\"http"), "{path}");
            assert!(shown.body.len() < 100_000, "{path}: {}", shown.body.len());
        }
    })
    .await;
}

#[tokio::test]
async fn markup_in_an_advert_stays_text() {
    support::on_each_database(async |db| {
        replay(&db, HOSTILE).await;
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Operator).await;
        let mut seen = 0;
        for path in pages_of(&person).await {
            let shown = person.get(&path).await;
            for markup in ["<script>alert", "<img", "<mark>img", "href=\"javascript:"] {
                let is_marked_text = markup == "<mark>img" && shown.body.contains("&lt;<mark>img");
                assert!(
                    !shown.body.contains(markup) || is_marked_text,
                    "{path}: {markup}"
                );
            }
            seen += shown.body.matches("alert").count();
        }
        assert!(seen > 5, "the texts are shown");
    })
    .await;
}

#[tokio::test]
async fn a_record_shows_the_source_of_each_value_and_its_pairs() {
    support::on_each_database(async |db| {
        replay(&db, HOSTILE).await;
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Reviewer).await;
        let listing = person.get("/listings/idnes/1").await;
        let record = listing
            .body
            .split("/records/")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let shown = person.get(&format!("/records/{record}")).await;
        assert!(shown.body.contains("newest live price"), "{}", shown.body);
        assert!(
            shown.body.contains("4\u{a0}890\u{a0}000\u{a0}Kč"),
            "{}",
            shown.body
        );
        assert!(shown.body.contains("class=\"chart\""));
        assert!(shown.body.contains("/pairs?one=bazos/2"), "{}", shown.body);
        assert_eq!(person.get("/records/unknown-id").await.status, 404);
        assert_eq!(person.get("/listings/idnes/nothing").await.status, 404);
        assert_eq!(
            person.get("/pairs?one=idnes/1&other=idnes/1").await.status,
            404
        );
    })
    .await;
}

#[tokio::test]
async fn the_search_is_that_of_the_api_and_says_what_is_wrong() {
    support::on_each_database(async |db| {
        replay(&db, HOSTILE).await;
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Reviewer).await;
        let found = person
            .get("/records?offerType=sale&priceMax=4890000&address=")
            .await;
        assert_eq!(found.body.matches("class=\"hits\"").count(), 1);
        assert!(found.body.contains("/records/"), "{}", found.body);
        let none = person.get("/records?offerType=rent").await;
        assert!(none.body.contains("Nothing matches"), "{}", none.body);
        let wrong = person.get("/records?priceMin=cheap").await;
        assert!(wrong.body.contains("priceMin"), "{}", wrong.body);
        let by_number = person.get("/records?id=idnes%2F1").await;
        assert_eq!(by_number.location(), "/listings/idnes/1");
    })
    .await;
}

#[tokio::test]
async fn every_page_is_in_both_languages() {
    on_each_authored(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let mut person = console.person("Jana", Role::Operator).await;
        assert!(person.get("/").await.body.contains("<html lang=\"en\">"));
        let chosen = person.get("/language/cs?back=/records").await;
        assert_eq!(chosen.location(), "/records");
        person.cookie += "; language=cs";
        for (path, word) in [
            ("/", "Přehled"),
            ("/portals/sreality", "Stahování"),
            ("/records", "Záznamy"),
            ("/changes", "Co se nedávno změnilo"),
            ("/addresses?text=Brno", "Na co text ukazuje"),
            ("/review", "Posuzování"),
            ("/review/log", "Odpovědi posuzovatelů"),
            ("/weights", "Váhy shody"),
            ("/audit", "Co tu kdo udělal"),
            ("/nothing", "neexistuje"),
        ] {
            let shown = person.get(path).await;
            assert!(shown.body.contains(word), "{path}: {}", shown.body);
            assert!(shown.body.contains("<html lang=\"cs\">"), "{path}");
        }
        assert_eq!(
            person
                .get("/language/cs?back=//evil.example")
                .await
                .location(),
            "/"
        );
    })
    .await;
}
