/// `POST /webhooks/apple` of notifications that were signed before.
struct NotificationPeer: Peer {
    private let requests: [[UInt8]]
    private var sent = 0
    let requestBytesMax: Int

    /// Each of `payloads` is sent once.
    init(_ payloads: [String]) {
        requests = payloads.map { payload in
            let body = "{\"signedPayload\":\"" + payload + "\"}"
            let head =
                "POST /webhooks/apple HTTP/1.1\r\nHost: bench\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
            return Array((head + body).utf8)
        }
        requestBytesMax = requests.map(\.count).max() ?? 0
    }

    var requestsMax: Int { requests.count }

    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        out.append(requests[sent])
        sent += 1
    }

    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        guard let head = Self.headEnd(bytes) else { return nil }
        // SAFETY: `head` was found within the bytes.
        let text = UnsafeRawBufferPointer(rebasing: bytes[..<head])
        let end = head + Self.contentLength(text)
        guard bytes.count >= end else { return nil }
        guard text.begins(with: "HTTP/1.1 200") else {
            let isBusy = text.begins(with: "HTTP/1.1 503")
            return ReplyScan(count: end, verdict: isBusy ? .overloaded : .error)
        }
        let body = UnsafeRawBufferPointer(rebasing: bytes[head..<end])
        let isApplied = body.begins(
            with: "{\"success\":true,\"received\":true,\"result\":\"applied\""
        )
        return ReplyScan(count: end, verdict: isApplied ? .positive : .negative)
    }

    private static func headEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
        var place = 3
        while place < bytes.count {
            if bytes[place] == 0x0A, bytes[place - 1] == 0x0D, bytes[place - 2] == 0x0A {
                return place + 1
            }
            place += 1
        }
        return nil
    }

    private static func contentLength(_ head: UnsafeRawBufferPointer) -> Int {
        let name: StaticString = "content-length:"
        var start = 0
        while start < head.count {
            var end = start
            while end < head.count, head[end] != 0x0A { end += 1 }
            if end - start > name.utf8CodeUnitCount {
                let isNamed = (0..<name.utf8CodeUnitCount)
                    .allSatisfy { head[start + $0] | 0x20 == name.utf8Start[$0] | 0x20 }
                if isNamed {
                    return (start + name.utf8CodeUnitCount..<end)
                        .reduce(0) { value, place in
                            let digit = head[place] &- 0x30
                            return digit < 10 ? value * 10 + Int(digit) : value
                        }
                }
            }
            start = end + 1
        }
        return 0
    }
}
