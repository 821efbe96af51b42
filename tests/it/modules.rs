//! The modules of each crate refer to one another in one direction only.

use std::collections::{BTreeMap, BTreeSet};

use super::jeden::project;
use super::sources::{CRATES, assert_none, code, files, has_extension};

/// The top-level modules of a crate, each with those that it refers to by `crate::`.
fn module_graph(sources: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut graph: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut code_of = Vec::new();
    for file in files(sources) {
        let within = file.trim_start_matches("./").replacen(sources, "", 1);
        let module = within
            .trim_start_matches('/')
            .split('/')
            .next()
            .unwrap_or_default();
        let module = module.trim_end_matches(".rs").to_owned();
        if has_extension(&file, "rs") && module != "lib" && module != "main" {
            graph.entry(module.clone()).or_default();
            code_of.push((module, production_code(&file)));
        }
    }
    let modules: BTreeSet<String> = graph.keys().cloned().collect();
    for (module, code) in code_of {
        let mut others = referred_to(&code);
        others.retain(|other| *other != module && modules.contains(other));
        graph.entry(module).or_default().extend(others);
    }
    graph
}

/// The code of a file without its unit tests, which may use anything.
fn production_code(file: &str) -> String {
    let lines = code(file).into_iter().map(|(_, line)| line);
    let lines: Vec<String> = lines.take_while(|line| line != "#[cfg(test)]").collect();
    lines.join("\n")
}

/// The first names behind each `crate::`, also those in braces.
fn referred_to(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        let Some(list) = rest.strip_prefix('{') else {
            found.extend(first_name(rest));
            continue;
        };
        let mut depth = 0_usize;
        let mut start = 0;
        for (at, letter) in list.char_indices() {
            match letter {
                '{' => depth += 1,
                '}' if depth > 0 => depth -= 1,
                ',' | '}' if depth == 0 => {
                    found.extend(list.get(start..at).and_then(|item| first_name(item.trim())));
                    start = at + 1;
                    if letter == '}' {
                        break;
                    }
                }
                _ => {}
            }
        }
    }
    found
}

fn first_name(text: &str) -> Option<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let name: String = text.chars().take_while(|letter| is_part(*letter)).collect();
    Some(name).filter(|name| !name.is_empty())
}

/// The modules that can be reached from one.
fn reachable(graph: &BTreeMap<String, BTreeSet<String>>, from: &str) -> BTreeSet<String> {
    let (mut found, mut next) = (BTreeSet::new(), vec![from.to_owned()]);
    while let Some(module) = next.pop() {
        for other in graph.get(&module).into_iter().flatten() {
            if found.insert(other.clone()) {
                next.push(other.clone());
            }
        }
    }
    found
}

#[test]
fn no_module_depends_on_itself_through_others() {
    let mut circles = Vec::new();
    for name in CRATES {
        let sources = if name == "." {
            "src".to_owned()
        } else {
            format!("{name}/src")
        };
        assert!(project(&sources).is_dir(), "{sources}");
        let graph = module_graph(&sources);
        assert!(graph.len() > 1, "{sources} has modules");
        let within = graph
            .keys()
            .filter(|module| reachable(&graph, module).contains(*module));
        circles.extend(within.map(|module| format!("{sources}/{module}")));
    }
    assert_none(&circles, "modules that depend on themselves through others");
}

#[test]
fn names_behind_crate_are_found_in_lists_too() {
    let code = "use crate::{a::{x, y}, b, c::d};\nlet e = crate::e::f();";
    let expected: BTreeSet<String> = ["a", "b", "c", "e"].map(str::to_owned).into();
    assert_eq!(referred_to(code), expected);
}
