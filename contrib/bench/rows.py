#!/usr/bin/env python3
"""Prints what the rows of each table take in a store: contrib/bench/rows.py DIRECTORY

Of the daemon's data directory, or of a copy; it may run meanwhile. Bytes a row are those of the
pages of its table, free room in them included, divided by the number of rows. Reads the statistics
that LMDB keeps of each table, and no row.
"""

import ctypes
import sys

lmdb = ctypes.CDLL("liblmdb.so.0")
MDB_RDONLY = 0x20000
MDB_NEXT = 8


class Stat(ctypes.Structure):
    _fields_ = [("page", ctypes.c_uint), ("depth", ctypes.c_uint)] + [
        (name, ctypes.c_size_t) for name in ("branch", "leaf", "overflow", "entries")
    ]


class Value(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("data", ctypes.c_void_p)]


def check(code: int) -> None:
    if code != 0:
        lmdb.mdb_strerror.restype = ctypes.c_char_p
        sys.exit(f"rows: {lmdb.mdb_strerror(code).decode()}")


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    environment, transaction, cursor = (ctypes.c_void_p() for _ in range(3))
    check(lmdb.mdb_env_create(ctypes.byref(environment)))
    check(lmdb.mdb_env_set_maxdbs(environment, 64))
    check(lmdb.mdb_env_open(environment, sys.argv[1].encode(), MDB_RDONLY, 0o600))
    check(lmdb.mdb_txn_begin(environment, None, MDB_RDONLY, ctypes.byref(transaction)))
    tables, main_table = [], ctypes.c_uint()
    check(lmdb.mdb_dbi_open(transaction, None, 0, ctypes.byref(main_table)))
    check(lmdb.mdb_cursor_open(transaction, main_table, ctypes.byref(cursor)))
    key, value = Value(), Value()
    while lmdb.mdb_cursor_get(cursor, ctypes.byref(key), ctypes.byref(value), MDB_NEXT) == 0:
        tables.append(ctypes.string_at(key.data, key.size))
    print(f"{'table':<16}{'rows':>12}{'pages':>10}{'bytes a row':>14}")
    for name in sorted(tables):
        table, stat = ctypes.c_uint(), Stat()
        check(lmdb.mdb_dbi_open(transaction, name, 0, ctypes.byref(table)))
        check(lmdb.mdb_stat(transaction, table, ctypes.byref(stat)))
        pages = stat.branch + stat.leaf + stat.overflow
        each = pages * stat.page / stat.entries if stat.entries else 0
        print(f"{name.decode():<16}{stat.entries:>12,}{pages:>10,}{each:>14.1f}")
    lmdb.mdb_txn_abort(transaction)
    lmdb.mdb_env_close(environment)


if __name__ == "__main__":
    main()
