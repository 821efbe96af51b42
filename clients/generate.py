#!/usr/bin/env python3
"""Writes the records of the clients and the reference of the documentation from api/openapi.json.

    clients/generate.py            writes the files
    clients/generate.py --check    fails if one of them is not as it would be written

Only Python's standard library is needed.
"""

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SPEC = json.loads((ROOT / "api/openapi.json").read_text())
SCHEMAS = SPEC["components"]["schemas"]
NOTE = "Generated from api/openapi.json by clients/generate.py. Do not edit."


def snake(name):
    """offerId -> offer_id"""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


def pascal(text):
    """very_good -> VeryGood"""
    return "".join(word[:1].upper() + word[1:] for word in re.split(r"[^A-Za-z0-9]+", text) if word)


def reference(schema):
    """The name of the schema that this one refers to."""
    return schema["$ref"].rsplit("/", 1)[1] if "$ref" in schema else None


def without_null(schema):
    """The schema without null, and whether null is accepted."""
    if "oneOf" in schema:
        others = [part for part in schema["oneOf"] if part != {"type": "null"}]
        return others[0], len(others) < len(schema["oneOf"])
    if isinstance(schema.get("type"), list):
        others = [part for part in schema["type"] if part != "null"]
        return {**schema, "type": others[0]}, len(others) < len(schema["type"])
    return schema, False


def shapes():
    """Every object and every enumeration as (name, schema), what is inside others before them."""
    found = {}

    def visit(name, schema):
        for key, inner in schema.get("properties", {}).items():
            nested(name + pascal(key), inner)
        found[name] = schema

    def nested(name, schema):
        schema, _ = without_null(schema)
        if named := reference(schema):
            visit(named, SCHEMAS[named])
        elif "properties" in schema or "enum" in schema:
            visit(name, schema)
        elif schema.get("type") == "array":
            nested(name + "Item", schema["items"])

    for name, schema in SCHEMAS.items():
        if name not in ("Error", "Health"):
            visit(name, schema)
    error = SCHEMAS["Error"]["properties"]["error"]["properties"]
    visit("ErrorCode", error["code"])
    visit("ErrorDetail", error["details"]["items"])
    return found.items()


def description(schema):
    """What a value means, if anything says so."""
    if named := reference(without_null(schema)[0]):
        return one_line(schema.get("description") or SCHEMAS[named].get("description", ""))
    return one_line(schema.get("description", ""))


def filters():
    """The parameters of a search that are filters."""
    found = SPEC["paths"]["/v1/offers"]["get"]["parameters"]
    return [one for one in found if one.get("in") == "query" and one["name"] not in ("limit", "cursor")]


def type_of(name, schema, words):
    """The type of a value in a language."""
    schema, nullable = without_null(schema)
    if named := reference(schema):
        text = named
    elif "properties" in schema or "enum" in schema:
        text = name
    elif schema.get("type") == "array":
        text = words["list"].format(type_of(name + "Item", schema["items"], words))
    elif schema.get("format") == "date-time":
        text = words["time"]
    else:
        text = words[schema["type"]]
    return words["null"].format(text) if nullable else text


def one_line(text):
    return " ".join(text.split())


# --- Python ---------------------------------------------------------------------------------------------------------

PYTHON = {
    "string": "str", "number": "float", "integer": "int", "boolean": "bool", "time": "datetime",
    "list": "list[{}]", "null": "{} | None",
}


def python():
    lines = [f'"""The records of the API. {NOTE}"""', "", "from dataclasses import dataclass, field",
             "from datetime import datetime", "from typing import Literal, TypedDict"]
    for name, schema in shapes():
        if "enum" in schema:
            values = ", ".join(f'"{value}"' for value in schema["enum"])
            lines += ["", f"{name} = Literal[{values}]"]
            if "description" in schema:
                lines.append(f'"""{one_line(schema["description"])}"""')
            continue
        lines += ["", "", "@dataclass(frozen=True, kw_only=True, slots=True)", f"class {name}:",
                  f'    """{python_doc(name, schema)}"""', ""]
        required = schema.get("required", [])
        for key, inner in schema["properties"].items():
            kind = type_of(name + pascal(key), inner, PYTHON)
            if key not in required and not kind.endswith("| None"):
                kind += " | None"
            default = "" if key in required else "default=None, "
            lines.append(f'    {safe(snake(key))}: {kind} = field({default}metadata={{"name": "{key}"}})')
            if description(inner):
                lines.append(f'    """{description(inner)}"""')
    lines += ["", "", "class Filters(TypedDict, total=False):", '    """The filters of a search."""', ""]
    for one in filters():
        lines.append(f"    {safe(snake(one['name']))}: {type_of(pascal(one['name']), one['schema'], PYTHON)}")
        lines.append(f'    """{one_line(one["description"])}"""')
    return "\n".join(lines) + "\n"


