#!/usr/bin/env bash
# Counts the instructions of one request on the hot path, by callgrind, and leaves with 1 when a
# function takes over 5 % more than instructions.txt says, or when canRender calls the allocator,
# whatever the configuration. Counts repeat, on any processor.
#
#   BIN     the directory of the programs, with HotPath
#   UPDATE  1: write down what was counted
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
counts=$here/instructions.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if ! command -v valgrind >/dev/null; then
    as_root=$([ "$(id -u)" = 0 ] || echo sudo)
    $as_root apt-get update -q >/dev/null
    $as_root apt-get install -qy --no-install-recommends valgrind >/dev/null
fi
# Debian's valgrind cannot read what Swift writes for debuggers; names of functions stay.
strip --strip-debug -o "$work/hotpath" "$BIN/HotPath"
failures=0
for what in canRender canRender-tokens getStatus prefetch consumeCredit; do
    # With "tokens" an answer depends on who asks: HotPath says how.
    words=(${what/-/ })
    mkdir "$work/$what"
    "$work/hotpath" "$work/$what" fill "${words[@]:1}"
    # A charge is decided on the writer's thread: LedgerWriter.decide, as the compiler names it.
    counted='*7HotPath7measure*'
    [ "$what" != consumeCredit ] || counted='*6Ledger0A6WriterC6decide*'
    requests=$(SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --quiet \
        --callgrind-out-file="$work/$what.out" --toggle-collect="$counted" \
        "$work/hotpath" "$work/$what" "${words[@]}")
    # Lines of "instructions (percent) file:function [library]", those of callees included.
    callgrind_annotate --inclusive=yes --threshold=100 "$work/$what.out" |
        sed 's/ \[[^]]*\]$//' | swift demangle --simplified |
        sed -nE 's/^ *([0-9,]+) \([^)]*\) +[^ :]*:(.*)$/\1 \2/p' | tr -d , |
        awk -v what="$what" -v requests="$requests" \
            '{ count = $1; $1 = ""; printf "%s%s %.0f\n", what, $0, count / requests }' \
            >>"$work/counted.txt"
done

# allocates WHAT: names the calls of the allocator that were counted.
allocates() {
    grep -E "^$1 (malloc|calloc|realloc|posix_memalign|swift_slowAlloc|swift_allocObject) " \
        "$work/counted.txt" >&2
}

for what in canRender canRender-tokens; do
    if allocates "$what"; then
        echo "instructions: $what allocates" >&2
        failures=$((failures + 1))
    fi
done
# getStatus makes strings: where that is not seen, nothing would be.
allocates getStatus 2>/dev/null || { echo "instructions: no allocation is seen at all" >&2; exit 1; }

# found WHAT FUNCTION: its instructions for one request.
found() {
    awk -v start="$1 $2 " 'index($0, start) == 1 { print $NF; exit }' "$work/counted.txt"
}

: >"$work/updated.txt"
while read -r line; do
    if [[ $line == '#'* || -z $line ]]; then
        echo "$line" >>"$work/updated.txt"
        continue
    fi
    what=${line%% *} most=${line##* }
    function=${line#* }
    function=${function% *}
    count=$(found "$what" "$function")
    if [ -z "$count" ]; then
        echo "instructions: $what: there is no $function any more" >&2
        echo "$line" >>"$work/updated.txt"
        failures=$((failures + 1))
        continue
    fi
    echo "$what $function $count" >>"$work/updated.txt"
    verdict=ok
    if [ $((count * 100)) -gt $((most * 105)) ]; then
        verdict='too many'
        failures=$((failures + 1))
    fi
    printf '%-10s %-45s %8d of %8d  %s\n' "$what" "$function" "$count" "$most" "$verdict"
done <"$counts"
if [ -n "${UPDATE:-}" ]; then
    cp "$work/updated.txt" "$counts"
    exit
fi
[ "$failures" -eq 0 ] || { echo "instructions: what is meant is written down with UPDATE=1" >&2; exit 1; }
