/// RESP2 as far as a load needs it: bulk strings, simple strings, integers, errors.
enum RedisReply {
    /// The reply at the beginning of `bytes`, if it is whole.
    @inline(__always)
    static func scan(_ bytes: UnsafeRawBufferPointer, positive: StaticString) -> ReplyScan? {
        guard let line = lineEnd(bytes) else { return nil }
        switch bytes[0] {
        case UInt8(ascii: "$"):
            if bytes[1] == UInt8(ascii: "-") { return ReplyScan(count: line, verdict: .negative) }
            var length = 0
            for place in 1..<line - 2 { length = length * 10 + Int(bytes[place] &- 0x30) }
            let end = line + length + 2
            guard bytes.count >= end else { return nil }
            // SAFETY: `end` is at most the number of bytes, and `line` lies before it.
            let value = UnsafeRawBufferPointer(rebasing: bytes[line..<end])
            let verdict: ReplyScan.Verdict = value.begins(with: positive) ? .positive : .negative
            return ReplyScan(count: end, verdict: verdict)
        case UInt8(ascii: "-"): return ReplyScan(count: line, verdict: .error)
        default: return ReplyScan(count: line, verdict: .positive)
        }
    }

    /// Where the first line ends, behind its CR and LF.
    @inline(__always)
    private static func lineEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var place = 1
        while place < bytes.count {
            if bytes[place] == 0x0A { return place + 1 }
            place += 1
        }
        return nil
    }
}
