#!/usr/bin/env bash
# Runs the commands of each example's README, as a newcomer does: make examples.
set -euo pipefail
cd "$(dirname "$0")/../.."
page=README.md
for folder in contrib/examples/*/; do
    name=$(basename "$folder")
    [[ -z ${EXAMPLES:-} || " $EXAMPLES " == *" $name "* ]] || continue
    echo "== $name"
    # The first block of the page: building, which is done, then starting, then the walk.
    commands=$(sed -n '/^```sh$/,/^```$/p' "$folder$page" | sed '1d;/^```$/,$d')
    [ -n "$commands" ] || { echo "$folder$page begins with no commands" >&2; exit 1; }
    for server in "$folder"server.*; do
        lines=$(wc -l <"$server")
        [ "$lines" -le 150 ] || { echo "$server has $lines lines; an example has at most 150" >&2; exit 1; }
    done
    code=0
    begin=$SECONDS
    BIN=${BIN:-.build/debug} bash -c "make() { :; }
trap 'kill \$(jobs -p) 2>/dev/null; wait' EXIT
set -e
$commands" >"${BIN:-.build/debug}/example-$name.log" 2>&1 || code=$?
    if [ "$code" -ne 0 ]; then
        cat "${BIN:-.build/debug}/example-$name.log"
        echo "$name: the commands of $folder$page end with $code" >&2
        exit 1
    fi
    echo "   good, $((SECONDS - begin)) s"
done
