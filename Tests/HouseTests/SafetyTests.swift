import Testing

/// Unsafe code says why it is safe, in every room.
struct SafetyTests {
    @Test func `what nothing checks says why it is safe`() throws {
        var count = 0
        for path in House.swiftFiles("Sources") {
            for place in try UnsafeCode(House.text(path)).all {
                count += 1
                #expect(place.isExplained, "\(path):\(place.line): \(place.word) without SAFETY:")
            }
        }
        #expect(count > 100)
    }

    @Test(arguments: [
        ("final class Box: @unchecked Sendable {}", false),
        ("/// SAFETY: all of it is behind a mutex.\nfinal class Box: @unchecked Sendable {}", true),
        ("// SAFETY: why.\n\nfinal class Box: @unchecked Sendable {}", false),
        ("// SAFETY: by one thread alone.\nnonisolated(unsafe) var count = 0", true),
        ("nonisolated(unsafe) var count = 0", false),
        ("func f() {\n// SAFETY: why.\nlet a = 1\ng(UnsafeRawPointer(bitPattern: a))\n}", true),
        ("func f() {\ng(UnsafeBufferPointer<Int>(rebasing: q[..<1]))\n// SAFETY: late\n}", false),
        ("// SAFETY: other.\nfunc g() {}\nfunc f() { p.assumingMemoryBound(to: A.self) }", false),
        ("func f() { let p = UnsafeMutablePointer<[A<B>]>.allocate(capacity: 1) }", false),
        ("class Box: @unchecked Sendable {\n    // SAFETY: behind a mutex.\n}", true),
    ])
    func `unsafe code without a reason is found, so the check can fail`(text: String, fine: Bool) {
        #expect(UnsafeCode(text).all.map(\.isExplained) == [fine])
    }

    @Test(arguments: [
        "func f(_ p: UnsafeRawPointer) { bytes.withUnsafeBytes { g($0) } }",
        "let empty = UnsafeRawBufferPointer(start: nil, count: 0)",
        "let text = \"@unchecked Sendable\"  // nonisolated(unsafe)",
        "let bits = UInt64(bitPattern: number)",
    ])
    func `what is safe needs no reason`(text: String) { #expect(UnsafeCode(text).all == []) }
}
