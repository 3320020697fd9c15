#!/usr/bin/env bash
# The daemon beside real servers: each on core 0, the client on core 1, in turn, round by round.
#
# Prints a table of ratios with their spread, writes OUT/results.json and OUT/results.svg.
#
#   BIN       the programs (make release)
#   ACCOUNTS  how many accounts; 1000000
#   SCALE     a second store with so many accounts, to compare with the first; none
#   ACCESS    purchases, or none: accounts with free credits alone, seeded in a quarter of the time
#   ROUNDS    rounds; 3
#   SECONDS_EACH  seconds of each measurement; 5
#   ROWS      which groups, in words: checks pipelined configured durable notifications
#              stores api company start others
#   DOCUMENTS  notifications signed before each round; 15000
#   OUT       where results go; out beside this script
#   SEEDED    a directory in which seeded stores are kept for the next time; none
set -euo pipefail

source "$(dirname "$0")/lib.sh"
ACCOUNTS=${ACCOUNTS:-1000000}
SCALE=${SCALE:-}
ROUNDS=${ROUNDS:-3}
SECONDS_EACH=${SECONDS_EACH:-5}
ROWS=${ROWS:-checks pipelined configured durable notifications stores api company others start}
DOCUMENTS=${DOCUMENTS:-15000}
OUT=${OUT:-$here/out}
SEEDED=${SEEDED:-}
mkdir -p "$OUT"
rows=$home/rows.jsonl
: >"$rows"
postgres_bin=

wants() { [[ " $ROWS " == *" $1 "* ]]; }

