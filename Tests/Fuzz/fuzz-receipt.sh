#!/bin/sh
# Fuzzes the reader of receipt attributes with libFuzzer and the address sanitizer.
#   Tests/Fuzz/fuzz-receipt.sh [SECONDS]    60 seconds if nothing else is said
# What it finds, and what it has learnt, stay in $FUZZ_DIRECTORY (default: .build/fuzz-receipt).
set -eu
cd "$(dirname "$0")/../.."
seconds=${1:-60}
directory=${FUZZ_DIRECTORY:-.build/fuzz-receipt}
mkdir -p "$directory/corpus"
# compile MODULE ARGUMENTS: with what finds bugs.
compile() {
  module=$1
  shift
  "${SWIFTC:-swiftc}" -O -g -parse-as-library -sanitize=fuzzer,address -package-name entitld \
    -I "$directory" -module-name "$module" "$@"
}
# Of Signatures only the file that reads elements, which imports nothing.
compile Signatures Sources/Signatures/ASN1Element.swift -c -o "$directory/elements.o" \
  -emit-module -emit-module-path "$directory/Signatures.swiftmodule"
compile ReceiptFuzzer "$directory/elements.o" Sources/AppStore/ReceiptAttributes.swift \
  Sources/AppStore/ReceiptDate.swift Sources/AppStore/ReceiptContentLimits.swift \
  Tests/Fuzz/ReceiptFuzzer.swift -o "$directory/fuzzer"

# Seeds: a whole content; an empty SET; an environment; a date; a purchase.
base64 -d Tests/Fuzz/receipt-content.base64 > "$directory/corpus/seed-whole"
seed() { printf "$2" > "$directory/corpus/seed-$1"; }
seed empty '\061\000'
seed environment '\061\024\060\022\002\001\000\002\001\001\004\012\014\010Produced'
seed date '\061\040\060\036\002\001\014\002\001\001\004\026\026\0242026-02-01T00:00:00Z'
seed purchase '\061\035\060\033\002\001\021\002\001\001\004\023\061\021\060\017\002\002\006\247\002\001\001\004\006\014\0041234'

exec "$directory/fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=5 -rss_limit_mb=1024 \
  -artifact_prefix="$directory/" "$directory/corpus"
