import Glibc
import Ledger
import Wire

extension MethodWorker {
    /// Notes the users whom these bytes seem to name.
    ///
    /// A guess and no parse: an id with escapes is not found, a string that looks like a member
    /// costs a look-up.
    func noteKeys(in bytes: UnsafeRawBufferPointer) {
        guard let reader, let begin = bytes.baseAddress else { return }
        let end = begin + bytes.count
        var place = begin
        // The one letter of `"userId":` that is rare in a request.
        while let letter = memchr(place, Int32(UInt8(ascii: "I")), end - place) {
            let found = UnsafeRawPointer(letter)
            place = found + 1
            guard found - begin >= 5, end - found > 4, isMember(found - 5) else { continue }
            place = found + 4
            while place < end, place.load(as: UInt8.self) == UInt8(ascii: " ") { place += 1 }
            guard place < end, place.load(as: UInt8.self) == UInt8(ascii: "\"") else { continue }
            let first = place + 1
            guard let quote = memchr(first, Int32(UInt8(ascii: "\"")), end - first) else { break }
            place = UnsafeRawPointer(quote)
            // SAFETY: both quotes were found between the ends of the bytes.
            let user = UnsafeRawBufferPointer(start: first, count: place - first)
            if !reader.foresee(user) { reader.prefetch() }
        }
    }

    /// Has the ledger look up the accounts of those users together.
    func prefetch() { reader?.prefetch() }

    /// Whether the nine bytes there are the member's name, with its quotes and its colon.
    @inline(__always)
    private func isMember(_ bytes: UnsafeRawPointer) -> Bool {
        let name: StaticString = "\"userId\":"
        return memcmp(bytes, name.utf8Start, name.utf8CodeUnitCount) == 0
    }
}
