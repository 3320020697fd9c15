#!/usr/bin/env bash
# Starts the demo STARTS times in a row while every core is busy, and stops at the first that fails.
#
# BIN is the directory of the programs. Each start makes a store and its chain, starts the store's
# API and a daemon, asks the daemon, and stops both.
set -euo pipefail
here=$(dirname "$0")

STARTS=${STARTS:-50}
# So many busy loops for each core: a background process then comes late.
BUSY_PER_CORE=${BUSY_PER_CORE:-4}

busy=()
stop_busy() { [ ${#busy[@]} = 0 ] || kill "${busy[@]}" 2>/dev/null || true; }
trap stop_busy EXIT
for _ in $(seq $(($(nproc) * BUSY_PER_CORE))); do
    nice -n 5 bash -c 'while :; do :; done' &
    busy+=($!)
done

output=$(mktemp)
for start in $(seq "$STARTS"); do
    if ! bash "$here/demo.sh" --start-only >"$output" 2>&1; then
        echo "demo-soak: start $start of $STARTS failed:" >&2
        cat "$output" >&2
        rm -f "$output"
        exit 1
    fi
done
rm -f "$output"
echo "demo-soak: $STARTS starts, none failed"
