"""Writes the types of the clients from proto/openrpc.json: `python3 generate.py`, or `--check` in CI.

One file for each language: node/types.d.ts, python/entitld/types.py, go/types.go; for Swift the folder
Types of Sources/EntitlementsClient; and, from Python's own client, the types of its asyncio twin. Beside
them stands the list of the methods that are safe to send twice. Nobody edits those by hand.
"""

import ast
import json
import keyword
import pathlib
import subprocess
import sys
import textwrap

import swift

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENT = json.loads((HERE / "../../proto/openrpc.json").read_text())
SCHEMAS = DOCUMENT["components"]["schemas"]
SWIFT = HERE.parents[1] / "Sources/EntitlementsClient/Types"
BY = "Made by contrib/clients/generate.py from proto/openrpc.json."
# These stay open, or are another language's document.
SPECIAL = ("watch", "rpc.discover")


class Record:
    """An object with named members: one type in each language."""

    def __init__(self, name, schema, about, is_sent):
        self.name, self.about, self.is_sent = name, about, is_sent
        self.required = set(schema.get("required", ()))
        self.members = schema.get("properties", {})


class Reader:
    """All records of the document, those within others behind the ones that need them."""

    def __init__(self):
        self.records = {}
        for name, schema in SCHEMAS.items():
            if "properties" in schema:
                self.add(name, schema)
        self.methods = [method for method in DOCUMENT["methods"] if method["name"] not in SPECIAL]
        for method in self.methods:
            title = capital(method["name"])
            properties = {param["name"]: {**param["schema"], "description": param.get("summary", "")}
                          for param in method["params"]}
            required = [param["name"] for param in method["params"] if param.get("required")]
            self.add(f"{title}Params", {"properties": properties, "required": required},
                     f"The parameters of {method['name']}.", is_sent=True)
            result = method["result"]["schema"]
            if "$ref" not in result:
                about = result.get("description") or f"What {method['name']} answers."
                self.add(f"{title}Result", result, about)

    def result(self, method):
        reference = method["result"]["schema"].get("$ref")
        return reference.rsplit("/", 1)[1] if reference else capital(method["name"]) + "Result"

    def add(self, name, schema, about=None, is_sent=False):
        if name in self.records:
            sys.exit(f"two records are called {name}")
        record = Record(name, schema, about or schema.get("description"), is_sent)
        self.records[name] = record
        for member, inner in record.members.items():
            self.look(inner, name, member)

    def look(self, schema, parent, member):
        """Names the records within; a schema that is one keeps its name in `x-name`."""
        if "properties" in schema:
            name = self.inner_name(parent, member)
            schema["x-name"] = name
            self.add(name, schema)
        for inner in schema.get("anyOf", ()):
            self.look(inner, parent, member)
        if "items" in schema:
            self.look(schema["items"], parent, singular(member))

    def inner_name(self, parent, member):
        name = parent.removesuffix("Result").removesuffix("Params") + capital(member)
        # restorePurchases has `results` within its result.
        return f"{name}Item" if name in self.records else name


def singular(name):
    """What one element of a list is called."""
    for plural, single in (("ies", "y"), ("ches", "ch"), ("xes", "x"), ("s", "")):
        if name.endswith(plural):
            return name.removesuffix(plural) + single
    return name


def capital(name):
    return name[0].upper() + name[1:]


def said(schema):
    """What a schema says of itself, or where it is another one's name, that one."""
    other = SCHEMAS.get(schema.get("$ref", "").rpartition("/")[2], {})
    return schema.get("description", other.get("description"))


def meaning(schema):
    """(kind, what of it, whether null is allowed): what a schema says, without its bounds."""
    for several in ("anyOf", "oneOf"):
        if several in schema:
            others = [inner for inner in schema[several] if inner.get("type") != "null"]
            has_null = len(others) < len(schema[several])
            if len(others) > 1:
                return "any", None, has_null
            kind, what, is_null = meaning(others[0])
            return kind, what, is_null or has_null
    if "allOf" in schema:
        return meaning(schema["allOf"][0])
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return ("record", name, False) if "properties" in SCHEMAS[name] else meaning(SCHEMAS[name])
    if "enum" in schema:
        return "words", schema, None in schema["enum"]
    if schema.get("format") == "date-time":
        return "time", None, False
    types = schema.get("type", "any")
    types = types if isinstance(types, list) else [types]
    known = [one for one in types if one != "null"]
    is_null = len(known) < len(types)
    if len(known) != 1:
        return "any", None, is_null
    if known[0] == "array":
        return "list", schema.get("items", {}), is_null
    if known[0] == "object":
        if "x-name" in schema:
            return "record", schema["x-name"], is_null
        values = schema.get("additionalProperties")
        return "map", values if isinstance(values, dict) else {}, is_null
    return known[0], None, is_null


