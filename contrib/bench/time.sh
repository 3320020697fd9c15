#!/usr/bin/env bash
# What time does to a daemon, and what watchers cost it: how late a watcher hears of an end, what
# reads and writes feel while many accounts end within a minute, and how much memory many watchers
# take while much is written. The storefront cannot be reached in any of it.
#
# BIN is the directory of the programs (make release). ENDS is how many accounts end in one minute,
# LEAD how many seconds giving them their grants may take, WATCHERS how many watch, RATE how many
# commits a second they are told of.
set -euo pipefail

source "$(dirname "$0")/lib.sh"
ends=${ENDS:-1000000}
lead=${LEAD:-$((ends / 4000 + 10))}
watchers=${WATCHERS:-1000}
rate=${RATE:-5000}
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

resident() { awk '/^VmRSS/ { print $2 }' "/proc/$daemon/status"; }
read_and_write() {
    local seconds=$1 run=$2
    client --load mixed --to "$home/rpc.sock" --accounts "$accounts" --connections 20 \
        --warm-up 0.5 --duration "$seconds" --run "$run"
}

start_daemon "$home/data"
seed "$accounts"

say "1,000 ends, the daemon idle"
client watch-expiry --admin "$home/admin.sock" --expiries 1000 --over 5

say "reads and writes, alone"
read_and_write 10 1
say "$ends accounts that end within one minute; the same reads and writes meanwhile"
client watch-expiry --admin "$home/admin.sock" --expiries "$ends" --over 60 --lead "$lead" \
    >"$home/ends.txt" 2>&1 &
expiring=$!
started+=("$expiring")
sleep "$((lead + 10))"
read_and_write 10 2
sleep 5
read_and_write 10 3
wait "$expiring" || fail "not every end was heard: $(<"$home/ends.txt")"
cat "$home/ends.txt"

say "$watchers watchers, half of whom never read, and $rate commits a second"
client --load consume --to "$home/rpc.sock" --accounts "$accounts" --connections 50 --rate "$rate" \
    --warm-up 0.5 --duration 10 --run 4
before=$(resident)
client watch-crowd --to "$home/rpc.sock" --readers $((watchers / 2)) \
    --sleepers $((watchers - watchers / 2)) --duration 30 >"$home/crowd.txt" &
crowd=$!
started+=("$crowd")
(
    while kill -0 "$crowd" 2>/dev/null; do
        echo "$(($(resident) / 1024))"
        sleep 3
    done >"$home/memory.txt"
) &
sampler=$!
started+=("$sampler")
sleep 3
client --load consume --to "$home/rpc.sock" --accounts "$accounts" --connections 50 --rate "$rate" \
    --warm-up 0.5 --duration 20 --run 5
wait "$crowd" || fail "a watcher that reads was cut off: $(<"$home/crowd.txt")"
wait "$sampler"
cat "$home/crowd.txt"
echo "memory: $((before / 1024)) MiB before, then every 3 s: $(tr '\n' ' ' <"$home/memory.txt")MiB"
stop_daemon