def safe(name):
    return name + "_" if name in ("type",) else name


def python_doc(name, schema):
    return one_line(schema.get("description", f"`{name}` of the API."))


# --- TypeScript -----------------------------------------------------------------------------------------------------

TYPESCRIPT = {
    "string": "string", "number": "number", "integer": "number", "boolean": "boolean", "time": "string",
    "list": "{}[]", "null": "{} | null",
}


def typescript():
    lines = [f"// The records of the API. {NOTE}", "// Instants are texts in ISO 8601, in UTC."]
    for name, schema in shapes():
        lines.append("")
        if "description" in schema:
            lines.append(f"/** {one_line(schema['description'])} */")
        if "enum" in schema:
            lines.append(f"export type {name} = {' | '.join(json.dumps(value) for value in schema['enum'])};")
            continue
        lines.append(f"export interface {name} {{")
        required = schema.get("required", [])
        for key, inner in schema["properties"].items():
            if description(inner):
                lines.append(f"  /** {description(inner)} */")
            optional = "" if key in required else "?"
            lines.append(f"  {key}{optional}: {type_of(name + pascal(key), inner, TYPESCRIPT)};")
        lines.append("}")
    lines += ["", "/** The filters of a search. */", "export interface Filters {"]
    for one in filters():
        lines.append(f"  /** {one_line(one['description'])} */")
        lines.append(f"  {one['name']}?: {type_of(pascal(one['name']), one['schema'], TYPESCRIPT)};")
    lines.append("}")
    return "\n".join(lines) + "\n"


# --- Rust -----------------------------------------------------------------------------------------------------------

RUST = {
    "string": "String", "number": "f64", "integer": "u64", "boolean": "bool", "time": "String",
    "list": "Vec<{}>", "null": "Option<{}>",
}


def rust():
    lines = [f"//! The records of the API. {NOTE}", "//!", "//! Instants are texts in ISO 8601, in UTC.", "",
             "use serde::{Deserialize, Serialize};"]
    for name, schema in shapes():
        lines.append("")
        lines += rust_enumeration(name, schema) if "enum" in schema else rust_record(name, schema)
    lines += ["", "/// The filters of a search.", "#[derive(Debug, Clone, PartialEq, Default, Serialize)]",
              '#[serde(rename_all = "camelCase")]', "pub struct Filters {"]
    for one in filters():
        lines += rust_field(one["name"], type_of(pascal(one["name"]), one["schema"], RUST), one, False)
    lines.append("}")
    return "\n".join(lines) + "\n"


def rust_enumeration(name, schema):
    lines = [f"/// {one_line(schema.get('description', f'`{name}` of the API.'))}",
             "#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]", "#[non_exhaustive]",
             f"pub enum {name} {{"]
    for value in schema["enum"]:
        variant = pascal(value.replace("+", " Plus "))
        if variant[0].isdigit():
            variant = "Rooms" + variant
        lines += [f"    /// `{value}`", f'    #[serde(rename = "{value}")]', f"    {variant},"]
    lines += ["    /// A value that this version does not know.", "    #[serde(untagged)]", "    Unknown(String),", "}"]
    return lines


def rust_record(name, schema):
    lines = [f"/// {one_line(schema.get('description', f'`{name}` of the API.'))}",
             "#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]", '#[serde(rename_all = "camelCase")]',
             f"pub struct {name} {{"]
    for key, inner in schema["properties"].items():
        kind = type_of(name + pascal(key), inner, RUST)
        lines += rust_field(key, kind, inner, key in schema.get("required", []))
    lines.append("}")
    return lines


def rust_field(key, kind, described, required):
    lines = [f"    /// {description(described) or f'`{key}`'}"]
    name = snake(key)
    if not required:
        kind = kind if kind.startswith("Option<") else f"Option<{kind}>"
        lines.append('    #[serde(default, skip_serializing_if = "Option::is_none")]')
    lines.append(f"    pub {'r#type' if name == 'type' else name}: {kind},")
    return lines


# --- The reference --------------------------------------------------------------------------------------------------


