"""What a stopped daemon has in its files: pages and rows of each table, bytes of the journal."""

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

PAGE = 4096
NO_PAGE = 2**64 - 1
# Where the bytes of a segment end is looked for in pieces: it is written ahead with zeros.
PIECE = 1 << 20


@dataclass
class Tree:
    """The pages that a table takes, and its rows."""

    bytes: int
    rows: int


def tables(store):
    """Every table of data.mdb, by its name.

    LMDB 0.9: a page begins with u64 number, u16 -, u16 flags (1 branch, 2 leaf), u16 lower, u16
    upper, then u16 offsets of nodes up to lower; a node is u16 low, u16 high, u16 flags (2: a
    table), u16 bytes of the key, and the key. A table is u32 -, u16 flags, u16 depth, u64 branch
    pages, u64 leaf pages, u64 overflow pages, u64 rows, u64 root. Of the two meta pages the one of
    the later transaction holds.
    """
    with open(Path(store) / "data.mdb", "rb") as file:
        data = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
    meta = max((0, PAGE), key=lambda at: struct.unpack_from("<Q", data, at + 144)[0])
    found = {}

    def walk(page):
        start = page * PAGE
        flags, lower = struct.unpack_from("<HH", data, start + 10)
        for slot in range((lower - 16) // 2):
            node = start + struct.unpack_from("<H", data, start + 16 + 2 * slot)[0]
            low, high, more, key_bytes = struct.unpack_from("<HHHH", data, node)
            value = node + 8 + key_bytes
            if flags & 1:
                walk(low | high << 16 | more << 32)
            elif more & 2:
                branch, leaf, overflow, rows = struct.unpack_from("<QQQQ", data, value + 8)
                name = data[node + 8 : value].decode()
                found[name] = Tree((branch + leaf + overflow) * PAGE, rows)

    root = struct.unpack_from("<Q", data, meta + 88 + 40)[0]
    if root != NO_PAGE:
        walk(root)
    data.close()
    return found


def view_bytes(store):
    """The pages of all tables: without those that are free."""
    return sum(tree.bytes for tree in tables(store).values())


def journal_bytes(store):
    """What the segments hold, without the zeros that are written ahead."""
    return sum(written(path) for path in (Path(store) / "journal").glob("*.segment"))


def written(path):
    """Up to where a file holds something."""
    end = path.stat().st_size
    with open(path, "rb") as file:
        while end > 0:
            begin = max(0, end - PIECE)
            file.seek(begin)
            piece = file.read(end - begin).rstrip(b"\0")
            if piece:
                return begin + len(piece)
            end = begin
    return 0
