"""One run of pgbench, told in the shape of entitlbench --json.

postgres.py BIN SOCKET_DIRECTORY SCRIPT CLIENTS SECONDS ACCOUNTS WORK_DIRECTORY
"""

import glob
import json
import os
import subprocess
import sys


def main(tool, sockets, script, clients, seconds, accounts, work):
    prefix = os.path.join(work, "pgbench")
    command = [
        tool, "-h", sockets, "-U", "postgres", "-d", "postgres", "-n", "-f", script, "-M",
        "prepared", "-c", clients, "-j", "1", "-T", seconds, "-D", f"accounts={accounts}",
        "--log", "--log-prefix", prefix,
    ]  # fmt: skip
    told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rate = next(float(line.split()[2]) for line in told.splitlines() if line.startswith("tps"))
    took = []
    for path in glob.glob(prefix + ".*"):
        with open(path) as log:
            took += [int(line.split()[2]) for line in log]
        os.unlink(path)
    took.sort()

    def quantile(share):
        return took[min(len(took) - 1, int(share * len(took)))]

    latency = {"p50": quantile(0.5), "p99": quantile(0.99), "p999": quantile(0.999)}
    errors = sum("number of failed transactions: 0" not in line and "failed" in line
                 for line in told.splitlines())  # fmt: skip
    print(json.dumps({
        "perSecond": rate, "replies": len(took), "positives": len(took), "errors": errors,
        "latency": latency,
    }))  # fmt: skip


main(*sys.argv[1:])
