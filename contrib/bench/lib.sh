# What bench.sh and allocations.sh share: a home, a daemon in it, and an end that leaves nothing.
# Sourced, after `set -euo pipefail`.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
BIN=${BIN:-$here/../../.build/release}
for program in entitld entitlbench; do
    [ -x "$BIN/$program" ] || { echo "$BIN/$program is missing: make release" >&2; exit 1; }
done
BIN=$(cd "$BIN" && pwd)
# Nothing from outside may change what the daemon is told below.
for name in $(compgen -e ENTITLD_ || true); do unset "$name"; done
# Ten thousand connections are ten thousand descriptors, on either side.
ulimit -n "$(ulimit -Hn)"
[ "$(nproc)" -ge 2 ] || { echo "two cores are needed: one for the server, one for the client" >&2; exit 1; }

# Paths of sockets have at most 107 bytes; a short directory leaves room.
base=${BENCH_TMP:-/var/tmp}
home=$(mktemp -d "$base/entitld-bench.XXXXXX")
chmod 755 "$home"
started=()
daemon=
sections=

say() { echo "== $*" >&2; }

fail() {
    echo "bench: $*" >&2
    exit 1
}

# Ends a process that was started here, and waits until it is gone.
end() {
    local pid=$1
    kill -TERM "$pid" 2>/dev/null || return 0
    for _ in $(seq 600); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -KILL "$pid" 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
}

# At any exit: no server and no directory stay behind.
clean_up() {
    local code=$? pid
    trap - EXIT INT TERM HUP
    for pid in "${started[@]}"; do end "$pid"; done
    if [ "$code" -ne 0 ] && [ -f "$home/entitld.log" ]; then tail -5 "$home/entitld.log" >&2; fi
    rm -rf "$home"
    exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# install PROGRAM PACKAGE…: the packages, where the program is missing.
install() {
    local program=$1 as_root
    shift
    if command -v "$program" >/dev/null; then return; fi
    say "installing $*"
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -q >/dev/null
    $as_root apt-get install -qy --no-install-recommends "$@" >/dev/null
}

# write_configuration DATA: for the daemon; sockets and chain are in $home. With IDS=tokens a user id
# that is a UUID is its own token, and sandbox purchases let in listed users alone: an answer then
# depends on who asks. `sections` is what it says beside that: of further stores, of the HTTPS door.
write_configuration() {
    local environments=[Production] accounts={} sandbox=all users=[]
    if [ "${IDS:-}" = tokens ]; then
        environments='[Production, Sandbox]' accounts='{ userIdIsAppAccountToken: true }'
        sandbox=listed users='[5EED5EED-0000-4000-8000-000000000010, tester-1, tester-2]'
    fi
    cat >"$home/catalog.yaml" <<YAML
freeCredits: 1000000
plans:
  paid: { rank: 1, tier: paid, products: [com.example.app.paid.yearly], unlimited: [render] }
YAML
    cat >"$home/entitld.yaml" <<YAML
storage:
  directory: $1
  mapSizeGiB: 64
rpc:
  socket: $home/rpc.sock
  adminSocket: $home/admin.sock
  threads: 1
webhook:
  listen: 127.0.0.1:$port
  plaintext: true
apple:
  bundleId: com.example.app
  appAppleId: 1234567890
  environments: $environments
  sandboxAccess: $sandbox
  sandboxUsers: $users
  rootCertificateFiles: [$home/press/root.pem]
accounts: $accounts
${sections}catalog: $home/catalog.yaml
log: { level: error, format: json }
YAML
}

# free_port NAME: sets NAME to a port of 127.0.0.1 on which nobody listens.
free_port() {
    local found
    while :; do
        found=$((20000 + (RANDOM * 32768 + RANDOM) % 40000))
        # Somebody listens there already when a connection succeeds.
        (exec 3<>"/dev/tcp/127.0.0.1/$found") 2>/dev/null || break
    done
    printf -v "$1" %s "$found"
}

# start_daemon DATA [PREFIX…]: on core 0; sets `daemon` and `port`.
start_daemon() {
    local data=$1 attempt
    shift
    for attempt in 1 2 3 4 5; do
        free_port port
        write_configuration "$data"
        : >"$home/entitld.log"
        taskset -c 0 "$@" "$BIN/entitld" serve --config "$home/entitld.yaml" \
            >>"$home/entitld.log" 2>&1 &
        daemon=$!
        started+=("$daemon")
        for _ in $(seq 1200); do
            [[ $(<"$home/entitld.log") == *'"event":"ready"'* ]] && return
            kill -0 "$daemon" 2>/dev/null || break
            sleep 0.1
        done
        kill -0 "$daemon" 2>/dev/null && fail "the daemon is not ready after two minutes"
    done
    fail "the daemon does not start"
}

stop_daemon() {
    end "$daemon"
    daemon=
}

# The client, on core 1.
client() { taskset -c 1 "$BIN/entitlbench" "$@"; }

# What user ids look like: UUIDs where they are tokens.
names() { if [ "${IDS:-}" = tokens ]; then echo uuid; else echo numbered; fi; }

# seed ACCOUNTS: on both cores, because it is not measured. ACCESS=none: accounts with free credits
# alone, in a quarter of the time; else every other one has a verified subscription, of the sandbox
# where that is for some.
seed() {
    say "seeding $1 accounts, access by ${ACCESS:-purchases}"
    "$BIN/entitlbench" seed --to "$home/rpc.sock" --accounts "$1" --press "$home/press" \
        --access "${ACCESS:-purchases}" --names "$(names)" \
        --environment "$(if [ "${IDS:-}" = tokens ]; then echo Sandbox; else echo Production; fi)" >&2
}
