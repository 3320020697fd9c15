#!/usr/bin/env bash
# What canRender must not do: allocate, or wait for a lock. Counts both over at least 100,000
# requests of a warm daemon and leaves with 1 when there was one. Allocations are counted of all
# threads but `scrub`, which compares the files with their sums all the time; waits of the threads
# that answer.
#
# BIN is the directory of the programs (make release).
set -euo pipefail

source "$(dirname "$0")/lib.sh"
requests=100000
accounts=20000

install cc gcc libc6-dev
install strace strace
cc -O2 -shared -fPIC -o "$home/allocations.so" "$here/peers/allocations.c"
"$BIN/entitlbench" sign --documents 0 --accounts 1 --press "$home/press"

# member NAME JSON: the number of a member of one flat object or of its `server`.
member() { sed -n "s/.*\"$1\":\(-\{0,1\}[0-9]*\).*/\1/p" <<<"$2"; }

failures=0
# As most daemons are configured, and with every setting by which an answer depends on who asks.
for IDS in names tokens; do
    start_daemon "$home/$IDS" env ALLOCATIONS_FILE="$home/allocations" ALLOCATIONS_BUT=scrub \
        LD_PRELOAD="$home/allocations.so"
    seed "$accounts"
    before=$(od -An -td8 "$home/allocations")
    [ "$before" -gt 0 ] || fail "the shim counts nothing"
    for flight in 1 16; do
        found=$(client --load can-render --to "$home/rpc.sock" --accounts "$accounts" \
            --names "$(names)" --connections 50 --in-flight "$flight" --warm-up 2 --duration 3 \
            --server-pid "$daemon" --counter "$home/allocations" --json)
        replies=$(member replies "$found")
        allocations=$(member allocations "$found")
        echo "canRender, ids are $IDS, 50 connections x $flight: $allocations allocations" \
            "in $replies requests"
        [ "$replies" -ge "$requests" ] || fail "too few requests"
        [ "$(member positives "$found")" -gt 0 ] || fail "nobody may render"
        [ "$allocations" -eq 0 ] || failures=$((failures + 1))
    done
    stop_daemon
done

# Again without the shim, watched by strace: each request is one read of a connection.
IDS=tokens
start_daemon "$home/tokens"
client --load can-render --to "$home/rpc.sock" --accounts "$accounts" --names "$(names)" \
    --connections 50 --warm-up 1 --duration 60 --json >"$home/watched.json" &
watched=$!
started+=("$watched")
sleep 2
answering=$(grep -l '^rpc-' /proc/"$daemon"/task/*/comm | cut -d/ -f5 | paste -sd,)
[ -n "$answering" ] || fail "no thread answers"
strace -c -e trace=futex,recvfrom -o "$home/strace.txt" -p "$answering" 2>"$home/strace.log" &
tracer=$!
started+=("$tracer")
sleep 25
kill -INT "$tracer"
wait "$tracer" || true
end "$watched"
grep -q recvfrom "$home/strace.txt" || fail "strace saw nothing: $(<"$home/strace.log")"
# Columns: % time, seconds, usecs/call, calls, errors (may be empty), syscall.
count() { awk -v name="$1" '$NF == name { calls = $4 - (NF == 6 ? $5 : 0) } END { print calls + 0 }' \
    "$home/strace.txt"; }
calls() { awk -v name="$1" '$NF == name { calls = $4 } END { print calls + 0 }' "$home/strace.txt"; }
echo "canRender, 50 connections x 1, under strace: $(calls futex) futex calls in" \
    "$(count recvfrom) requests"
[ "$(count recvfrom)" -ge "$requests" ] || fail "too few requests under strace"
[ "$(calls futex)" -eq 0 ] || failures=$((failures + 1))

[ "$failures" -eq 0 ] || fail "the hot path allocates or waits"
echo "canRender allocates nothing and waits for no lock."
