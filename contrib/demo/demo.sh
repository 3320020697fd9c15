#!/usr/bin/env bash
# A user's life in a minute: signed notifications change what canRender answers.
#
# BIN is the directory of the programs. A local App Store (appstoresim), Google Play (playstoresim)
# and Stripe (stripesim) sign each notification and deliver it to a real daemon. The App Store's
# months take 36 s, so that periods end while one looks on.
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

script=demo
. "$(dirname "$0")/lib.sh"
user=alice
told=0

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

# Tells the client something, and shows what it answered.
tell() {
    told_answer=$("$BIN/entitlctl" --json --socket "$home/$1.sock" "${@:2}") ||
        fail "entitlctl ${*:2}: $told_answer"
    echo "   ${told_answer:0:160}"
}

# elsewhere COUNT PROGRAM STORE ACTION…: something happens to the user in another store, which tells of
# it in so many notifications.
elsewhere() {
    local count=$1 program=$2 name=$3 line taken=0
    shift 3
    while IFS= read -r line; do
        # The purchase token or the subscription's id comes first.
        [[ "$line" == *" -> "* ]] || continue
        echo "   $line"
        [[ "$line" == *" -> 200 applied" ]] || [[ "$line" == *" -> 200 stale" ]] ||
            fail "expected the daemon to take it"
        taken=$((taken + 1))
    done < <("$BIN/$program" act "$home/$name" "$user" "$@" \
        --url "${url%/*}/$name" || echo "$program -> ended with $?")
    [ "$taken" -eq "$count" ] || fail "$program $*: expected $count notifications, and $taken came"
    told=$((told + taken))
}

# is_doubled BOOLEAN: whether two subscriptions of the user renew.
is_doubled() {
    local status
    status=$("$BIN/entitlctl" --json --socket "$home/rpc.sock" status "$user")
    [[ "${status//[[:space:]]/}" == *"\"duplicateSubscriptions\":$1"[,}]* ]] ||
        fail "expected duplicateSubscriptions to be $1: $status"
    echo "   duplicateSubscriptions: $1"
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

# The shortest time that matters is the grace period of six days, 7 s of a month of 36 s: five
# programs run in it. Where two of them take more than 0.36 s, the month grows with them.
started=$EPOCHREALTIME
"$BIN/appstoresim" --version >/dev/null
"$BIN/entitlctl" --version >/dev/null
took=$(((${EPOCHREALTIME/./} - ${started/./}) / 1000))
month=$((took > 360 ? took / 10 : 36))
echo "A local App Store with its own root certificate; its month takes $month s."
mint --month "${month}s" --grace-days 6 \
    --product com.example.app.weekly,P1W,1,1990 \
    --product com.example.app.premium,P1M,2,9990
echo "   $root"
cat >"$catalog" <<YAML
trialOffered: true
plans:
  paid:
    { rank: 1, tier: paid, unlimited: [render],
      products: [com.example.app.weekly, "google_play:paid", "stripe:prod_paid"] }
  premium: { rank: 2, tier: paid, products: [com.example.app.premium], unlimited: [render] }
YAML
start_store
echo "It serves its API, too: $store_url"
start_other playstoresim "$home/google"
start_other stripesim "$home/stripe" --live
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
token=$(token_in "$registered")
[ -n "$token" ] || fail "registerAccount answered no appAccountToken: $registered"
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

user=dora
echo
echo "dora buys on her Android phone."
token=$(token_in "$("$BIN/entitlctl" --json --socket "$home/rpc.sock" register dora)")
elsewhere 1 playstoresim google buy --account "$token"
ask
expect canRender=true 'via="subscription"'

echo
echo "She pays on the web, too: the daemon says that two subscriptions renew."
elsewhere 3 stripesim stripe subscribe
ask
expect canRender=true 'via="subscription"'
is_doubled true

echo
echo "She cancels on the web, at once; what she bought on Android stays."
elsewhere 1 stripesim stripe cancel-now
ask
expect canRender=true 'via="subscription"'
is_doubled false

echo
echo "Google takes the other purchase back."
elsewhere 2 playstoresim google revoke
ask
# Of two that are over, the one that ended is shown before the one that was taken back.
expect canRender=false via=null 'reason="expired"'

echo
echo "SIGTERM: the daemon finishes and leaves."
stop_daemon
echo "The journal is replayed and every view compared with it:"
"$BIN/entitld" verify --config "$home/entitld.yaml" >"$home/verify.txt" 2>&1 ||
    fail "verify found damage: $(<"$home/verify.txt")"
while IFS= read -r line; do echo "   $line"; done <"$home/verify.txt"
# Each was stored once, and nothing else was.
grep -qx "notifications: $told rows" "$home/verify.txt" || fail "$told notifications were sent"
echo
echo "Done: $told signed notifications, each answer as it should be."
