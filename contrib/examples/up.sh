#!/usr/bin/env bash
# Starts an example with all that it needs: a daemon, stores of its own, and the example's server.
#
#     up.sh NAME
#
# BIN is the directory of the programs. Everything stays up in the foreground until Ctrl-C, and is then
# gone. What a walk has to know is in BIN/example-NAME.json meanwhile.
set -euo pipefail

script=$1
here=$(cd "$(dirname "$0")" && pwd)
example=$here/$script
. "$here/../demo/lib.sh"
catalog=$example/catalog.yaml
place=$BIN/example-$script.json
rm -f "$place"

stop() {
    rm -f "$place"
    exit 0
}
trap stop INT TERM

# door: opens the HTTPS door on a free port, for the token `example-token` with the role app. Its
# certificate is signed by nobody else, so the example trusts this one alone: ENTITLD_CA.
door() {
    local digest
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
        -addext subjectAltName=DNS:localhost -keyout "$home/door.key" -out "$home/door.pem" 2>/dev/null
    chmod 600 "$home/door.key"
    digest=$(printf %s example-token | openssl dgst -sha256 -r | cut -d' ' -f1)
    echo "example app $digest" >"$home/tokens"
    chmod 644 "$home/tokens"
    free_port door_port
    more_configuration+="api: { listen: 127.0.0.1:$door_port, tokensFile: $home/tokens,
        tls: { certificateFile: $home/door.pem, privateKeyFile: $home/door.key } }"$'\n'
    export ENTITLD_URL=https://localhost:$door_port ENTITLD_TOKEN=example-token ENTITLD_CA=$home/door.pem
}

# outbox PATH [SECONDS]: tells the example's server at PATH of every change; a loss of access that may
# only be a late renewal is held back for SECONDS.
outbox() {
    OUTBOX_SECRET=whsec_$(openssl rand -base64 32)
    (umask 077 && echo "$OUTBOX_SECRET" >"$home/outbox-secret")
    more_configuration+="outbox: [{ name: app, url: \"http://127.0.0.1:$PORT$1\", secretFile: $home/outbox-secret,
        settleSeconds: ${2:-0} }]"$'\n'
    export OUTBOX_SECRET
}

free_port PORT
export PORT
. "$example/setup.sh"
start_daemon
export ENTITLD_SOCKET=$home/rpc.sock ENTITLD_ADMIN_SOCKET=$home/admin.sock ENTITLD_WEBHOOKS=${url%/webhooks/apple}
if [ -f "$example/server.py" ]; then
    python3 "$example/server.py" &
else
    node "$example/server.mjs" &
fi
other_servers+=($!)
cat >"$home/place" <<JSON
{ "url": "http://127.0.0.1:$PORT", "bin": "$BIN", "webhooks": "$ENTITLD_WEBHOOKS", "apple": "$store",
  "google": "$home/google", "stripe": "$home/stripe", "admin": "$home/admin.sock", "socket": "$home/rpc.sock" }
JSON
server_answers() { (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; }
await_ready "The server" "$!" "$log" server_answers || fail "the server has ended"
mv "$home/place" "$place"
echo "$script is up at http://127.0.0.1:$PORT; Ctrl-C, or kill %1 where it is in the background, stops it"
wait -n "$daemon" "${other_servers[@]}" || fail "a part of it ended with $?"
fail "a part of it ended"
