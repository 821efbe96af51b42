//! The figures on top of a page.

use crate::drawing::{Bars, sparkline};
use crate::format;
use crate::language::Language;
use crate::snapshot::Snapshot;

/// A figure with its chart, if it has one.
pub(super) struct Figure {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) chart: String,
}

/// The figures of the whole system.
pub(super) fn figures(snapshot: &Snapshot, l: Language) -> Vec<Figure> {
    let found = &snapshot.found;
    let plain = |name: &'static str, value: String| Figure {
        name,
        value,
        chart: String::new(),
    };
    let (bytes, by_day) = snapshot.bytes();
    let lag = if found.dedup_lag_seconds > 0 {
        format!(", {}", format::duration(found.dedup_lag_seconds))
    } else {
        String::new()
    };
    let quota = found.quota.iter().map(|(plan, quota)| {
        format!(
            "{plan}: {} / {}",
            format::count(quota.used),
            format::count(quota.limit)
        )
    });
    let quota: Vec<String> = quota.collect();
    vec![
        plain(
            l.t("adverts: live", "inzeráty: živé"),
            format::count(found.live_listings),
        ),
        plain(l.t("gone", "zmizelé"), format::count(found.gone_listings)),
        plain(
            l.t("wait for deduplication", "čeká na deduplikaci"),
            format!("{}{lag}", format::count(found.pending_listings)),
        ),
        plain(
            l.t("jobs: waiting, running", "úlohy: čekají, běží"),
            format!("{}, {}", found.waiting_jobs, found.running_jobs),
        ),
        plain(l.t("workers", "pracovníci"), found.workers.to_string()),
        plain(
            l.t("lines not read", "nepřečtené řádky"),
            format::count(found.rejects),
        ),
        plain(
            l.t("quota used this month", "využitá kvóta za měsíc"),
            if quota.is_empty() {
                "–".to_owned()
            } else {
                quota.join("; ")
            },
        ),
        plain(
            l.t("address registry", "adresní registr"),
            found
                .registry_edition
                .as_ref()
                .map_or_else(|| l.t("none", "žádný").to_owned(), |id| format!("{id:.12}")),
        ),
        Figure {
            name: l.t("database", "databáze"),
            value: format::bytes(bytes),
            chart: sparkline(
                &Bars {
                    values: &by_day,
                    name: l.t("size over 30 days", "velikost za 30 dní"),
                    class: "live",
                },
                None,
            ),
        },
    ]
}
