#!/usr/bin/env bash
# Checks what is in this folder as far as it can be without an engine: units, rules, YAML, the Containerfile. With
# --build it also runs the Containerfile's build steps in a clean folder, which takes as long as a release build.
set -euo pipefail
cd "$(dirname "$0")"

clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT

missing() {
    printf '%s is not installed: %s not checked\n' "$1" "$2" >&2
}

# The program need not be installed where this runs.
units() {
    if ! command -v systemd-analyze >/dev/null; then
        missing systemd-analyze 'the units are'
        return
    fi
    local unit said
    for unit in *.service; do
        sed -E 's#^(ExecStart=)/usr/local/bin/jeden#\1/bin/true#' "$unit" >"$clean/$unit"
        # What it says of other units of this machine is not about ours.
        said=$(systemd-analyze verify --man=no "$clean/$unit" 2>&1 | grep -F "$unit" || true)
        if [ -n "$said" ]; then
            printf '%s\n' "$said" >&2
            return 1
        fi
    done
}

yaml() {
    if ! python3 -c 'import yaml' 2>/dev/null; then
        missing PyYAML 'YAML is'
        return
    fi
    python3 - <<'PYTHON'
import sys
import yaml

compose = yaml.safe_load(open("compose.yaml"))
for name in ("postgres", "migrate", "serve", "work"):
    if name not in compose["services"]:
        sys.exit(f"compose.yaml lacks the service {name}")
for name, service in compose["services"].items():
    for needed in service.get("depends_on", {}):
        if needed not in compose["services"]:
            sys.exit(f"compose.yaml: {name} depends on {needed}, which is not there")
    for volume in service.get("volumes", []):
        source = volume.split(":")[0]
        if not source.startswith((".", "/")) and source not in compose["volumes"]:
            sys.exit(f"compose.yaml: {name} mounts {source}, which is not declared")

rules = yaml.safe_load(open("alerts.yaml"))
names = [rule["alert"] for group in rules["groups"] for rule in group["rules"]]
if len(set(names)) != len(names):
    sys.exit("alerts.yaml names an alert twice")
for group in rules["groups"]:
    for rule in group["rules"]:
        if not rule.get("expr") or not rule["labels"].get("severity"):
            sys.exit(f"alerts.yaml: {rule['alert']} lacks an expression or a severity")
        if not {"summary", "description"} <= set(rule["annotations"]):
            sys.exit(f"alerts.yaml: {rule['alert']} does not say what it is or what to do")
PYTHON
}

rules() {
    if command -v promtool >/dev/null; then
        promtool check rules alerts.yaml
    else
        missing promtool 'the expressions of the alerts are'
    fi
}

# Every instruction is one, what is copied is there, and nobody is root in the end.
containerfile() {
    local known='^(FROM|WORKDIR|COPY|RUN|USER|VOLUME|ENV|EXPOSE|STOPSIGNAL|ENTRYPOINT|CMD)$' word rest user=root
    while read -r word rest; do
        if ! [[ $word =~ $known ]]; then
            printf 'Containerfile: %s is no instruction\n' "$word" >&2
            return 1
        fi
        case $word in
        USER) user=$rest ;;
        COPY)
            case $rest in
            --from=*)
                local stage=${rest#--from=}
                if ! grep -qE "^FROM .* AS ${stage%% *}$" Containerfile; then
                    printf 'Containerfile: there is no stage %s\n' "${stage%% *}" >&2
                    return 1
                fi
                ;;
            *)
                if ! [ -e "../${rest%% *}" ]; then
                    printf 'Containerfile: there is no %s to copy\n' "${rest%% *}" >&2
                    return 1
                fi
                ;;
            esac
            ;;
        esac
    done < <(steps)
    if [[ $user == root || $user == 0* ]]; then
        printf 'Containerfile: it ends as root\n' >&2
        return 1
    fi
    local wanted
    wanted=$(sed -nE 's/^channel = "([0-9]+\.[0-9]+).*/\1/p' ../rust-toolchain.toml)
    if ! grep -q "^FROM .*/rust:$wanted" Containerfile; then
        printf 'Containerfile: it does not build with rust %s of rust-toolchain.toml\n' "$wanted" >&2
        return 1
    fi
}

# The instructions, each on one line, without comments.
steps() {
    sed -e '/^#/d' -e '/^$/d' Containerfile | sed -e ':more' -e '/\\$/{N;s/\\\n */ /;bmore' -e '}'
}

# The steps of the first stage, as they stand, on what is committed.
build() {
    git -C .. archive HEAD | tar -x -C "$clean"
    local word rest stage=0
    while read -r word rest; do
        case $word in
        FROM) stage=$((stage + 1)) ;;
        RUN)
            if [ "$stage" = 1 ]; then
                printf '%s\n' "${rest//\/out\//$clean/out/}" >&2
                (cd "$clean" && bash -euc "${rest//\/out\//$clean/out/}")
            fi
            ;;
        esac
    done < <(steps)
    "$clean/out/usr/local/bin/jeden" --version
}

units
yaml
rules
containerfile
if [ "${1:-}" = --build ]; then
    build
fi
