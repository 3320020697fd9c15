/// `GET user-0000001` in RESP2.
struct RedisGetPeer: Peer {
    var requestBytesMax: Int { 64 }

    @inline(__always)
    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        out.append("*2\r\n$3\r\nGET\r\n$")
        out.append(decimal: UInt64(out.accountBytes(account)))
        out.append("\r\n")
        out.append(account: account)
        out.append("\r\n")
    }

    @inline(__always)
    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        RedisReply.scan(bytes, positive: "")
    }
}

extension RequestBuffer {
    /// How many bytes `append(account:)` writes.
    @inline(__always)
    func accountBytes(_ account: Int) -> Int {
        var digits = AccountNames.digits
        var bound = 10_000_000
        while account >= bound {
            digits += 1
            bound *= 10
        }
        return 5 + digits
    }
}
