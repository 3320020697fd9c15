#!/usr/bin/env bash
# A daemon to play with: a local App Store, Google Play and Stripe, a daemon that trusts them, and
# customers in every state.
#
# BIN is the directory of the programs. Everything stays up in the foreground until Ctrl-C, and is
# then gone. A month of this App Store takes two minutes, so that periods end while one looks on; the
# months of the other stores have 30 days. The catalog is the example, contrib/etc/catalog.yaml.
set -euo pipefail

script=dev
. "$(dirname "$0")/lib.sh"
catalog=$(cd "$(dirname "$0")/../etc" && pwd)/catalog.yaml
players=()

# Ctrl-C is the usual end, and no failure.
stop() {
    echo
    echo "Stopping."
    exit 0
}
trap stop INT TERM

# register USER [OPTION…]: prints the user's appAccountToken.
register() {
    local answer
    answer=$("$BIN/entitlctl" --json --socket "$home/rpc.sock" register "$@") ||
        fail "entitlctl register $*: $answer"
    token_in "$answer"
}

# act USER ACTION…: something happens to a customer, and the daemon is told.
act() {
    "$BIN/appstoresim" act "$store" "$@" --url "$url" >>"$home/store.log" ||
        fail "appstoresim act $*: $(<"$home/store.log")"
}

# act_elsewhere PROGRAM STORE USER ACTION…: the same in another store.
act_elsewhere() {
    local program=$1 name=$2
    shift 2
    "$BIN/$program" act "$home/$name" "$@" --url "${url%/*}/$name" >>"$home/store.log" ||
        fail "$program act $*: $(<"$home/store.log")"
}

# Some customers live by themselves: they subscribe, renew, cancel and come back.
start_living() {
    local number token file
    "$BIN/appstoresim" run "$store" --prefix live --subscribers 3 --months 1000 --url "$url" \
        >>"$home/store.log" 2>&1 &
    players+=($!)
    for number in 0 1 2; do
        file=$store/subscribers/live-$number.json
        for _ in $(seq 100); do
            [ -s "$file" ] && break
            sleep 0.1
        done
        token=$(sed -n 's/.*"token" *: *"\([^"]*\)".*/\1/p' "$file")
        register "live-$number" --token "$token" >/dev/null
    done
}

mint --month 2m --grace-days 28
start_store
start_other playstoresim "$home/google"
start_other stripesim "$home/stripe" --live
start_daemon

act alice subscribe --product premium.yearly --token "$(register alice)"
act bob subscribe --product paid.yearly --trial P2W --token "$(register bob)"
act carol subscribe --product paid.yearly --token "$(register carol)"
act carol cancel
register dave >/dev/null
"$BIN/entitlctl" --socket "$home/rpc.sock" consume dave --amount 3 --key three-renders >/dev/null
act erin buy --product credits.10 --token "$(register erin)"
act frank subscribe --product paid.monthly --token "$(register frank)"
act frank refund
act grace subscribe --product paid.monthly --trial P3D --token "$(register grace)"
# Her trial takes twelve seconds; then the card is refused.
"$BIN/appstoresim" act "$store" grace fail-to-renew --wait-for expiry --url "$url" \
    >>"$home/store.log" 2>&1 &
players+=($!)
act_elsewhere playstoresim google heidi buy --account "$(register heidi)"
register ivan >/dev/null
act_elsewhere stripesim stripe ivan subscribe
act_elsewhere playstoresim google judy buy --account "$(register judy)"
act_elsewhere stripesim stripe judy subscribe
start_living

cat <<TEXT

entitld is up, beside an App Store, a Google Play and a Stripe of its own. A month of the App Store
takes two minutes here.

  alice  premium for a year         erin   bought a pack of 10 credits
  bob    a trial, then a year       frank  got the money back
  carol  cancelled, paid for a year grace  her card is about to be refused
  dave   has spent his credits      live-0, live-1, live-2 live by themselves
  heidi  bought on Android          ivan   pays on the web
  judy   pays twice: on both

The socket for app servers is $home/rpc.sock

In another terminal:

  export ENTITLD_SOCKET=$home/rpc.sock ENTITLD_ADMIN_SOCKET=$home/admin.sock
  $BIN/entitlctl status alice
  $BIN/entitlctl watch

And, while that watches, in a third:

  $BIN/appstoresim act $store alice refund --url $url
  $BIN/stripesim act $home/stripe judy cancel-now --url ${url%/*}/stripe

The daemon's log is $log
Ctrl-C stops everything and removes $home
TEXT

# The daemon's end, which nobody asked for, is a failure; a signal is heard meanwhile.
wait "$daemon" || fail "the daemon ended with $?"
fail "the daemon ended"
