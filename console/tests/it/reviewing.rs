//! Answers about pairs.

use std::time::Duration;

use schema::store::{review_answers, reviews};
use schema::{Answer, Asked, Role, Verdict};

use crate::browser::{Person, Served, Shown, escaped, on_each_authored};

/// The next question. The queue is computed in the background.
async fn question(person: &Person, path: &str) -> Shown {
    for _ in 0..300 {
        let shown = person.get(path).await;
        assert_eq!(shown.status, 200, "{}", shown.body);
        if !shown.body.contains("data-refresh") {
            return shown;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    unreachable!("the questions were never computed")
}

async fn answer(person: &Person, shown: &Shown, what: &str, reason: &str) -> Shown {
    let (left, right) = (shown.input("left"), shown.input("right"));
    let shown_at = shown.input("shown_at");
    let form = [
        ("left", left.as_str()),
        ("right", &right),
        ("shown_at", &shown_at),
        ("answer", what),
        ("reason", reason),
    ];
    person.post("/review", &form).await
}

#[tokio::test]
async fn an_answer_decides_with_the_persons_name_and_can_be_taken_back() {
    on_each_authored(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Reviewer).await;
        let first = question(&person, "/review").await;
        let pair = (first.input("left"), first.input("right"));
        assert!(!pair.0.is_empty(), "{}", first.body);
        let done = answer(&person, &first, "different", "another floor").await;
        assert_eq!(
            (done.status, done.location()),
            (303, "/review?done=different")
        );
        let log = reviews::log(&db).await.unwrap();
        assert_eq!(log.len(), 1);
        assert_eq!(log[0].person.as_deref(), Some("Jana"));
        assert_eq!(log[0].review.verdict, Verdict::Different);
        assert_eq!(log[0].review.reason.as_deref(), Some("another floor"));

        let second = question(&person, "/review").await;
        assert_ne!((second.input("left"), second.input("right")), pair);
        assert!(second.body.contains(&pair.0), "the last answers name it");
        let form = [("left", pair.0.as_str()), ("right", &pair.1)];
        let back = person.post("/review/undo", &form).await;
        assert!(
            back.location().starts_with("/review?left="),
            "{}",
            back.location()
        );
        assert_eq!(
            reviews::log(&db).await.unwrap()[1].review.verdict,
            Verdict::Forgotten
        );
        let again = question(&person, back.location()).await;
        assert_eq!((again.input("left"), again.input("right")), pair);
        assert_eq!(
            person.post("/review/undo", &form).await.status,
            404,
            "nothing is left"
        );
    })
    .await;
}

#[tokio::test]
async fn who_cannot_tell_decides_nothing_and_is_not_asked_again() {
    on_each_authored(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let jana = console.person("Jana", Role::Reviewer).await;
        let first = question(&jana, "/review").await;
        let pair = (first.input("left"), first.input("right"));
        answer(&jana, &first, "unsure", "").await;
        assert_eq!(reviews::log(&db).await.unwrap(), []);
        let answers = review_answers::all(&db).await.unwrap();
        assert_eq!(answers[0].answer, Answer::Unsure);
        assert_ne!(answers[0].asked, Asked::Chosen);
        let next = question(&jana, "/review").await;
        assert_ne!((next.input("left"), next.input("right")), pair);
        let petr = console.person("Petr", Role::Reviewer).await;
        let asked = question(&petr, "/review").await;
        assert_eq!(
            (asked.input("left"), asked.input("right")),
            pair,
            "somebody else is asked"
        );
    })
    .await;
}

#[tokio::test]
async fn two_reviewers_get_different_pairs_and_the_slower_answer_is_refused() {
    on_each_authored(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let jana = console.person("Jana", Role::Reviewer).await;
        let petr = console.person("Petr", Role::Reviewer).await;
        let of_jana = question(&jana, "/review").await;
        let of_petr = question(&petr, "/review").await;
        assert_ne!(
            of_jana.input("left") + &of_jana.input("right"),
            of_petr.input("left") + &of_petr.input("right")
        );
        // Both open the same pair by its address.
        let path = format!(
            "/review?left={}&right={}",
            escaped(&of_jana.input("left")),
            escaped(&of_jana.input("right"))
        );
        let also = petr.get(&path).await;
        console.advance(1);
        assert_eq!(answer(&jana, &of_jana, "different", "").await.status, 303);
        let late = answer(&petr, &also, "same", "").await;
        assert_eq!(late.status, 409);
        assert!(late.body.contains("Jana"), "{}", late.body);
        assert_eq!(reviews::log(&db).await.unwrap().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_decision_changes_the_records_and_shows_in_the_figures() {
    on_each_authored(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Reviewer).await;
        let mut asked = question(&person, "/review").await;
        // A record that may be two.
        for _ in 0..50 {
            if asked.body.contains("Are these different properties?") {
                break;
            }
            answer(&person, &asked, "unsure", "").await;
            asked = question(&person, "/review").await;
        }
        assert!(
            asked.body.contains("Different: the record is split"),
            "{}",
            asked.body
        );
        assert_eq!(answer(&person, &asked, "different", "").await.status, 303);
        // What is split off may join another record, so their number may stay.
        let (left, right) = (asked.input("left"), asked.input("right"));
        let mut are_apart = false;
        for _ in 0..200 {
            let clusters = support::clusters(&db).await;
            let with = |name: &str| {
                clusters
                    .iter()
                    .find(|(_, keys)| keys.iter().any(|key| key.to_string() == name))
                    .map(|(id, _)| id.clone())
            };
            are_apart = with(&left).is_some() && with(&left) != with(&right);
            if are_apart {
                break;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        assert!(are_apart, "{left} and {right} are one record");
        let log = person.get("/review/log").await;
        assert!(
            log.body.contains("(0 of 1; 0\u{a0}%–79\u{a0}%)"),
            "{}",
            log.body
        );
        let pair = format!(
            "/pairs?one={}&other={}",
            escaped(&asked.input("left")),
            escaped(&asked.input("right"))
        );
        let shown = person.get(&pair).await;
        assert!(
            shown.body.contains("They are different records."),
            "{}",
            shown.body
        );
    })
    .await;
}

#[tokio::test]
async fn a_lost_session_keeps_an_answer_from_being_saved_and_leads_back() {
    on_each_authored(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let mut person = console.person("Jana", Role::Reviewer).await;
        let asked = question(&person, "/review").await;
        console.advance(13 * 3600);
        let lost = answer(&person, &asked, "same", "").await;
        assert_eq!((lost.status, lost.location()), (303, "/login?next=/review"));
        assert_eq!(review_answers::all(&db).await.unwrap(), []);
        person.log_in("Jana", crate::browser::PASSWORD).await;
        assert_eq!(answer(&person, &asked, "same", "").await.status, 303);
    })
    .await;
}

#[tokio::test]
async fn a_form_with_a_wrong_value_is_refused() {
    on_each_authored(async |db| {
        let console = Served::start(&db, |_| {}).await;
        let person = console.person("Jana", Role::Reviewer).await;
        let asked = question(&person, "/review").await;
        assert_eq!(answer(&person, &asked, "maybe", "").await.status, 400);
        assert_eq!(answer(&person, &asked, "withdrawn", "").await.status, 400);
        let unknown = [
            ("left", "idnes/none"),
            ("right", "bazos/none"),
            ("answer", "same"),
        ];
        assert_eq!(person.post("/review", &unknown).await.status, 404);
        assert_eq!(review_answers::all(&db).await.unwrap(), []);
    })
    .await;
}