def typescript(reader):
    def of(schema, is_sent):
        kind, what, is_null = meaning(schema)
        if schema.get("const") is True:
            name = "true"
        elif kind == "words":
            words = " | ".join(json.dumps(word) for word in what["enum"] if word is not None)
            name = words if is_sent else f"Word<{words}>"
        elif kind == "list":
            name = f"Array<{of(what, is_sent)}>"
        elif kind == "map":
            name = f"Record<string, {of(what, is_sent)}>"
        elif kind == "any":
            name = "unknown"
        else:
            name = {"integer": "number", "time": "string", "record": what}.get(kind, kind)
        return f"{name} | null" if is_null and name != "unknown" else name

    lines = [f"// {BY}", "", "/** A word that a newer daemon may add to. */",
             "export type Word<Known extends string> = Known | (string & {});"]
    for record in reader.records.values():
        lines += ["", *comment(record.about, "/** ", " */"), f"export interface {record.name} {{"]
        for member, schema in record.members.items():
            mark = "" if member in record.required else "?"
            lines += ["  " + line for line in comment(said(schema), "/** ", " */")]
            lines.append(f"  {member}{mark}: {of(schema, record.is_sent)};")
        lines.append("}")
    lines += ["", "/** Every method: what it takes, and what it answers. */", "export interface Methods {"]
    for method in reader.methods:
        title = capital(method["name"])
        lines.append(f"  {method['name']}: {{ params: {title}Params; result: {reader.result(method)} }};")
    return "\n".join([*lines, "}", ""])


def python(reader):
    def of(schema):
        kind, what, is_null = meaning(schema)
        names = {"integer": "int", "string": "str", "boolean": "bool", "number": "float", "any": "Any",
                 "words": "str", "time": "str", "record": f'"{what}"'}
        if kind == "list":
            name = f"list[{of(what)}]"
        elif kind == "map":
            name = f"dict[str, {of(what)}]"
        else:
            name = names[kind]
        return f"Optional[{name}]" if is_null and name != "Any" else name

    def members(record, names):
        lines = []
        for name in names:
            # A class cannot name it; it is there all the same.
            if keyword.iskeyword(name):
                continue
            lines += comment(said(record.members[name]), "# ", "", "# ")
            lines.append(f"{name}: {of(record.members[name])}")
        return ["    " + line for line in lines or ["pass"]]

    lines = [f'"""{BY}', "",
             "Dictionaries, as the daemon answers them; words are `str`: a newer daemon may add to them.",
             '"""', "", "from typing import Any, Optional, TypedDict"]
    for record in reader.records.values():
        if record.is_sent:
            continue
        required = [name for name in record.members if name in record.required]
        optional = [name for name in record.members if name not in record.required]
        base = "TypedDict"
        if required and optional:
            lines += ["", "", f"class _{record.name}(TypedDict):", *members(record, required)]
            base = f"_{record.name}"
        end = ", total=False" if optional else ""
        lines += ["", "", f"class {record.name}({base}{end}):"]
        lines += ["    " + line for line in comment(record.about, '"""', '"""')]
        lines += members(record, optional or required)
    return "\n".join([*lines, ""])


INITIALS = {"id": "ID", "url": "URL", "uid": "UID", "jws": "JWS", "api": "API"}


def go_name(name):
    """userId is UserID, getManagementURL is GetManagementURL."""
    parts, word = [], ""
    for letter in name:
        if letter.isupper() and word and not word[-1].isupper():
            parts.append(word)
            word = ""
        word += letter
    parts.append(word)
    return "".join(INITIALS.get(part.lower(), INITIALS[part[:-1].lower()] + "s"
                                if part.endswith("s") and part[:-1].lower() in INITIALS else capital(part))
                   for part in parts)


def go(reader):
    def of(schema, is_optional):
        kind, what, is_null = meaning(schema)
        if kind == "list":
            return "[]" + of(what, False)
        if kind == "map":
            return "map[string]" + of(what, False)
        if kind == "any":
            return "any"
        name = {"integer": "int64", "string": "string", "boolean": "bool", "number": "float64",
                "words": "string", "time": "string", "record": go_name(what) if kind == "record" else ""}[kind]
        return f"*{name}" if is_null or is_optional else name

    lines = [f"// {BY} DO NOT EDIT.", "", "package entitld", "", 'import "context"']
    for record in reader.records.values():
        about = f"{go_name(record.name)}: {record.about}" if record.about else f"{go_name(record.name)} is an object of proto/openrpc.json."
        lines += ["", *comment(about, "// ", "", "// "), f"type {go_name(record.name)} struct {{"]
        for member, schema in record.members.items():
            is_optional = member not in record.required
            lines += ["\t" + line for line in comment(said(schema), "// ", "", "// ")]
            omit = ",omitempty" if is_optional else ""
            lines.append(f"\t{go_name(member)} {of(schema, is_optional)} `json:\"{member}{omit}\"`")
        lines.append("}")
    for method in reader.methods:
        title, result = go_name(method["name"]), go_name(reader.result(method))
        about = f"{title}: {method['summary']} {method.get('description', '')}".strip()
        lines += ["", *comment(about, "// ", "", "// "),
                  f"func (c *Client) {title}(ctx context.Context, params {go_name(capital(method['name']) + 'Params')}) (*{result}, error) {{",
                  f"\tvar result {result}",
                  f"\tif err := c.call(ctx, {json.dumps(method['name'])}, params, &result); err != nil {{",
                  "\t\treturn nil, err", "\t}", "\treturn &result, nil", "}"]
    return "\n".join([*lines, ""])


