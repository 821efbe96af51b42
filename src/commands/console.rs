//! `jeden console`

use super::operator_console::{self, DEFAULT_LISTEN};
use crate::outcome::Outcome;
use crate::progress;
use crate::settings::Settings;
use schema::store::operators;

pub async fn run(settings: &Settings) -> anyhow::Result<Outcome> {
    let db = settings.open().await?;
    let address = settings.console_listen.as_deref().unwrap_or(DEFAULT_LISTEN);
    let listener = operator_console::bind(address).await?;
    if operators::list(&db).await?.is_empty() {
        progress::say(
            "Nobody can log in yet: add somebody with `jeden operator create NAME --role operator`.",
        );
    }
    let serving = operator_console::start(settings, &db, listener, None)?;
    progress::say("Serving until Ctrl-C.");
    serving.await??;
    db.close().await;
    Ok(Outcome::Done)
}
