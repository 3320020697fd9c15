// JSON reads and writes strict JSON, and base64 as strict as signatures need it.
//
// In reading order:
//   JSONScanner    below: checks that a text is one strict value, and finds its members
//     +strings     strings and numbers
//     +duplicates  a key that stands twice in an object
//   JSONMember     where one member stands in its text; MemberTable holds them
//   JSONText       what the inside of a string stands for
//   JSONValue      a value as a tree, for what need not be fast; JSONBuilder makes it
//   JSONSink       where compact JSON is written
//   VisibleText    text made harmless for a terminal
//   Base64         one text for every byte string
//
// Its laws:
//   1. What two readers could read differently is refused: a key twice, half a surrogate pair,
//      bytes that are no UTF-8, anything behind the value.
//   2. Depth, members and elements are bounded before memory is taken for them (JSONLimits).
//   3. Checking allocates nothing once the tables are as large as the texts need.
//
// It never knows what a member means, reads a file or keeps a text beyond the call.

/// Checks that a text is one strict JSON value, and remembers where its members stand.
///
/// Strict means RFC 8259 and: valid UTF-8, whole surrogate pairs, no key twice in an object, a
/// bounded depth and number of members, nothing behind the value. One scanner is used again and
/// again: once its tables are as large as the texts need, it allocates nothing. Only what a text of
/// more than `keptMembersMax` members took is given back, with the next text.
///
/// The members of open objects form a stack, so that those of one object lie side by side when it
/// closes and can be compared. The root object's members stay on it; the members of objects
/// directly inside the root are moved to `inner`, which is all that a request needs.
package struct JSONScanner: ~Copyable {
    var base: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>
    var depthMax = JSONLimits.depthMax
    var stringIsEscaped = false
    /// Whether the text is a part of one that was accepted: then no key stands twice.
    var isChecked = false
    var stack: MemberTable
    var inner: MemberTable
    var elements = 0
    var hashSlots: [UInt64] = []
    var work = DuplicateWork()

    /// A scanner with room for small texts.
    package init() {
        // SAFETY: an empty range at a constant address; `scan` replaces both ends before use.
        base = UnsafePointer(bitPattern: 8).unsafelyUnwrapped
        end = base
        stack = MemberTable(capacity: 64)
        inner = MemberTable(capacity: 64)
    }

    /// The members of the root object of the text scanned last; empty for any other value.
    ///
    /// Valid until the next scan.
    package var rootMembers: UnsafeBufferPointer<JSONMember> { stack.all }

    /// The members of all objects directly inside the root object; see `JSONMember.innerStart`.
    package var innerMembers: UnsafeBufferPointer<JSONMember> { inner.all }

    /// How many elements the root array had; 0 for any other value.
    package var rootElements: Int { elements }

    /// Checks all of `bytes`.
    package mutating func scan(
        _ bytes: UnsafeRawBufferPointer,
        depthMax: Int = JSONLimits.depthMax
    ) throws(JSONFailure) {
        let past = try scanFirst(of: bytes, depthMax: depthMax)
        guard past == bytes.count else { throw .trailingBytes(at: past) }
    }

    /// Checks the value at the start of `bytes` and the white space around it; `isChecked` says
    /// that `bytes` begins inside a text that was accepted.
    ///
    /// - Returns: the offset of the first byte behind them.
    package mutating func scanFirst(
        of bytes: UnsafeRawBufferPointer,
        depthMax: Int = JSONLimits.depthMax,
        isChecked: Bool = false
    ) throws(JSONFailure) -> Int {
        self.isChecked = isChecked
        stack.empty()
        inner.empty()
        if hashSlots.capacity > JSONLimits.keptMembersMax * 4 { hashSlots = [] }
        elements = 0
        guard bytes.count <= JSONLimits.textBytesMax else { throw .tooLong }
        guard let address = bytes.baseAddress, bytes.count > 0 else { throw .truncated(at: 0) }
        self.depthMax = depthMax
        // SAFETY: the bytes are lent for this call, and are read as bytes only.
        base = address.assumingMemoryBound(to: UInt8.self)
        end = base + bytes.count
        var cursor = skipSpace(base)
        cursor = try value(cursor, depth: 0)
        return offset(skipSpace(cursor))
    }

    @inline(__always)
    func offset(_ cursor: UnsafePointer<UInt8>) -> Int { cursor - base }

    @inline(__always)
    func skipSpace(_ start: UnsafePointer<UInt8>) -> UnsafePointer<UInt8> {
        var cursor = start
        while cursor < end {
            switch cursor.pointee {
            case 0x20, 0x0A, 0x0D, 0x09: cursor += 1
            default: return cursor
            }
        }
        return cursor
    }

    /// `depth` counts the containers around the value.
    private mutating func value(
        _ cursor: UnsafePointer<UInt8>,
        depth: Int
    ) throws(JSONFailure) -> UnsafePointer<UInt8> {
        guard cursor < end else { throw .truncated(at: offset(cursor)) }
        switch cursor.pointee {
        case UInt8(ascii: "\""):
            return try string(cursor + 1)
        case UInt8(ascii: "{"):
            guard depth < depthMax else { throw .tooDeep(at: offset(cursor)) }
            return try object(cursor, depth: depth)
        case UInt8(ascii: "["):
            guard depth < depthMax else { throw .tooDeep(at: offset(cursor)) }
            return try array(cursor, depth: depth)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return try number(cursor)
        case UInt8(ascii: "t"): return try word(cursor, "true")
        case UInt8(ascii: "f"): return try word(cursor, "false")
        case UInt8(ascii: "n"): return try word(cursor, "null")
        default: throw .syntax(at: offset(cursor))
        }
    }

    private mutating func object(
        _ opening: UnsafePointer<UInt8>,
        depth: Int
    ) throws(JSONFailure) -> UnsafePointer<UInt8> {
        let first = stack.count
        var cursor = skipSpace(opening + 1)
        guard cursor < end else { throw .truncated(at: offset(cursor)) }
        if cursor.pointee == UInt8(ascii: "}") { return cursor + 1 }
        while true {
            guard cursor < end else { throw .truncated(at: offset(cursor)) }
            guard cursor.pointee == UInt8(ascii: "\"") else { throw .syntax(at: offset(cursor)) }
            cursor = try member(cursor, first: first, depth: depth)
            guard cursor < end else { throw .truncated(at: offset(cursor)) }
            if cursor.pointee == UInt8(ascii: ",") {
                cursor = skipSpace(cursor + 1)
            } else if cursor.pointee == UInt8(ascii: "}") {
                break
            } else {
                throw .syntax(at: offset(cursor))
            }
        }
        if !isChecked { try refuseDuplicates(from: first) }
        if depth > 0 {
            if depth == 1 { inner.append(contentsOf: stack, from: first) }
            stack.count = first
        }
        return cursor + 1
    }

    /// One `"key": value` and the white space behind it.
    @inline(__always)
    private mutating func member(
        _ quote: UnsafePointer<UInt8>,
        first: Int,
        depth: Int
    ) throws(JSONFailure) -> UnsafePointer<UInt8> {
        guard stack.count - first < JSONLimits.membersMax else {
            throw .tooManyMembers(at: offset(quote))
        }
        var member = JSONMember()
        member.keyStart = UInt32(truncatingIfNeeded: offset(quote + 1))
        var cursor = try string(quote + 1)
        member.keyEnd = UInt32(truncatingIfNeeded: offset(cursor - 1))
        member.keyIsEscaped = stringIsEscaped
        cursor = skipSpace(cursor)
        guard cursor < end else { throw .truncated(at: offset(cursor)) }
        guard cursor.pointee == UInt8(ascii: ":") else { throw .syntax(at: offset(cursor)) }
        cursor = skipSpace(cursor + 1)
        let place = stack.count
        stack.append(member)
        let innerStart = inner.count
        stringIsEscaped = false
        let start = offset(cursor)
        cursor = try value(cursor, depth: depth + 1)
        stack.setValue(
            at: place,
            start: start,
            end: offset(cursor),
            isEscaped: stringIsEscaped,
            innerStart: innerStart,
            innerCount: depth == 0 ? inner.count - innerStart : 0
        )
        return skipSpace(cursor)
    }

    private mutating func array(
        _ opening: UnsafePointer<UInt8>,
        depth: Int
    ) throws(JSONFailure) -> UnsafePointer<UInt8> {
        // What stands in an array is not directly inside the root, so nothing of it is kept.
        let first = stack.count
        let innerFirst = inner.count
        var count = 0
        var cursor = skipSpace(opening + 1)
        guard cursor < end else { throw .truncated(at: offset(cursor)) }
        if cursor.pointee == UInt8(ascii: "]") { return cursor + 1 }
        while true {
            cursor = skipSpace(try value(cursor, depth: depth + 1))
            count += 1
            guard cursor < end else { throw .truncated(at: offset(cursor)) }
            if cursor.pointee == UInt8(ascii: ",") {
                cursor = skipSpace(cursor + 1)
            } else if cursor.pointee == UInt8(ascii: "]") {
                break
            } else {
                throw .syntax(at: offset(cursor))
            }
        }
        stack.count = first
        inner.count = innerFirst
        if depth == 0 { elements = count }
        return cursor + 1
    }

    private func word(
        _ start: UnsafePointer<UInt8>,
        _ word: StaticString
    ) throws(JSONFailure) -> UnsafePointer<UInt8> {
        for index in 0..<word.utf8CodeUnitCount {
            let cursor = start + index
            guard cursor < end else { throw .truncated(at: offset(cursor)) }
            guard cursor.pointee == word.utf8Start[index] else {
                throw .syntax(at: offset(cursor))
            }
        }
        return start + word.utf8CodeUnitCount
    }
}
