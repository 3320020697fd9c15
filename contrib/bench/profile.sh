#!/usr/bin/env bash
# Where the time of canRender goes, by perf: socket, parse, look-up, decision, reply.
#
#   BIN       the programs (make release)
#   ACCOUNTS  how many accounts; 1000000
#   SEEDED    a directory that bench.sh has kept stores in; none
set -euo pipefail

source "$(dirname "$0")/lib.sh"
ACCOUNTS=${ACCOUNTS:-1000000}
SEEDED=${SEEDED:-}
install perf linux-perf
install python3 python3
if [ -n "$SEEDED" ] && [ -d "$SEEDED/$ACCOUNTS" ]; then
    cp -r "$SEEDED/press" "$home/press"
    cp -r --sparse=always "$SEEDED/$ACCOUNTS" "$home/data"
    start_daemon "$home/data"
else
    "$BIN/entitlbench" sign --documents 0 --accounts 1 --press "$home/press"
    start_daemon "$home/data"
    seed "$ACCOUNTS"
fi
for flight in 1 16; do
    client --load can-render --to "$home/rpc.sock" --accounts "$ACCOUNTS" --in-flight "$flight" \
        --warm-up 2 --duration 6 --server-pid "$daemon" --json >"$home/result.json" &
    load=$!
    sleep 3
    perf record -q -F 1999 -g -p "$daemon" -o "$home/perf.data" -- sleep 4
    wait "$load"
    each=$(python3 -c 'import json, sys
print(json.load(sys.stdin)["server"]["microsecondsPerOperation"])' <"$home/result.json")
    echo "canRender, 50 connections x $flight: $each us of processor for each"
    python3 "$here/profile.py" "$home/perf.data" "$each"
done
