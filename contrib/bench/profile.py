"""Sorts a perf profile of the daemon's RPC thread by where the time goes.

profile.py PERF.data MICROSECONDS: the second is what one request costs, to share out.
"""

import re
import subprocess
import sys

# First match wins. A library is tried before the names in it.
LIBRARIES = [("kernel", "socket (kernel)"), ("lmdb", "look-up"), ("vdso", "clock")]
NAMES = [
    (r"Ledger|LMDB|PooledReader|memcmp|crc32c|AccountRecord", "look-up"),
    (r"JSON|RequestReader|RequestDraft|FrameDecoder|ParamsView|FrameDriver|Decoded", "parse"),
    (r"ReplyBuffer|TimeText|JSONSink|FlatObject", "reply"),
    (r"MethodWorker|MethodService", "methods"),
    (r"Entitlements|Answer|Decision|Policy", "decision"),
    (r"RPCLoop|Sockets|linux_|^syscall|Slab", "loop"),
    (r"swift_(retain|release)|RefCount", "runtime: retain, release"),
    (r"Access", "runtime: exclusivity checks"),
]


def part(library, name):
    for word, found in LIBRARIES:
        if word in library:
            return found
    for pattern, found in NAMES:
        if re.search(pattern, name):
            return found
    return "other"


def main(path, microseconds):
    command = ["perf", "report", "-i", path, "--no-children", "--stdio", "-g", "none",
               "--sort", "dso,symbol", "--comm", "rpc-0"]  # fmt: skip
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    try:
        told = subprocess.run(
            ["swift", "demangle", "--simplified"], input=told, capture_output=True, text=True
        ).stdout
    except FileNotFoundError:
        pass
    shares = {}
    for line in told.splitlines():
        found = re.match(r"\s*([\d.]+)%\s+(\S+)\s+\[[.k]\]\s+(.*)", line)
        if found:
            key = part(found[2], found[3])
            shares[key] = shares.get(key, 0) + float(found[1])
    whole = sum(shares.values())
    for key, share in sorted(shares.items(), key=lambda pair: -pair[1]):
        print(f"{key:30}{share / whole:7.1%}{share / whole * microseconds:8.2f} us")


main(sys.argv[1], float(sys.argv[2]))
