#!/usr/bin/env python3
"""Writes proto/openrpc.json into the Swift file that rpc.discover serves it from.

    proto/embed.py           writes Sources/Methods/OpenRPCDocument.swift
    proto/embed.py --check   exits 1 if that file is not what would be written
"""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCUMENT = ROOT / "proto" / "openrpc.json"
TARGET = ROOT / "Sources" / "Methods" / "OpenRPCDocument.swift"
COLUMNS = 98

HEADER = '''\
// swift-format-ignore-file
// Written by proto/embed.py from proto/openrpc.json; change that, and run it again.

/// The OpenRPC document that `rpc.discover` answers.
package enum OpenRPCDocument {
    /// Compact JSON: what proto/openrpc.json says, in the same order.
    package static let text: String = #"""
'''


def swift_source() -> str:
    document = json.loads(DOCUMENT.read_text(encoding="utf-8"))
    text = json.dumps(document, separators=(",", ":"), ensure_ascii=False)
    for forbidden in ('"""#', "\\#", "\n"):
        if forbidden in text:
            raise SystemExit(f"{DOCUMENT}: a raw string cannot hold {forbidden!r}")
    lines = [text[start : start + COLUMNS] for start in range(0, len(text), COLUMNS)]
    # A backslash and # at the end of a line of a raw string continues it on the next.
    return HEADER + "\\#\n".join(lines) + '\n"""#\n}\n'


def main() -> int:
    source = swift_source()
    if "--check" in sys.argv[1:]:
        is_current = TARGET.exists() and TARGET.read_text(encoding="utf-8") == source
        if not is_current:
            print(f"{TARGET.relative_to(ROOT)} is not current: run proto/embed.py", file=sys.stderr)
        return 0 if is_current else 1
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(source, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