def cell(text):
    return one_line(text).replace("|", "\\|")


def resolved(part):
    """What a reference within the document refers to."""
    if "$ref" not in part:
        return part
    found = SPEC
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def described_type(schema):
    """The type of a value in words, with a link to its shape."""
    schema, nullable = without_null(schema)
    if named := reference(schema):
        text = f"[{named}](#{named.lower()})"
    elif schema.get("type") == "array":
        text = f"array of {described_type(schema['items'])}"
    elif "const" in schema:
        text = f"`{schema['const']}`"
    elif "enum" in schema:
        text = ", ".join(f"`{value}`" for value in schema["enum"])
    else:
        text = schema.get("format", schema.get("type", "object"))
        bounds = [f"{word} {schema[key]}" for key, word in
                  (("minimum", "from"), ("maximum", "to"), ("maxLength", "at most")) if key in schema]
        text += f" {' '.join(bounds)}" if bounds else ""
        text += " characters" if "maxLength" in schema else ""
    return f"{text} or null" if nullable else text


def operation(path, described):
    lines = ["", f"## `GET {path}`", "", f"**{described['summary']}.** {described['description']}", ""]
    parameters = [resolved(one) for one in described.get("parameters", [])]
    if parameters:
        lines += ["| parameter | in | type | meaning |", "|---|---|---|---|"]
        for one in parameters:
            meaning = one.get("description", "")
            if "default" in one["schema"]:
                meaning += f" Default: `{one['schema']['default']}`."
            lines.append(f"| `{one['name']}` | {one['in']} | {described_type(one['schema'])} | {cell(meaning)} |")
        lines.append("")
    lines += ["| status | meaning | body |", "|---|---|---|"]
    example = None
    for status, answer in described["responses"].items():
        answer = resolved(answer)
        content = answer.get("content", {}).get("application/json", {})
        body = described_type(content["schema"]) if "schema" in content else ""
        lines.append(f"| {status} | {cell(answer['description'])} | {body} |")
        if status == "200":
            example = content.get("example")
    if example is not None:
        lines += ["", "```json", json.dumps(example, indent=2, ensure_ascii=False), "```"]
    return lines


def shape(name, schema):
    lines = ["", f"### {name}", ""]
    if "description" in schema:
        lines += [one_line(schema["description"]), ""]
    if "enum" in schema:
        return lines + [", ".join(f"`{value}`" for value in schema["enum"])]
    lines += ["| field | type | present | meaning |", "|---|---|---|---|"]

    def rows(prefix, schema):
        for key, inner in schema["properties"].items():
            plain, _ = without_null(inner)
            items = plain.get("items", {})
            deeper = plain if "properties" in plain else items if "properties" in items else None
            kind = described_type(inner) if deeper is None else plain["type"]
            present = "always" if key in schema.get("required", []) else "if known"
            lines.append(f"| `{prefix}{key}` | {kind} | {present} | {cell(description(inner))} |")
            if deeper is not None:
                rows(f"{prefix}{key}.", deeper)

    rows("", schema)
    return lines


def markdown():
    info = SPEC["info"]
    lines = [f"<!-- {NOTE} -->", "", "# Reference", "",
             f"{info['summary']}. Version {info['version']} of the interface; licence: {info['license']['name']}. "
             "Every running service describes itself at `/openapi.json`.", "", info["description"]]
    for path, item in SPEC["paths"].items():
        lines += operation(path, item["get"])
    lines += ["", "## Headers of answers", "", "| header | meaning |", "|---|---|"]
    for name, header in SPEC["components"]["headers"].items():
        lines.append(f"| `{name}` | {cell(header['description'])} |")
    lines += ["", "## Shapes"]
    for name, schema in SCHEMAS.items():
        lines += shape(name, schema)
    return "\n".join(lines) + "\n"


FILES = {
    "clients/python/src/jeden_client/records.py": python,
    "clients/typescript/src/records.ts": typescript,
    "clients/rust/src/records.rs": rust,
    "docs/REFERENCE.md": markdown,
}


def main():
    stale = []
    for path, write in FILES.items():
        text, file = write(), ROOT / path
        if "--check" not in sys.argv[1:]:
            file.write_text(text)
        elif not file.exists() or file.read_text() != text:
            stale.append(path)
    if stale:
        sys.exit(f"not up to date: {', '.join(stale)}; run clients/generate.py")


if __name__ == "__main__":
    main()