def comment(text, begin, end, between=None):
    """The text as lines of a comment; none for no text."""
    if not text:
        return []
    lines = textwrap.wrap(text, 96)
    if between is None:
        if len(lines) == 1:
            return [begin + lines[0] + end]
        return [begin.rstrip(), *(" * " + line for line in lines), end] if begin != '"""' else [begin + lines[0], *lines[1:], end]
    return [begin + lines[0], *(between + line for line in lines[1:])]


def asyncio_stub():
    """The types of `entitld.aio`, whose methods are those of `entitld.Client`, each awaited."""
    lines = ["# Made by contrib/clients/generate.py from client.py.", "",
             "from typing import Any, AsyncIterator, Dict, Iterable, List, Optional, Sequence, Tuple", "",
             "from . import types", "from .errors import EntitldError as EntitldError",
             "from .errors import Unavailable as Unavailable", "from .errors import UnknownOutcome as UnknownOutcome", "",
             "class AsyncClient:"]
    tree = ast.parse((HERE / "python/entitld/client.py").read_text())
    client = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Client")
    for method in (node for node in client.body if isinstance(node, ast.FunctionDef)):
        arguments, kind = ast.unparse(method.args), "async def"
        result = ast.unparse(method.returns) if method.returns else "None"
        if method.name == "__init__":
            kind, arguments = "def", f"{arguments}, *, connections: int=8"
        elif method.name == "watch":
            kind, result = "def", result.replace("Iterator", "AsyncIterator")
        elif method.name.startswith("_") or method.name == "close":
            continue
        lines.append(f"    {kind} {method.name}({arguments}) -> {result}: ...".replace("FRAME_BYTES_MAX", "..."))
    return "\n".join([*lines, "    async def __aenter__(self) -> 'AsyncClient': ...",
                      "    async def __aexit__(self, *_: object) -> None: ...", "    async def aclose(self) -> None: ...", ""])


def repeatable():
    """The list of `x-repeatable` methods in each language, by its file."""
    names = [method["name"] for method in DOCUMENT["methods"] if method.get("x-repeatable")]
    about = "To send these twice does no harm, and they need no key for that."

    def quoted(indent, width=95):
        return [indent + line for line in textwrap.wrap(", ".join(map(json.dumps, names)) + ",", width)]

    python = [f'"""{BY}"""', "", f"# {about}", "REPEATABLE_METHODS = frozenset((", *quoted("    "), "))", ""]
    node = [f"// {BY}", "", '"use strict";', "", f"/** {about} */", "const REPEATABLE_METHODS = new Set([",
            *quoted("  "), "]);", "", "module.exports = { REPEATABLE_METHODS };", ""]
    go = [f"// {BY} DO NOT EDIT.", "", "package entitld", "", f"// {about}", "var repeatableMethods = names(",
          *quoted("\t"), ")", ""]
    kept = [f"// {BY}", "", f"/// {about}", "enum RepeatableMethods {",
            "    static let names: Set<String> = [", *quoted("        ", 90), "    ]", "}", ""]
    return {HERE / "python/entitld/repeatable.py": "\n".join(python),
            HERE / "node/repeatable.js": "\n".join(node), HERE / "go/repeatable.go": "\n".join(go),
            SWIFT / "RepeatableMethods.swift": "\n".join(kept)}


def gofmt(text):
    """As `gofmt` aligns it: the file that is checked in is that of a machine that has Go."""
    return subprocess.run(["gofmt"], input=text, capture_output=True, text=True, check=True).stdout


def main():
    reader = Reader()
    texts = {HERE / "node/types.d.ts": typescript(reader), HERE / "python/entitld/types.py": python(reader),
             HERE / "python/entitld/aio.pyi": asyncio_stub(), HERE / "go/types.go": gofmt(go(reader))}
    for name, text in swift.files(reader, SCHEMAS, meaning, said, BY).items():
        texts[SWIFT / name] = text
    texts |= repeatable()
    # A type that is gone from the tables leaves its file.
    stale = [file for file in SWIFT.glob("*") if file not in texts]
    stale += [file for file, text in texts.items() if not file.exists() or file.read_text() != text]
    if "--check" in sys.argv[1:]:
        if stale:
            names = ", ".join(file.name for file in stale)
            sys.exit(f"{names}: not what proto/openrpc.json says; run contrib/clients/generate.py")
        return
    for file in stale:
        if file in texts:
            file.parent.mkdir(exist_ok=True)
            file.write_text(texts[file])
        else:
            file.unlink()


if __name__ == "__main__":
    main()
