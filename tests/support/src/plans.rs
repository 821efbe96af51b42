//! How PostgreSQL would run the program's statements if its tables were large.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Deserializer, Value};

use crate::cluster::PostgresCluster;

/// What is logged before a plan.
const PLAN: &str = " ms  plan:\n";

impl PostgresCluster {
    /// Makes the planner believe that these tables of a database have a million rows, and logs the plan of every statement
    /// of sessions that begin afterwards. The tables should have some rows, from which the planner knows their values.
    ///
    /// # Panics
    /// If the server has no `auto_explain`, which comes with PostgreSQL.
    pub async fn plan_for_large_tables(&self, database: &str, tables: &[&str]) {
        let names: Vec<String> = tables.iter().map(|table| format!("'{table}'")).collect();
        let names = names.join(", ");
        self.execute(database, "ANALYZE").await;
        // The planner takes the rows of a page from here, and the number of pages from the file.
        let grow = format!(
            "UPDATE pg_class SET relpages = GREATEST(relpages, 1), reltuples = 1000000 WHERE oid IN ( \
                 SELECT oid FROM pg_class WHERE relname IN ({names}) UNION SELECT indexrelid FROM pg_index \
                 JOIN pg_class ON pg_class.oid = indrelid WHERE relname IN ({names}))"
        );
        self.execute(database, &grow).await;
        for setting in [
            "session_preload_libraries = 'auto_explain'",
            "auto_explain.log_min_duration = 0",
            "auto_explain.log_format = 'json'",
        ] {
            let text = format!("ALTER DATABASE {database} SET {setting}");
            self.execute("postgres", &text).await;
        }
    }

    /// The statements whose logged plans read a table as a whole, with these tables; and the number of all statements.
    ///
    /// # Panics
    /// If the log cannot be read.
    pub fn whole_reads(&self) -> (BTreeMap<String, BTreeSet<String>>, usize) {
        let log = std::fs::read_to_string(self.folder().join("log")).expect("the server's log");
        let mut all = BTreeSet::new();
        let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for logged in log.split(PLAN).skip(1) {
            let mut plans = Deserializer::from_str(logged).into_iter::<Value>();
            let plan = plans.next().expect("a plan").expect("a plan is JSON");
            let statement = plan["Query Text"]
                .as_str()
                .expect("the text of a statement");
            let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
            let mut whole = BTreeSet::new();
            collect(&plan["Plan"], &mut whole);
            if !whole.is_empty() {
                found
                    .entry(statement.clone())
                    .or_default()
                    .append(&mut whole);
            }
            all.insert(statement);
        }
        (found, all.len())
    }
}

/// The tables that a plan reads without an index.
fn collect(plan: &Value, whole: &mut BTreeSet<String>) {
    let is_whole = plan["Node Type"].as_str() == Some("Seq Scan");
    if let (true, Some(table)) = (is_whole, plan["Relation Name"].as_str()) {
        whole.insert(table.to_owned());
    }
    for part in plan["Plans"].as_array().into_iter().flatten() {
        collect(part, whole);
    }
}
