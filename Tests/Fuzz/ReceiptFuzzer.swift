// The entry of libFuzzer: bytes in, a receipt's attributes or none out. Built by fuzz-receipt.sh
// together with the files of the reader.

/// Reads `count` bytes as a receipt's content, twice, and looks at what was read.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer lends so many bytes during this call.
    let content = Array(UnsafeBufferPointer(start: start, count: count))
    guard let attributes = ReceiptAttributes(content) else { return 0 }
    precondition(ReceiptAttributes(content) == attributes, "reading is a function of the bytes")
    precondition(attributes.purchases.count <= count / 5, "a purchase takes some bytes")
    precondition(attributes.created ?? 0 >= 0, "dates begin in 1970")
    for purchase in attributes.purchases {
        precondition(
            purchase.bytes.startIndex >= 0 && purchase.bytes.endIndex <= count,
            "a purchase stands in the bytes"
        )
        for moment in [purchase.purchased, purchase.expires, purchase.cancelled] {
            precondition((0...253_402_300_799_999).contains(moment ?? 0), "dates end with 9999")
        }
    }
    return 0
}
