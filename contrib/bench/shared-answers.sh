#!/usr/bin/env bash
# How long a check takes with shared answers, and without, in each client that has them.
#
# BIN is the directory of the programs; Go and a C compiler are needed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
clients=$here/../clients
home=$(mktemp -d /tmp/shared-answers.XXXXXX)
BIN=$(cd "${BIN:-.build/release}" && pwd)
daemon=
trap '[ -z "$daemon" ] || kill "$daemon"; wait; rm -rf "$home"' EXIT
cat >"$home/entitld.yaml" <<YAML
storage: { directory: $home/data, mapSizeGiB: 1 }
rpc: { socket: $home/rpc.sock, adminSocket: $home/admin.sock, sharedAnswers: true }
log: { level: error, format: json }
YAML
"$BIN/entitld" serve --config "$home/entitld.yaml" 2>"$home/log" &
daemon=$!
until grep -q '"event":"ready"' "$home/log"; do kill -0 "$daemon" || { cat "$home/log"; exit 1; }; sleep 0.1; done
export ENTITLD_SOCKET=$home/rpc.sock ENTITLD_BENCH_SOCKET=$home/rpc.sock
echo "C, the marks alone:"
cc -std=c11 -O2 -o "$home/marks" "$clients/c/test.c" && "$home/marks" "$home/c.marks" | tail -n 1
for shared in False True; do
    echo "Python, shared_answers=$shared:"
    PYTHONPATH=$clients/python python3 - "$shared" <<'PY'
import sys
import time

from entitld import Client

client = Client(shared_answers=sys.argv[1] == "True", timeout=10, write_timeout=10)
users = [f"user-{number:06d}" for number in range(1_000)]
for user in users:
    client.register_account(user)
    client.can_render(user)
rounds = 20 if sys.argv[1] == "False" else 500
best = float("inf")
for _ in range(5):
    begin = time.perf_counter()
    for _ in range(rounds):
        for user in users:
            client.can_render(user)
    best = min(best, (time.perf_counter() - begin) / rounds / len(users))
print(f"  {best * 1e9:,.0f} ns a check")
PY
done
echo "Go:"
(cd "$clients/go" && go test -run '^$' -bench 'CanRenderSocket|Hold' -benchtime 2s . | grep -E '^Benchmark')