# note ROW SERVER ROUND JSON: one measurement.
note() {
    echo "{\"row\":\"$1\",\"server\":\"$2\",\"round\":$3,\"result\":$4}" >>"$rows"
    local shown
    shown=$(python3 -c 'import json, sys
r = json.loads(sys.argv[1])
if "perSecond" in r:
    print("%.0f/s, p99 %.0f us" % (r["perSecond"], r["latency"]["p99"]))
else:
    print(*("%s %.1f" % pair for pair in r.items() if not isinstance(pair[1], str)))' "$4")
    echo "   $1, round $3: $2 $shown" >&2
}

# load ROW SERVER ROUND OPTION…: one run of the client, noted.
load() {
    local row=$1 server=$2 round=$3 result
    shift 3
    result=$(client --json --warm-up 1 --duration "$SECONDS_EACH" --accounts "$ACCOUNTS" \
        --seed "$round" --press "$home/press" "$@") || fail "$row, $server: $result"
    note "$row" "$server" "$round" "$result"
}

await_socket() {
    for _ in $(seq 200); do
        [ -S "$1" ] && return
        sleep 0.05
    done
    fail "nobody listens at $1"
}

compile_peers() {
    install cc gcc libc6-dev
    cc -O2 -o "$home/echo" "$here/peers/echo.c"
    cc -O2 -o "$home/lookup" "$here/peers/lookup.c" -llmdb
}

start_echo() {
    taskset -c 0 "$home/echo" "$home/echo.sock" &
    echo=$!
    started+=("$echo")
    await_socket "$home/echo.sock"
}

# start_redis NAME OPTION…: sets `redis`.
start_redis() {
    local name=$1
    shift
    mkdir "$home/$name"
    taskset -c 0 redis-server --port 0 --unixsocket "$home/$name.sock" --dir "$home/$name" \
        --save '' "$@" >"$home/$name.log" &
    redis=$!
    started+=("$redis")
    await_socket "$home/$name.sock"
}

start_memcached() {
    local user=()
    [ "$(id -u)" != 0 ] || user=(-u root)
    taskset -c 0 memcached "${user[@]}" -s "$home/memcached.sock" -m 4096 -t 1 -c 1024 &
    memcached=$!
    started+=("$memcached")
    await_socket "$home/memcached.sock"
}

as_postgres() {
    if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

start_postgres() {
    postgres_bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
    mkdir "$home/postgres"
    [ "$(id -u)" != 0 ] || chown postgres "$home/postgres"
    as_postgres "$postgres_bin/initdb" -D "$home/postgres/data" -U postgres -A trust \
        >"$home/postgres.log"
    # exec: the process that is ended later must be the server itself.
    (cd / && exec taskset -c 0 "$here/peers/postgres.sh" "$postgres_bin" \
        "$home/postgres") >>"$home/postgres.log" 2>&1 &
    started+=($!)
    await_socket "$home/postgres/.s.PGSQL.5432"
    for _ in $(seq 100); do
        "$postgres_bin/pg_isready" -q -h "$home/postgres" && break
        sleep 0.1
    done
    "$postgres_bin/psql" -q -h "$home/postgres" -U postgres -d postgres \
        -v "accounts=$ACCOUNTS" -f "$here/peers/accounts.sql" >>"$home/postgres.log"
}

# pgbench ROW ROUND SCRIPT
pgbench_run() {
    mkdir -p "$home/pgbench"
    note "$1" postgres "$2" "$(taskset -c 1 python3 "$here/peers/postgres.py" \
        "$postgres_bin/pgbench" "$home/postgres" "$here/peers/$3" "${4:-50}" "$SECONDS_EACH" \
        "$ACCOUNTS" "$home/pgbench")"
}

# prepare DATA ACCOUNTS: a seeded store in DATA, and the daemon on it.
prepare() {
    local data=$1 accounts=$2
    if [ -n "$SEEDED" ] && [ -d "$SEEDED/$accounts" ]; then
        say "taking the store with $accounts accounts from $SEEDED"
        cp -r --sparse=always "$SEEDED/$accounts" "$data"
        start_daemon "$data"
        return
    fi
    start_daemon "$data"
    seed "$accounts"
    stop_daemon
    if [ -n "$SEEDED" ]; then
        mkdir -p "$SEEDED"
        rm -rf "$SEEDED/press"
        cp -r "$home/press" "$SEEDED/press"
        cp -r --sparse=always "$data" "$SEEDED/$accounts"
    fi
    start_daemon "$data"
}

check_rows() {
    local round
    for round in $(seq "$ROUNDS"); do
        load check entitld "$round" --load can-render --to "$home/rpc.sock" --server-pid "$daemon"
        load check redis "$round" --load redis-get --to "$home/cache.sock" --server-pid "$cache"
        load check echo "$round" --load echo --to "$home/echo.sock" --server-pid "$echo"
        load check memcached "$round" --load memcached-get --to "$home/memcached.sock" \
            --server-pid "$memcached"
        pgbench_run check "$round" select.sql
    done
}

pipelined_rows() {
    local round
    for round in $(seq "$ROUNDS"); do
        load pipelined entitld "$round" --load can-render --in-flight 16 --to "$home/rpc.sock" \
            --server-pid "$daemon"
        load pipelined redis "$round" --load redis-get --in-flight 16 --to "$home/cache.sock" \
            --server-pid "$cache"
        load pipelined echo "$round" --load echo --in-flight 16 --to "$home/echo.sock" \
            --server-pid "$echo"
        load pipelined memcached "$round" --load memcached-get --in-flight 16 \
            --to "$home/memcached.sock" --server-pid "$memcached"
    done
}

# The same 16 in flight, where answers depend on who asks: ids are tokens, the sandbox is for some.
configured_rows() {
    local round
    stop_daemon
    IDS=tokens start_daemon "$home/data"
    for round in $(seq "$ROUNDS"); do
        load configured entitld "$round" --load can-render --in-flight 16 --to "$home/rpc.sock" \
            --server-pid "$daemon"
        load configured redis "$round" --load redis-get --in-flight 16 --to "$home/cache.sock" \
            --server-pid "$cache"
    done
    stop_daemon
    start_daemon "$home/data"
}

# Takes unlimited rendering out of the catalog, so that every consume is a charge, also a subscriber's.
charge_everybody() {
    local result
    sed -i 's/, unlimited: \[render\]//' "$home/catalog.yaml"
    kill -HUP "$daemon"
    for _ in $(seq 50); do
        result=$(client --load consume --json --connections 1 --requests 64 --warm-up 0 \
            --accounts "$ACCOUNTS" --to "$home/rpc.sock")
        if python3 -c 'import json, sys; r = json.loads(sys.argv[1])
sys.exit(r["positives"] != r["replies"])' "$result"; then return; fi
        sleep 0.1
    done
    fail "not every consume is a charge: $result"
}

durable_rows() {
    local round script
    charge_everybody
    start_redis ledger --appendonly yes --appendfsync always
    python3 "$here/peers/fill.py" balances "$home/ledger.sock" "$ACCOUNTS"
    script=$(redis-cli -s "$home/ledger.sock" script load "$(<"$here/peers/consume.lua")")
    # As many changes as there are accounts come before: figures of a fresh file say nothing.
    say "ageing: $ACCOUNTS changes in each server"
    client --load consume --requests "$ACCOUNTS" --warm-up 0 --duration 3600 --in-flight 16 \
        --accounts "$ACCOUNTS" --to "$home/rpc.sock" >&2
    client --load redis-consume --script "$script" --requests "$ACCOUNTS" --warm-up 0 \
        --duration 3600 --in-flight 16 --accounts "$ACCOUNTS" --to "$home/ledger.sock" >&2
    for round in $(seq "$ROUNDS"); do
        load durable entitld "$round" --load consume --to "$home/rpc.sock" --server-pid "$daemon"
        load durable redis "$round" --load redis-consume --script "$script" \
            --to "$home/ledger.sock" --server-pid "$redis"
        pgbench_run durable "$round" update.sql
        load mixed entitld "$round" --load mixed --to "$home/rpc.sock" --server-pid "$daemon"
        for clients in 1 4 16 90; do
            load "durable-$clients" entitld "$round" --load consume --connections "$clients" \
                --to "$home/rpc.sock" --server-pid "$daemon"
            pgbench_run "durable-$clients" "$round" update.sql "$clients"
        done
    done
}

# beside OPTION…: a second client at work, on core 1 with the first; ends with `alone`.
beside() {
    # The process that is ended later must be the client itself.
    taskset -c 1 "$BIN/entitlbench" --background --warm-up 0 --duration 3600 --accounts "$ACCOUNTS" \
        --press "$home/press" "$@" >"$home/beside.log" 2>&1 &
    company=$!
    started+=("$company")
    sleep 1
    kill -0 "$company" 2>/dev/null || fail "the second client ended: $(tail -1 "$home/beside.log")"
}

alone() {
    kill -KILL "$company"
    wait "$company" 2>/dev/null || true
}

# How a check fares beside others. Asked 5,000 times a second, which leaves both cores room.
company_rows() {
    local round peak asking=(--load can-render --rate 5000 --to "$home/rpc.sock" --server-pid "$daemon")
    local polite=(--load can-render --connections 10 --to "$home/rpc.sock" --server-pid "$daemon")
    charge_everybody
    for round in $(seq "$ROUNDS"); do
        load quiet entitld "$round" "${asking[@]}"
        beside --load consume --connections 1 --in-flight 256 --rate 5000 --to "$home/rpc.sock"
        load beside-writes entitld "$round" "${asking[@]}"
        alone
        beside --load purchases --connections 1 --in-flight 64 --rate 200 --documents 2000 \
            --to "$home/rpc.sock"
        load beside-purchases entitld "$round" "${asking[@]}"
        alone
        load polite entitld "$round" "${polite[@]}"
        beside --load can-render --connections 1 --in-flight 1024 --to "$home/rpc.sock"
        load beside-greed entitld "$round" "${polite[@]}"
        alone
        load crowd entitld "$round" "${polite[@]}" --idle 10000
        load peak entitld "$round" --load can-render --in-flight 16 --to "$home/rpc.sock" \
            --server-pid "$daemon"
        peak=$(python3 -c 'import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
print([r["result"]["perSecond"] for r in rows if r["row"] == "peak"][-1])' "$rows")
        load flood entitld "$round" --load can-render --in-flight 1024 --to "$home/rpc.sock" \
            --rate "$(python3 -c "print(3 * $peak)")" --server-pid "$daemon"
    done
}

# An own Python environment with Apple's library, as `make oracle` has it.
apple_python() {
    local venv=$here/../../.venv-oracle wanted=$here/../../Tests/Oracle/requirements.txt
    if ! cmp -s "$wanted" "$venv/installed.txt"; then
        python3 -c 'import ensurepip, venv' 2>/dev/null || install no-such-program python3-venv
        python3 -m venv "$venv"
        "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
        cp "$wanted" "$venv/installed.txt"
    fi
    echo "$venv/bin/python"
}

notification_rows() {
    local round python verifications
    python=$(apple_python)
    client sign --documents 500 --accounts "$ACCOUNTS" --press "$home/press" >"$home/payloads.txt"
    for round in $(seq "$ROUNDS"); do
        load notifications entitld "$round" --load notifications --connections 20 --warm-up 0 \
            --documents "$DOCUMENTS" --to "127.0.0.1:$port" --server-pid "$daemon"
        note notifications apple "$round" "$(taskset -c 0 "$python" -W ignore \
            "$here/peers/apple.py" "$home/press/root.pem" "$home/payloads.txt" "$SECONDS_EACH")"
        verifications=$(taskset -c 0 openssl speed -seconds "$SECONDS_EACH" ecdsap256 2>/dev/null |
            awk '/nistp256/ { print $NF }')
        note notifications openssl "$round" "{\"microseconds\":$(python3 -c \
            "print(1e6 / $verifications)")}"
    done
}

# start_other PROGRAM DIRECTORY OPTION…: another store, its API on core 1, in the configuration.
start_other() {
    local program=$1 directory=$2 other_port
    shift 2
    [ -x "$BIN/$program" ] || fail "$BIN/$program is missing: make release"
    free_port other_port
    sections+=$("$BIN/$program" mint "$directory" --port "$other_port" --month 30d "$@")$'\n'
    taskset -c 1 "$BIN/$program" serve "$directory" --port "$other_port" >"$directory.log" 2>&1 &
    started+=($!)
    for _ in $(seq 200); do
        [ -s "$directory.log" ] && return
        sleep 0.05
    done
    fail "$program does not serve"
}

# Microseconds of a processor that the daemon has taken.
daemon_processor() {
    local fields
    read -r fields <"/proc/$daemon/stat"
    # The name in parentheses may have spaces; user and system time are the 12th and 13th behind it.
    set -- ${fields##*) }
    echo $(((${12} + ${13}) * 1000000 / $(getconf CLK_TCK)))
}

# live PROGRAM STORE ROUND: a year of customers, whose messages the daemon takes one after another;
# each is a hint, for which the store's API is asked.
live() {
    local before told messages
    for _ in $(seq 30); do cat /proc/sys/kernel/random/uuid; done >"$home/names"
    before=$(daemon_processor)
    told=$(taskset -c 1 "$BIN/$1" run "$home/$2" --past --months 12 --seed "$3" \
        --name-file "$home/names" --url "http://127.0.0.1:$port/webhooks/${2%_*}") ||
        fail "$1: $told"
    # Purchases are acknowledged a moment later.
    sleep 2
    messages=${told%% messages*}
    [ "$messages" -ge 300 ] || fail "$1: only $told"
    note stores "$2" "$3" \
        "{\"microseconds\":$((($(daemon_processor) - before) / messages)),\"messages\":$messages}"
}

# What a message of each store costs, on one daemon, at the same pace: where there are gaps between
# them, each wakes threads and is flushed alone.
store_rows() {
    local round
    stop_daemon
    start_other playstoresim "$home/google_play"
    start_other stripesim "$home/stripe" --live
    IDS=tokens start_daemon "$home/stores"
    for round in $(seq "$ROUNDS"); do
        load stores entitld "$round" --load notifications --connections 1 --warm-up 0 \
            --rate 20 --documents 2000 --to "127.0.0.1:$port" --server-pid "$daemon"
        live playstoresim google_play "$round"
        live stripesim stripe "$round"
    done
    stop_daemon
    sections=
    start_daemon "$home/data"
}

# over_tls ROW SERVER ROUND PORT PATH: wrk's figures, noted.
over_tls() {
    local result
    result=$(taskset -c 1 wrk -t 1 -c 50 -d "${SECONDS_EACH}s" -s "$here/peers/api.lua" \
        "https://127.0.0.1:$4$5" -- "$token" "$ACCOUNTS" 2>&1 >/dev/null) || fail "wrk: $result"
    [[ $result == *'"failed":0'* ]] || fail "$2 over TLS: $result"
    note "$1" "$2" "$3" "$result"
}

# The HTTPS door beside nginx, which answers with the same bytes and looks nothing up; one process
# on core 0 each, connections kept.
api_rows() {
    local round token line said api_port nginx_port nginx
    install wrk wrk
    install nginx nginx-light
    stop_daemon
    { read -r token; read -r line; } < <("$BIN/entitlctl" token bench --role app)
    echo "$line" >"$home/tokens"
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 \
        -subj /CN=localhost -keyout "$home/api.key" -out "$home/api.pem" 2>/dev/null
    chmod 600 "$home/api.key"
    free_port api_port
    sections="api:
  listen: 127.0.0.1:$api_port
  tls: { certificateFile: $home/api.pem, privateKeyFile: $home/api.key }
  tokensFile: $home/tokens
  requestsPerSecond: 1000000
"
    start_daemon "$home/data"
    said=$(python3 "$here/peers/ask.py" "$api_port" "$token" user-0000001)
    free_port nginx_port
    mkdir "$home/nginx"
    cat >"$home/nginx/nginx.conf" <<CONF
daemon off; worker_processes 1; pid $home/nginx/pid; error_log $home/nginx/error.log;
events { worker_connections 1024; }
http {
    access_log off; keepalive_requests 100000000;
    client_body_temp_path $home/nginx/body;
    server {
        listen 127.0.0.1:$nginx_port ssl;
        ssl_certificate $home/api.pem; ssl_certificate_key $home/api.key;
        location / { default_type application/json; return 200 '$said'; }
    }
}
CONF
    (exec taskset -c 0 nginx -p "$home/nginx" -c "$home/nginx/nginx.conf") 2>/dev/null &
    nginx=$!
    started+=("$nginx")
    sleep 0.5
    for round in $(seq "$ROUNDS"); do
        over_tls api entitld "$round" "$api_port" /rpc
        over_tls api nginx "$round" "$nginx_port" /rpc
    done
    end "$nginx"
    stop_daemon
    sections=
    start_daemon "$home/data"
}

other_rows() {
    local round copy=$home/copy
    mkdir "$copy"
    cp --sparse=always "$home/data/data.mdb" "$copy/data.mdb"
    for round in $(seq "$ROUNDS"); do
        note store lmdb "$round" "{\"microseconds\":$(taskset -c 0 "$home/lookup" "$copy" \
            "$ACCOUNTS" "$SECONDS_EACH" | python3 -c 'print(1e6 / float(input()))')}"
        load status entitld "$round" --load status --to "$home/rpc.sock" --server-pid "$daemon"
        load batch entitld "$round" --load batch --batch 10 --to "$home/rpc.sock" \
            --server-pid "$daemon"
        load zipf entitld "$round" --load can-render --keys zipf --to "$home/rpc.sock" \
            --server-pid "$daemon"
        load churn entitld "$round" --load churn --to "$home/rpc.sock" --server-pid "$daemon"
    done
    rm -r "$copy"
}

scale_rows() {
    local round
    stop_daemon
    prepare "$home/scaled" "$SCALE"
    for round in $(seq "$ROUNDS"); do
        load scaled entitld "$round" --load can-render --accounts "$SCALE" --to "$home/rpc.sock" \
            --server-pid "$daemon"
    done
}

start_rows() {
    local round data=$home/data
    [ -z "$SCALE" ] || data=$home/scaled
    stop_daemon
    write_configuration "$data"
    for round in $(seq "$ROUNDS"); do
        note start entitld "$round" "$(python3 "$here/peers/start.py" "$home/rpc.sock" \
            user-0000001 taskset -c 0 "$BIN/entitld" serve --config "$home/entitld.yaml" \
            2>>"$home/entitld.log")"
    done
}

install redis-server redis-server
install redis-cli redis-tools
install memcached memcached
[ -d /usr/lib/postgresql ] || install no-such-program postgresql
install python3 python3
install openssl openssl
compile_peers
if [ -n "$SEEDED" ] && [ -d "$SEEDED/press" ]; then cp -r "$SEEDED/press" "$home/press"; fi
"$BIN/entitlbench" sign --documents 0 --accounts 1 --press "$home/press"
prepare "$home/data" "$ACCOUNTS"

if wants checks || wants pipelined || wants configured; then
    say "filling Redis and memcached"
    start_echo
    start_redis cache --appendonly no
    cache=$redis
    start_memcached
    python3 "$here/peers/fill.py" redis "$home/cache.sock" "$ACCOUNTS"
    python3 "$here/peers/fill.py" memcached "$home/memcached.sock" "$ACCOUNTS"
fi
if wants checks || wants durable; then
    say "filling PostgreSQL"
    start_postgres
fi
if wants checks; then check_rows; fi
if wants pipelined; then pipelined_rows; fi
if wants configured; then configured_rows; fi
if wants others; then other_rows; fi
if wants notifications; then notification_rows; fi
if wants stores; then store_rows; fi
if wants api; then api_rows; fi
if wants company; then company_rows; fi
if wants durable; then durable_rows; fi
if [ -n "$SCALE" ]; then scale_rows; fi
if wants start; then start_rows; fi

python3 "$here/report.py" "$rows" "$OUT" "$ACCOUNTS" "${SCALE:-0}" \
    "entitld $("$BIN/entitld" --version | head -1)"
