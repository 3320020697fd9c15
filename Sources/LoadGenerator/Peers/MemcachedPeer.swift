/// `get user-0000001` in memcached's text protocol.
struct MemcachedPeer: Peer {
    var requestBytesMax: Int { 64 }

    @inline(__always)
    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        out.append("get ")
        out.append(account: account)
        out.append("\r\n")
    }

    /// `VALUE key flags bytes`, the value, `END`; or `END` alone.
    @inline(__always)
    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        if bytes.begins(with: "END\r\n") { return ReplyScan(count: 5, verdict: .negative) }
        var place = 0
        var length = 0
        while place < bytes.count, bytes[place] != 0x0A {
            let byte = bytes[place]
            if byte == 0x20 {
                length = 0
            } else if byte != 0x0D {
                length = length &* 10 &+ Int(byte &- 0x30)
            }
            place += 1
        }
        guard place < bytes.count else { return nil }
        guard bytes.begins(with: "VALUE ") else {
            return ReplyScan(count: place + 1, verdict: .error)
        }
        // Behind the value: CR LF END CR LF.
        let end = place + 1 + length + 7
        return bytes.count >= end ? ReplyScan(count: end, verdict: .positive) : nil
    }
}
