import Wire

/// What the daemon's replies look like: `{"jsonrpc":"2.0","id":7,"result":{…}}` in a frame.
enum DaemonReply {
    /// Takes replies of any length: the daemon knows its limit.
    static let decoder = FrameDecoder(frameBytesMax: Int(UInt32.max))

    /// The reply at the beginning of `bytes`, if it is whole; `positive` is how the result of the
    /// answer begins that the load counts on.
    @inline(__always)
    static func scan(
        _ bytes: UnsafeRawBufferPointer,
        positive: StaticString,
        isBatch: Bool = false
    ) -> ReplyScan? {
        guard case .frame(let body) = decoder.step(bytes, from: 0) else { return nil }
        let end = body.upperBound
        // Behind `{"jsonrpc":"2.0","id":`.
        var place = body.lowerBound + 22 + (isBatch ? 1 : 0)
        var slot = 0
        while place < end, case let digit = bytes[place] &- 0x30, digit < 10 {
            slot = slot * 10 + Int(digit)
            place += 1
        }
        // SAFETY: `end` is that of a frame that lies within the bytes.
        let rest = UnsafeRawBufferPointer(rebasing: bytes[min(place, end)..<end])
        return ReplyScan(count: end, slot: slot, verdict: verdict(rest, positive))
    }

    @inline(__always)
    private static func verdict(
        _ rest: UnsafeRawBufferPointer,
        _ positive: StaticString
    ) -> ReplyScan.Verdict {
        if rest.begins(with: ",\"result\":") {
            // SAFETY: ten bytes were compared just above.
            let result = UnsafeRawBufferPointer(rebasing: rest[10...])
            return result.begins(with: positive) ? .positive : .negative
        }
        return rest.begins(with: ",\"error\":{\"code\":-32029") ? .overloaded : .error
    }
}

extension UnsafeRawBufferPointer {
    /// Whether the first bytes are these.
    @inline(__always)
    func begins(with text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard count >= length else { return false }
        var index = 0
        while index < length {
            if self[index] != text.utf8Start[index] { return false }
            index += 1
        }
        return true
    }
}

extension RequestBuffer {
    /// Begins a request to the daemon, up to the parameters behind the user id.
    mutating func beginCall(_ method: StaticString, slot: Int, account: Int) {
        append("{\"jsonrpc\":\"2.0\",\"id\":")
        append(decimal: UInt64(slot))
        append(",\"method\":\"")
        append(method)
        append("\",\"params\":{\"userId\":\"")
        append(account: account)
        append("\"")
    }

    /// Ends it.
    mutating func endCall() { append("}}") }
}
