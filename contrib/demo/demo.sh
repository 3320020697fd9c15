#!/usr/bin/env bash
# A user's life in a minute: signed notifications change what canRender answers.
#
# BIN is the directory of the programs. A local App Store (appstoresim) signs and delivers each
# notification to a real daemon; its months take 40 s, so that periods end while one looks on.
# (On a machine that is too busy for that they take longer.) After every notification one line shows
# the daemon's answer; a wrong answer ends the demo with exit 1 and the daemon's log.
#
# `demo.sh --start-only` stops once the store and the daemon are up and have answered; soak.sh
# repeats that.
set -euo pipefail

START_ONLY=
case ${1:-} in
    "") ;;
    --start-only) START_ONLY=yes ;;
    *) echo "usage: demo.sh [--start-only]" >&2; exit 2 ;;
esac

BIN=${BIN:-.build/debug}
for program in entitld entitlctl appstoresim; do
    [ -x "$BIN/$program" ] || { echo "$BIN/$program is missing: make build" >&2; exit 1; }
done
BIN=$(cd "$BIN" && pwd)
# Nothing from outside may change what the daemon and the client are told below.
for name in $(compgen -e ENTITLD_ || true); do unset "$name"; done

# Paths of sockets have at most 107 bytes; a short directory leaves room.
base=${TMPDIR:-/tmp}
[ ${#base} -le 60 ] || base=/tmp
home=$(mktemp -d "$base/entitld-demo.XXXXXX")
store=$home/store
log=$home/entitld.log
daemon=
sleeper=
server=
user=alice
told=0
# How long a background process may take to come up, in seconds.
READY_SECONDS_MAX=60

# At any exit: no daemon and no directory stay behind; after a failure the log is shown first.
clean_up() {
    local code=$?
    trap - EXIT INT TERM HUP
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
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
    echo "demo: $*" >&2
    exit 1
}

# The answer to canRender, as JSON on one line. Exit 1 of the client is a no, not a failure.
ask() {
    local code=0
    answer=$("$BIN/entitlctl" --json --socket "$home/rpc.sock" can-render "$user") || code=$?
    [ "$code" -le 1 ] || fail "entitlctl can-render ended with $code: $answer"
    echo "   $answer"
}

# expect MEMBER=VALUE…: the last answer has these members; VALUE is JSON.
expect() {
    local word compact=${answer//[[:space:]]/}
    for word in "$@"; do
        [[ "$compact" == *"\"${word%%=*}\":${word#*=}"[,}]* ]] ||
            fail "expected ${word%%=*} to be ${word#*=}, and it is not: $answer"
    done
}

# act TITLE KIND ACTION…: one notification is signed and delivered, then the daemon is asked.
act() {
    local title=$1 kind=$2 line
    shift 2
    echo
    echo "$title"
    line=$("$BIN/appstoresim" act "$store" "$user" "$@" --url "$url") ||
        fail "appstoresim act $*: ${line:-nothing was sent}"
    echo "   $line"
    [ "$line" = "$kind -> 200 applied" ] || fail "expected $kind -> 200 applied"
    told=$((told + 1))
    ask
}

# await_ready WHAT PID LOG CONDITION…: waits until the condition, a command, holds. Returns 1 when
# the process has ended before; ends the demo when the time is over.
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

# Tells the client something, and shows what it answered.
tell() {
    told_answer=$("$BIN/entitlctl" --json --socket "$home/$1.sock" "${@:2}") ||
        fail "entitlctl ${*:2}: $told_answer"
    echo "   ${told_answer:0:160}"
}

# Sleeps until a milestone has passed; in the background, so that a signal is heard meanwhile.
pause() {
    "$BIN/appstoresim" wait "$store" "$user" "$1" &
    sleeper=$!
    wait "$sleeper" || fail "appstoresim wait $1 ended with $?"
    sleeper=
}

# await TITLE MILESTONE: nothing is sent; the clock alone changes the answer.
await() {
    echo
    echo "$1"
    pause "$2"
    ask
}

write_configuration() {
    cat >"$home/catalog.yaml" <<YAML
trialOffered: true
plans:
  paid:    { rank: 1, tier: paid, products: [com.example.app.weekly], unlimited: [render] }
  premium: { rank: 2, tier: paid, products: [com.example.app.premium], unlimited: [render] }
YAML
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
  bundleId: com.example.app
  appAppleId: 1234567890
  environments: [Production]
  rootCertificateFiles: [$root]
  api: { issuerId: $issuer, keyId: $key, privateKeyFile: $store/AuthKey_$key.p8, baseURL: "$store_url" }
catalog: $home/catalog.yaml
log: { level: info, format: json }
YAML
}

# Starts the daemon on a port that is free; another one where somebody was faster.
start_daemon() {
    local attempt
    for attempt in 1 2 3 4 5; do
        port=$((20000 + (RANDOM * 32768 + RANDOM) % 40000))
        # Somebody listens there already when a connection succeeds.
        if (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then continue; fi
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

# The shortest time that matters is the grace period of six days, 8 s of a month of 40 s: five
# programs run in it. Where two of them take more than 0.4 s, the month grows with them.
started=$EPOCHREALTIME
"$BIN/appstoresim" --version >/dev/null
"$BIN/entitlctl" --version >/dev/null
took=$(((${EPOCHREALTIME/./} - ${started/./}) / 1000))
month=$((took > 400 ? took / 10 : 40))
echo "A local App Store with its own root certificate; its month takes $month s."
root=$("$BIN/appstoresim" mint "$store" --month "${month}s" --grace-days 6 \
    --product com.example.app.weekly,P1W,1,1990 \
    --product com.example.app.premium,P1M,2,9990)
echo "   $root"
issuer=$(sed -n 's/.*"issuerI[dD]" *: *"\([^"]*\)".*/\1/p' "$store/api.json")
key=$(sed -n 's/.*"keyI[dD]" *: *"\([^"]*\)".*/\1/p' "$store/api.json")
start_store
echo "It serves its API, too: $store_url"
start_daemon
echo "A daemon that trusts this root alone: $url"
if [ -n "$START_ONLY" ]; then
    ask
    stop_daemon
    exit 0
fi

echo
echo "$user registers."
registered=$("$BIN/entitlctl" --json --socket "$home/rpc.sock" register "$user")
echo "   $registered"
[[ "$registered" =~ \"appAccountToken\":\ ?\"([0-9a-f-]{36})\" ]] ||
    fail "registerAccount answered no appAccountToken: $registered"
token=${BASH_REMATCH[1]}
ask
expect canRender=false via=null 'state="free_no_credits"' 'reason="never_subscribed"'

act "A free trial of a week begins." SUBSCRIBED/INITIAL_BUY \
    subscribe --product com.example.app.weekly --trial P1W --token "$token"
expect canRender=true 'via="subscription"' 'state="trial"' reason=null

act "The first paid week is announced, before the trial ends." DID_RENEW renew
expect canRender=true 'via="subscription"'

act "$user turns renewal off, and keeps what is paid." \
    DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED cancel
expect canRender=true 'via="subscription"'

act "$user turns renewal on again." DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED resume
expect canRender=true 'via="subscription"'

await "Nothing is sent, and the paid week ends: the clock decides." expiry
expect canRender=false 'reason="expired"'

act "The card is refused; a grace period of six days begins." \
    DID_FAIL_TO_RENEW/GRACE_PERIOD fail-to-renew
expect canRender=true 'via="grace"' 'state="subscribed"'

await "Nothing is sent, and the grace period ends." grace-end
expect canRender=false via=null 'reason="billing_retry"'

act "The App Store says so too, and goes on trying the card." GRACE_PERIOD_EXPIRED grace-expires
expect canRender=false via=null 'reason="billing_retry"'

act "The card works again; a new week begins." DID_RENEW/BILLING_RECOVERY recover
expect canRender=true 'via="subscription"' 'state="subscribed"'

act "$user moves up to premium, at once." DID_CHANGE_RENEWAL_PREF/UPGRADE \
    upgrade --product com.example.app.premium
expect canRender=true 'via="subscription"' 'state="subscribed"'

act "$user asks for the money back." CONSUMPTION_REQUEST consumption-request
expect canRender=true 'via="subscription"'

act "The money is paid back: access ends at once." REFUND refund
expect canRender=false via=null 'reason="revoked"'

act "$user subscribes again." SUBSCRIBED/RESUBSCRIBE \
    resubscribe --product com.example.app.weekly
expect canRender=true 'via="subscription"' 'state="subscribed"'

act "$user turns renewal off." DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED cancel
expect canRender=true 'via="subscription"'

pause expiry
act "The week ends, and the App Store says so." EXPIRED/VOLUNTARY expire
expect canRender=false via=null 'state="free_no_credits"' 'reason="expired"'

act "$user comes back with an offer, for premium." SUBSCRIBED/RESUBSCRIBE \
    resubscribe --product com.example.app.premium --offer win-back
expect canRender=true 'via="subscription"' 'state="subscribed"'

user=bob
echo
echo "bob buys on his phone, and the notification is lost; his app server shows the signed purchase."
"$BIN/appstoresim" act "$store" bob subscribe --product com.example.app.weekly --lose >/dev/null
"$BIN/appstoresim" document "$store" bob >"$home/bob.jws"
tell rpc verify bob --jws "$home/bob.jws"
ask
expect canRender=true 'via="subscription"'

echo
echo "He signs in as carol, and restores his purchases: they move."
tell rpc restore carol --jws "$home/bob.jws"
[[ "$told_answer" == *'"outcome":"moved"'* ]] || fail "expected the purchase to move: $told_answer"
ask
expect canRender=false
user=carol
ask
expect canRender=true 'via="subscription"'
before=$answer

echo
echo "The next renewal is lost on the way; the daemon asks the store."
"$BIN/appstoresim" act "$store" bob renew --lose >/dev/null
tell admin reconcile carol
ask
expect canRender=true 'via="subscription"'
[ "${answer#*nextChangeAt}" != "${before#*nextChangeAt}" ] || fail "the renewal was not recovered"

echo
echo "SIGTERM: the daemon finishes and leaves."
stop_daemon
echo "The journal is replayed and every view compared with it:"
"$BIN/entitld" verify --config "$home/entitld.yaml" >"$home/verify.txt" 2>&1 ||
    fail "verify found damage: $(<"$home/verify.txt")"
while IFS= read -r line; do echo "   $line"; done <"$home/verify.txt"
echo
echo "Done: $told signed notifications, each answer as it should be."
