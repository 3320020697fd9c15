#!/usr/bin/env bash
# Compares our verdicts on the hostile set with those of Apple's own verifier, and what we sign with
# what its library signs, and drives appstoresim with its client; and our verdicts on webhooks of
# Stripe with those of Stripe's library, which then drives stripesim.
# ENTITLD_ORACLE_PYTHON names another python3; it needs the module venv.
set -euo pipefail

cd "$(dirname "$0")/../.."
venv=.venv-oracle
wanted=Tests/Oracle/requirements.txt
if ! cmp -s "$wanted" "$venv/installed.txt"; then
    rm -rf "$venv"
    # Debian keeps the module venv in a package of its own.
    if ! "${ENTITLD_ORACLE_PYTHON:-python3}" -c 'import ensurepip, venv' 2>/dev/null; then
        as_root=$([ "$(id -u)" = 0 ] || echo sudo)
        $as_root apt-get update -q
        $as_root apt-get install -qy --no-install-recommends python3-venv
    fi
    "${ENTITLD_ORACLE_PYTHON:-python3}" -m venv "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
    cp "$wanted" "$venv/installed.txt"
fi

directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
log=$directory/export.log
if ! ENTITLD_ORACLE_DIR=$directory "${SWIFT:-swift}" test --filter 'OracleExport|OfferTests|GooglePlayTests\.BearerTests' >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
"$venv/bin/python" -W ignore Tests/Oracle/oracle.py "$directory"
"$venv/bin/python" -W ignore Tests/Oracle/google_oracle.py
"$venv/bin/python" -W ignore Tests/Oracle/stripe_signatures.py

"${SWIFT:-swift}" build --product appstoresim >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
"$venv/bin/python" -W ignore Tests/Oracle/library.py \
    "$("${SWIFT:-swift}" build --show-bin-path)/appstoresim"

"${SWIFT:-swift}" build --product playstoresim >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
"$venv/bin/python" -W ignore Tests/Oracle/google_clients.py \
    "$("${SWIFT:-swift}" build --show-bin-path)/playstoresim"

"${SWIFT:-swift}" build --product stripesim >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
"$venv/bin/python" -W ignore Tests/Oracle/stripe_clients.py \
    "$("${SWIFT:-swift}" build --show-bin-path)/stripesim"
