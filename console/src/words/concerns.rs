//! What needs attention, and what to do about it.

use operations::concerns::{Cause, Concern};

use crate::format;
use crate::language::Language;

/// What is wrong, and what to do.
pub(crate) fn concern(one: &Concern, l: Language) -> (String, String) {
    match (&one.cause, l) {
        (Some(cause), Language::Czech) => (what(cause), todo(cause, &one.about)),
        _ => (one.what.clone(), one.todo.clone()),
    }
}

fn what(cause: &Cause) -> String {
    match cause {
        Cause::Alarm { began, alarm } => {
            format!(
                "stahování z {} zastavil poplach: {alarm}",
                format::time(*began)
            )
        }
        Cause::Failed { began, trouble } => format!(
            "stahování z {} selhalo: {}",
            format::time(*began),
            trouble.as_deref().unwrap_or("důvod není znám")
        ),
        Cause::Incomplete { since } => {
            format!("od {} nebyl portál stažen úplně", format::time(*since))
        }
        Cause::NotQueued { seconds } => format!(
            "stahování mělo začít před {} a není ve frontě",
            format::duration(*seconds)
        ),
        Cause::GivenUp {
            kind, at, reason, ..
        } => {
            let at = at.map(format::time).unwrap_or_default();
            format!("úloha {kind} byla {at} vzdána: {reason}")
        }
        Cause::DedupBehind { pending, seconds } => format!(
            "na deduplikaci čeká inzerátů: {}; vyžádána byla před {}",
            format::count(*pending),
            format::duration(*seconds)
        ),
        Cause::JobWaits { seconds } => format!(
            "úloha měla začít před {} a žádný pracovník ji nezačal",
            format::duration(*seconds)
        ),
        Cause::OtherRegistry { edition } => format!(
            "databáze používá vydání {edition:.12} adresního registru, ale zdejší soubor je jiné vydání, nebo chybí"
        ),
        Cause::DeadLetters { webhook, letters } => format!(
            "vzdaných zpráv pro webhook {webhook}: {}",
            format::count(*letters)
        ),
        Cause::WebhookFails {
            webhook,
            since,
            behind,
            reason,
        } => format!(
            "webhook {webhook} od {} nepřijal žádnou zprávu a má zpoždění {behind} změn: {reason}",
            format::time(*since)
        ),
        Cause::NoWorker { scheduled, jobs } => format!(
            "neběží žádný pracovník; portálů s plánem: {scheduled}, čekajících úloh: {jobs}"
        ),
    }
}

fn todo(cause: &Cause, about: &str) -> String {
    match cause {
        Cause::Alarm { .. } => format!(
            "podívejte se na portál. Pokud se opravdu změnil, spusťte `jeden schedule run {about}` s volbou --accept, kterou poplach jmenuje"
        ),
        Cause::Failed { .. } => {
            format!("pracovník ho zopakuje; hned to zkusí `jeden scrape {about}`")
        }
        Cause::Incomplete { .. } => format!(
            "`jeden crawls {about}` ukáže, jak stahování končila; běží-li ještě, když má začít další, plánujte je méně často"
        ),
        Cause::DeadLetters { webhook, .. } => format!(
            "proč, řekne `jeden webhook list`; až bude příjemce v pořádku, `jeden webhook retry {webhook}` je pošle ještě jednou"
        ),
        Cause::WebhookFails { webhook, .. } => format!(
            "řekněte to příjemci, nebo webhook odeberte: `jeden webhook remove {webhook}`"
        ),
        Cause::NotQueued { .. } => {
            "ověřte, že `jeden work` běží, a co píše do logu".to_owned()
        }
        Cause::GivenUp { is_crawl: true, .. } => {
            format!("odstraňte příčinu a spusťte `jeden schedule run {about}`")
        }
        Cause::GivenUp { .. } => {
            "odstraňte příčinu; další taková úloha se zařadí sama".to_owned()
        }
        Cause::DedupBehind { .. } => {
            "podívejte se, co píše `jeden work`; možná potřebuje více paměti nebo rychlejší disk".to_owned()
        }
        Cause::JobWaits { .. } => {
            "spusťte další `jeden work`, nebo zvyšte --portals-at-once".to_owned()
        }
        Cause::OtherRegistry { .. } => {
            "zkopírujte sem jeho soubor, nebo ho znovu importujte; který to je, řekne `jeden gazetteer show`".to_owned()
        }
        Cause::NoWorker { .. } => {
            "spusťte `jeden work`, nebo jeho jednotku: systemctl start jeden-work".to_owned()
        }
    }
}
