#!/usr/bin/env bash
# Compares our verdicts on the hostile set with those of Apple's own verifier, and what we sign with
# what its library signs, and drives appstoresim with its client; and our verdicts on webhooks of
# Stripe with those of Stripe's library, which then drives stripesim.
# BIN names the directory of the programs and tests; ENTITLD_ORACLE_PYTHON another python3, which needs
# the module venv.
set -euo pipefail

cd "$(dirname "$0")/../.."
bin=${BIN:?}
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
if ! ENTITLD_ORACLE_DIR=$directory "$bin/entitldPackageTests.xctest" --testing-library swift-testing \
    --filter 'OracleExport|OfferTests|AppStoreTests\.QuestionTests|GooglePlayTests\.BearerTests' >"$log" 2>&1; then
    cat "$log" >&2
    exit 1
fi
judge() { "$venv/bin/python" -W ignore "Tests/Oracle/$@"; }
judge oracle.py "$directory"
judge google_oracle.py
judge stripe_signatures.py
judge library.py "$bin/appstoresim"
judge google_clients.py "$bin/playstoresim"
judge stripe_clients.py "$bin/stripesim"
