//! Prints the status as text.

use comfy_table::Table;
use comfy_table::presets::NOTHING;
use operations::shown_time::{local, took};
use operations::status::{Found, KEY_FIELDS, Quota};

use super::Status;
use crate::commands::schedule::table;
use crate::progress;

pub(super) fn show(status: &Status) -> std::io::Result<()> {
    if let Some(found) = &status.found {
        progress::result(&figures(found).to_string())?;
        if !found.portals.is_empty() {
            progress::result(&format!("\n{}", table(&found.portals)))?;
        }
        if !found.fields.is_empty() {
            progress::result(&format!("\n{}", fields(found)))?;
        }
        progress::result("")?;
    }
    if status.ok {
        return progress::result("Nothing needs attention.");
    }
    for concern in &status.concerns {
        progress::result(&format!(
            "! {}: {}\n  {}",
            concern.about, concern.what, concern.todo
        ))?;
    }
    Ok(())
}

/// The share of each portal's newest live listings that has them.
fn fields(found: &Found) -> Table {
    let mut table = Table::new();
    table
        .load_style(NOTHING)
        .set_header(["portal", "newest", "fields"].iter().chain(&KEY_FIELDS));
    for (portal, fields) in &found.fields {
        let mut row = vec![
            portal.clone(),
            fields.listings.to_string(),
            fields.filled.len().to_string(),
        ];
        row.extend(KEY_FIELDS.map(|field| {
            let share = fields.filled.get(field).copied().unwrap_or_default();
            format!("{:.0} %", share * 100.0)
        }));
        table.add_row(row);
    }
    table
}

fn figures(found: &Found) -> Table {
    let mut table = Table::new();
    table.load_style(NOTHING);
    let behind = match found.dedup_lag_seconds {
        0 => String::new(),
        seconds => format!(", requested {} ago", took(seconds)),
    };
    let oldest = found
        .oldest_job_seconds
        .map(|seconds| format!(" (the oldest has been due for {})", took(seconds)));
    let rows = [
        ("database", "reachable, schema current".to_owned()),
        (
            "listings",
            format!("{} live, {} gone", found.live_listings, found.gone_listings),
        ),
        (
            "dedup",
            format!("{} listings wait{behind}", found.pending_listings),
        ),
        (
            "queue",
            format!(
                "{} jobs wait{}, {} are running",
                found.waiting_jobs,
                oldest.unwrap_or_default(),
                found.running_jobs
            ),
        ),
        ("workers", format!("{} alive", found.workers)),
        (
            "rejects",
            format!(
                "{} lines, {} values left out",
                found.rejects, found.value_rejects
            ),
        ),
        ("quota", quota(found)),
        ("webhooks", webhooks(found)),
        (
            "registry",
            found
                .registry_edition
                .as_ref()
                .map_or_else(|| "none".to_owned(), |id| format!("edition {id:.12}")),
        ),
    ];
    for (name, value) in rows {
        table.add_row([name.to_owned(), value]);
    }
    table
}

/// The webhooks of changes.
fn webhooks(found: &Found) -> String {
    let all = &found.webhooks;
    if all.is_empty() {
        return "none".to_owned();
    }
    let behind: Vec<_> = all.iter().filter(|one| one.behind_changes > 0).collect();
    let changes = behind.iter().map(|one| one.behind_changes).max();
    let seconds = behind.iter().map(|one| one.behind_seconds).max();
    let behind = match (changes, seconds) {
        (Some(changes), Some(seconds)) => format!(
            "{} behind (by up to {changes} changes, {})",
            behind.len(),
            took(seconds)
        ),
        _ => "none behind".to_owned(),
    };
    let failing: Vec<_> = all.iter().filter_map(|one| one.failing_since).collect();
    let failing = match failing.iter().min() {
        Some(since) => format!("{} failing since {}", failing.len(), local(*since)),
        None => "none failing".to_owned(),
    };
    let letters: u64 = all.iter().map(|one| one.dead_letters).sum();
    format!(
        "{}, {behind}, {failing}, {letters} messages given up",
        all.len()
    )
}

fn quota(found: &Found) -> String {
    let plan = |(plan, quota): (&&str, &Quota)| {
        format!(
            "{plan}: {} of {} requests by {} accounts",
            quota.used, quota.limit, quota.accounts
        )
    };
    let plans: Vec<String> = found.quota.iter().map(plan).collect();
    if plans.is_empty() {
        "no accounts".to_owned()
    } else {
        format!("this month, {}", plans.join("; "))
    }
}
