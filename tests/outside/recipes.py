"""Runs the examples of docs/RECIPES.md against a running service: JEDEN_URL and JEDEN_TOKEN say which.

    recipes.py WORK      WORK is the folder in which tests/outside/run has built the TypeScript client
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
WORK = Path(sys.argv[1])
NODE = "declare const process: { env: Record<string, string | undefined> };\n"


def examples(language):
    """The examples in a language that can be run as they are."""
    text = (ROOT / "docs/RECIPES.md").read_text()
    found = re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [example for example in found if "…" not in example]


def run(*command, **options):
    ran = subprocess.run(command, text=True, stdout=subprocess.PIPE, check=False, timeout=600, **options)
    if ran.returncode != 0:
        sys.exit(f"{command} failed:\n{ran.stdout}")
    return ran.stdout


def python(folder):
    for number, example in enumerate(examples("python")):
        file = folder / f"{number}.py"
        file.write_text(example)
        path = {**os.environ, "PYTHONPATH": str(ROOT / "clients/python/src"), "PYTHONDONTWRITEBYTECODE": "1"}
        yield run(sys.executable, file, cwd=folder, env=path)


def shell(folder):
    for example in examples("sh"):
        yield run("bash", "-euo", "pipefail", "-c", example, cwd=folder)


def typescript(folder):
    client = WORK.resolve() / "typescript-client"
    (folder / "node_modules").mkdir()
    (folder / "node_modules/jeden-client").symlink_to(client)
    files = []
    for number, example in enumerate(examples("ts")):
        file = folder / f"{number}.mts"
        file.write_text(NODE + example)
        files.append(file)
    options = {"strict": True, "target": "es2022", "module": "nodenext", "lib": ["es2022", "dom"], "types": []}
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "include": ["*.mts"]}))
    run("node", WORK.resolve() / "typescript/node_modules/typescript/bin/tsc", cwd=folder)
    for file in files:
        yield run("node", file.with_suffix(".mjs"))


def rust(folder):
    package = folder / "rust"
    shutil.copytree(ROOT / "clients/rust", package, ignore=shutil.ignore_patterns("target"))
    (package / "examples").mkdir()
    names = []
    for number, example in enumerate(examples("rust")):
        names.append(f"recipe_{number}")
        (package / f"examples/{names[-1]}.rs").write_text(f"//! A recipe.\n{example}")
    target = {**os.environ, "CARGO_TARGET_DIR": str(WORK / "rust-client-target")}
    run("cargo", "build", "--quiet", "--locked", "--examples", cwd=package, env=target)
    for name in names:
        yield run(WORK / f"rust-client-target/debug/examples/{name}")


for language in (python, shell, typescript, rust):
    with tempfile.TemporaryDirectory() as folder:
        printed = list(language(Path(folder)))
    assert len(printed) >= 4 and all(printed), (language.__name__, printed)
    assert not any('"error"' in text for text in printed), printed
    print(f"{len(printed)} recipes in {language.__name__}")
