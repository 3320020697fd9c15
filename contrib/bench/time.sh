#!/usr/bin/env bash
# What time does to a daemon, and what watchers cost it: how late a watcher hears of an end, what
# reads and writes feel while many accounts end within a minute, and how much memory many watchers
# take while much is written. The storefront cannot be reached in any of it.
#
# BIN is the directory of the programs (make release). ENDS is how many accounts end in one minute,
# LEAD how many seconds giving them their grants may take; WATCHERS how many watch, RATE how many
# commits a second they are told of, SECONDS_WATCHED for how long. With 0 ENDS or WATCHERS that part
# is left out.
set -euo pipefail

source "$(dirname "$0")/lib.sh"
ends=${ENDS:-1000000}
lead=${LEAD:-$((ends / 4000 + 10))}
watchers=${WATCHERS:-1000}
rate=${RATE:-5000}
seconds=${SECONDS_WATCHED:-90}
accounts=20000

"$BIN/entitlbench" sign --documents 0 --accounts 1 --press "$home/press"

# Nobody listens at that port: every question to the store fails.
key="$home/api.p8"
openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$key" 2>/dev/null
chmod 600 "$key"
eval "plain_$(declare -f write_configuration)"
write_configuration() {
    plain_write_configuration "$1"
    sed -i "s|^  rootCertificateFiles:.*|&\n  api: { issuerId: 00000000-0000-4000-8000-000000000000, keyId: ABCDEFGHIJ,\
 privateKeyFile: $key, baseURL: http://127.0.0.1:9 }|" "$home/entitld.yaml"
}

# MiB that are in no file, and of files, the map among them.
memory() {
    awk '/^RssAnon/ { a = $2 } /^RssFile/ { f = $2 } END { print int(a / 1024), int(f / 1024) }' \
        "/proc/$daemon/status"
}

client_behind() { taskset -c 1 nice -n 19 "$BIN/entitlbench" "$@"; }

# As many as the core takes: 20 connections ask as soon as they are answered.
read_and_write() {
    client --load mixed --to "$home/rpc.sock" --accounts "$accounts" --connections 20 \
        --warm-up 0.5 --duration 10 --run "$1"
}

# 20,000 reads and 1,000 charges a second, whether or not they are answered.
read_and_write_at_a_rate() {
    local options=(--to "$home/rpc.sock" --accounts "$accounts" --connections 20)
    options+=(--warm-up 0.5 --duration 10)
    client --load consume "${options[@]}" --rate 1000 --run "$1" >"$home/charges.txt" &
    client --load can-render "${options[@]}" --rate 20000
    wait $!
    cat "$home/charges.txt"
}

# Gives that many accounts access that ends within one minute, and waits until it begins to end.
expire() {
    say "$ends accounts that end within one minute, heard by one watcher"
    client watch-expiry --admin "$home/admin.sock" --expiries "$ends" --over 60 --lead "$lead" \
        >"$home/ends.txt" 2>&1 &
    expiring=$!
    started+=("$expiring")
    sleep "$((lead + 10))"
}

all_expired() {
    wait "$expiring" || fail "not every end was heard: $(<"$home/ends.txt")"
    cat "$home/ends.txt"
}

start_daemon "$home/data"
seed "$accounts"

say "1,000 ends, the daemon idle"
client watch-expiry --admin "$home/admin.sock" --expiries 1000 --over 5

if [ "$ends" -gt 0 ]; then
    say "20,000 reads and 1,000 charges a second, alone"
    read_and_write_at_a_rate 1
    expire
    say "the same reads and charges meanwhile"
    read_and_write_at_a_rate 2
    all_expired

    say "as many reads and charges as the core takes, alone"
    read_and_write 3
    expire
    say "the same meanwhile"
    read_and_write 4
    all_expired
fi

if [ "$watchers" -eq 0 ]; then
    stop_daemon
    exit
fi

say "$watchers watchers, half of whom never read, and $rate commits a second for $seconds s"
commit() {
    client --load consume --to "$home/rpc.sock" --accounts "$accounts" --connections 50 \
        --rate "$rate" --warm-up 0.5 --duration "$1" --run "$2"
}
commit 10 5
read -r anonymous_before mapped_before <<<"$(memory)"
# It leaves the processor to the client that measures.
client_behind watch-crowd --to "$home/rpc.sock" --readers $((watchers / 2)) \
    --sleepers $((watchers - watchers / 2)) --duration "$((seconds + 10))" >"$home/crowd.txt" &
crowd=$!
started+=("$crowd")
(
    while kill -0 "$crowd" 2>/dev/null; do
        memory
        sleep 5
    done >"$home/memory.txt"
) &
sampler=$!
started+=("$sampler")
sleep 3
commit "$seconds" 6
wait "$crowd" || fail "a watcher that reads was cut off: $(<"$home/crowd.txt")"
wait "$sampler"
cat "$home/crowd.txt"
echo "anonymous memory: $anonymous_before MiB before, then every 5 s:" \
    "$(awk '{ printf "%s ", $1 }' "$home/memory.txt")MiB"
echo "pages of files: $mapped_before MiB before, then:" \
    "$(awk '{ printf "%s ", $2 }' "$home/memory.txt")MiB"
awk '
    { a[NR] = $1 }
    END {
        for (i = 1; i <= NR; i++) {
            if (i <= NR / 2) { if (a[i] > early) early = a[i] }
            else if (a[i] > late) late = a[i]
        }
        printf "anonymous memory at most: %d MiB in the first half, ", early
        printf "%d MiB in the second\n", late
    }' "$home/memory.txt"
stop_daemon
