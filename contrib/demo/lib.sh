# What demo.sh and dev.sh share: a home, a store that serves its API, a daemon that trusts this store,
# and an end that leaves nothing behind. Sourced, after `set -euo pipefail`.
#
# BIN is the directory of the programs; `script` the name of the script that sources this.
# start_daemon reads the catalog's path from `catalog`.

BIN=${BIN:-.build/debug}
for program in entitld entitlctl appstoresim playstoresim stripesim; do
    [ -x "$BIN/$program" ] || { echo "$BIN/$program is missing: make build" >&2; exit 1; }
done
BIN=$(cd "$BIN" && pwd)
# Nothing from outside may change what the daemon and the client are told below.
for name in $(compgen -e ENTITLD_ || true); do unset "$name"; done

# Paths of sockets have at most 107 bytes; a short directory leaves room.
base=${TMPDIR:-/tmp}
[ ${#base} -le 60 ] || base=/tmp
home=$(mktemp -d "$base/entitld-$script.XXXXXX")
store=$home/store
log=$home/entitld.log
catalog=$home/catalog.yaml
daemon=
sleeper=
server=
# Other stores: what the configuration says of them, and the processes that serve their APIs.
other_stores=
other_servers=()
# More sections of the daemon's configuration, and more of `apple`.
more_configuration=
more_apple=
# The app that is sold.
bundle=com.example.app
# How long a background process may take to come up, in seconds.
READY_SECONDS_MAX=60

# At any exit: no daemon and no directory stay behind; after a failure the log is shown first.
clean_up() {
    local code=$?
    trap - EXIT INT TERM HUP
    for server in $server "${other_servers[@]}" ${players[@]+"${players[@]}"}; do
        kill "$server" 2>/dev/null || true
    done
    [ -z "$sleeper" ] || kill "$sleeper" 2>/dev/null || true
    if [ -n "$daemon" ] && kill -0 "$daemon" 2>/dev/null; then
        kill -TERM "$daemon" 2>/dev/null || true
        for _ in $(seq 100); do
            kill -0 "$daemon" 2>/dev/null || break
            sleep 0.1
        done
        kill -KILL "$daemon" 2>/dev/null || true
    fi
    if [ "$code" -ne 0 ] && [ -f "$log" ]; then
        echo "--- the daemon's log ---" >&2
        cat "$log" >&2
    fi
    rm -rf "$home"
    exit "$code"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

fail() {
    echo "$script: $*" >&2
    exit 1
}

# await_ready WHAT PID LOG CONDITION…: waits until the condition, a command, holds. Returns 1 when
# the process has ended before; ends the script when the time is over.
await_ready() {
    local what=$1 pid=$2 its_log=$3 deadline=$((SECONDS + READY_SECONDS_MAX))
    shift 3
    while ! "$@"; do
        # It may have become ready between the two looks.
        kill -0 "$pid" 2>/dev/null || { "$@" && return; return 1; }
        [ "$SECONDS" -lt "$deadline" ] ||
            fail "$what is not ready after $READY_SECONDS_MAX s: $(<"$its_log")"
        sleep 0.1
    done
}

# Takes the store's first line once it is whole: `read` fails without a newline at its end.
store_tells_url() { IFS= read -r store_url <"$home/store.url"; }

daemon_is_ready() { grep -q '"event":"ready"' "$log"; }

# mint OPTION…: makes the store; its root certificate, issuer and key are then known.
mint() {
    root=$("$BIN/appstoresim" mint "$store" "$@")
    issuer=$(sed -n 's/.*"issuerI[dD]" *: *"\([^"]*\)".*/\1/p' "$store/api.json")
    key=$(sed -n 's/.*"keyI[dD]" *: *"\([^"]*\)".*/\1/p' "$store/api.json")
}

# Serves the store's API on a free port; prints nothing until it is asked.
#
# The files are made here: the redirection of a background process happens at any later time.
start_store() {
    : >"$home/store.url" >"$home/store.log"
    "$BIN/appstoresim" serve "$store" --port 0 --quiet >>"$home/store.url" 2>>"$home/store.log" &
    server=$!
    await_ready "The store's API" "$server" "$home/store.log" store_tells_url ||
        fail "the store's API has ended: $(<"$home/store.log")"
}

# free_port NAME: sets NAME to a port of 127.0.0.1 on which nobody listens.
free_port() {
    local found
    while :; do
        found=$((20000 + (RANDOM * 32768 + RANDOM) % 12000))
        # Somebody listens there already when a connection succeeds.
        (exec 3<>"/dev/tcp/127.0.0.1/$found") 2>/dev/null || break
    done
    printf -v "$1" %s "$found"
}

# start_other PROGRAM DIRECTORY OPTION…: makes another store in which time is not compressed, serves
# its API, and keeps what the daemon's configuration has to say.
start_other() {
    local program=$1 directory=$2 its_log=$2.log its_port
    shift 2
    free_port its_port
    other_stores+=$("$BIN/$program" mint "$directory" --port "$its_port" --month 30d "$@")$'\n'
    : >"$directory.url" >"$its_log"
    "$BIN/$program" serve "$directory" --port "$its_port" >>"$directory.url" 2>>"$its_log" &
    other_servers+=($!)
    await_ready "$program" "$!" "$its_log" test -s "$directory.url" ||
        fail "$program has ended: $(<"$its_log")"
}

# The token in what `register` answered; empty where there is none.
token_in() {
    if [[ "$1" =~ \"appAccountToken\":\ ?\"([0-9a-f-]{36})\" ]]; then echo "${BASH_REMATCH[1]}"; fi
}

write_configuration() {
    cat >"$home/entitld.yaml" <<YAML
storage:
  directory: $home/data
  mapSizeGiB: 1
rpc:
  socket: $home/rpc.sock
  adminSocket: $home/admin.sock
webhook:
  listen: 127.0.0.1:$port
  plaintext: true
apple:
  bundleId: $bundle
  appAppleId: 1234567890
  environments: [Production]
  rootCertificateFiles: [$root]
$more_apple  api: { issuerId: $issuer, keyId: $key, privateKeyFile: $store/AuthKey_$key.p8, baseURL: "$store_url" }
${other_stores}${more_configuration}catalog: $catalog
log: { level: info, format: json }
YAML
}

# Starts the daemon on a port that is free; another one where somebody was faster.
start_daemon() {
    local attempt
    for attempt in 1 2 3 4 5; do
        free_port port
        url=http://127.0.0.1:$port/webhooks/apple
        write_configuration
        # Each attempt has a log of its own: an earlier one's `ready` would be believed.
        : >"$log"
        "$BIN/entitld" serve --config "$home/entitld.yaml" >>"$log" 2>&1 &
        daemon=$!
        if await_ready "The daemon" "$daemon" "$log" daemon_is_ready; then return; fi
        daemon=
    done
    fail "the daemon has ended $attempt times while it started"
}

stop_daemon() {
    local code=0 pid=$daemon
    kill -TERM "$pid"
    for _ in $(seq 100); do
        kill -0 "$pid" 2>/dev/null || break
        sleep 0.1
    done
    kill -0 "$pid" 2>/dev/null && fail "the daemon still runs 10 s after SIGTERM"
    wait "$pid" || code=$?
    daemon=
    [ "$code" -eq 0 ] || fail "the daemon ended with $code after SIGTERM"
}
