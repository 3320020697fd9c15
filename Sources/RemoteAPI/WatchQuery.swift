import JSON

/// What a `GET /watch` asks for: `fromSeq=N` and any number of `userId=ID`, as HTML forms are
/// written (https://url.spec.whatwg.org/#application/x-www-form-urlencoded).
struct WatchQuery: Equatable {
    /// Whom it is about; nil: everybody.
    private(set) var users: [String]?
    /// From which position on; nil: from now.
    private(set) var fromSeq: Int64?

    /// Reads a query; nil where it holds anything else, or anything twice.
    ///
    /// `lastEventID` is sent by a reader that resumes, and takes the place of `fromSeq`.
    init?(_ query: String, lastEventID: String?) {
        for pair in query.split(separator: "&", omittingEmptySubsequences: true) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = Self.decoded(parts[1]) else { return nil }
            switch parts[0] {
            case "userId": users = (users ?? []) + [value]
            case "fromSeq":
                guard fromSeq == nil, let seq = Self.seq(value) else { return nil }
                fromSeq = seq
            default: return nil
            }
        }
        // One that was told nothing with an id sends none, or an empty one.
        if let lastEventID, !lastEventID.isEmpty {
            guard let seq = Self.seq(lastEventID) else { return nil }
            fromSeq = seq
        }
    }

    /// The call of `watch`.
    var call: [UInt8] {
        var params: JSONObject = [:]
        params["userIds"] = users.map { .array($0.map { .string($0) }) }
        params["fromSeq"] = fromSeq.map { .integer($0) }
        let call: JSONObject = [
            "jsonrpc": "2.0", "id": 1, "method": "watch", "params": .object(params),
        ]
        return JSONValue.object(call).bytes
    }

    private static func seq(_ text: String) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                guard digits.count == 2, digits.allSatisfy(Self.isHexDigit),
                    let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(code)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
