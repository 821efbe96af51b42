//! What stands in deploy/: it names what there is, and passes its own check.

use std::collections::BTreeSet;
use std::process::Command;

use super::jeden::{program, project, ran};

/// Files of deploy/ that set something.
const FILES: [&str; 4] = [
    "jeden-serve.service",
    "jeden-work.service",
    "compose.yaml",
    "Containerfile",
];

fn read(file: &str) -> String {
    let path = project("deploy").join(file);
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect::<Vec<_>>()
        .join("\n")
}

/// What a command says of itself, however wide its lines are.
fn help(command: &str) -> String {
    let help = ran(program().args([command, "--help"])).done();
    help.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The words of a text that begin with `prefix` and go on with letters that `is_part` allows.
fn words<'a>(text: &'a str, prefix: &str, is_part: impl Fn(char) -> bool) -> BTreeSet<&'a str> {
    text.split(|letter: char| !is_part(letter))
        .filter(|word| word.starts_with(prefix))
        .collect()
}

#[test]
fn every_variable_that_is_set_is_one_of_the_program() {
    let help = ["serve", "work"].map(help).join(" ");
    for file in FILES {
        let text = read(file);
        let named = words(&text, "JEDEN_", |letter| {
            letter.is_ascii_uppercase() || letter == '_'
        });
        assert!(!named.is_empty(), "{file} sets something");
        for name in named {
            assert!(
                help.contains(&format!("[env: {name}")),
                "{file}: {name} is no variable of jeden"
            );
        }
    }
}

#[test]
fn every_command_that_is_started_takes_what_it_is_given() {
    for command in ["serve", "work"] {
        let unit = read(&format!("jeden-{command}.service"));
        let start = unit
            .lines()
            .find_map(|line| line.strip_prefix("ExecStart=/usr/local/bin/jeden "));
        let mut given = start.expect("the unit starts jeden").split(' ');
        assert_eq!(given.next(), Some(command));
        let help = help(command);
        for flag in given.filter(|word| word.starts_with("--")) {
            assert!(
                help.contains(&format!("{flag} ")),
                "{command} takes no {flag}"
            );
        }
        assert!(read("compose.yaml").contains(&format!("command: [\"{command}\"]")));
    }
    help("migrate");
}

#[test]
fn what_is_there_passes_its_check() {
    let checked = Command::new(project("deploy/check.sh")).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stderr);
    assert!(
        checked.status.success(),
        "{said}{}",
        String::from_utf8_lossy(&checked.stdout)
    );
}
