/// `EVALSHA` of a script that does the work of a keyed `consumeCredit`; consume.lua of
/// contrib/bench says what.
struct RedisConsumePeer: Peer {
    private let run: UInt64
    private let script: [UInt8]
    private var sent: UInt64 = 0

    /// - Parameters:
    ///   - run: a number that no earlier run had.
    ///   - script: the 40 hexadecimal digits that SCRIPT LOAD answered.
    init(run: UInt64, script: String) {
        self.run = run
        self.script = Array(script.utf8)
    }

    var requestBytesMax: Int { 256 }

    @inline(__always)
    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        let user = out.accountBytes(account)
        out.append("*6\r\n$7\r\nEVALSHA\r\n$40\r\n")
        out.append(script)
        out.append("\r\n$1\r\n2\r\n$")
        out.append(decimal: UInt64(user + 2))
        out.append("\r\nb:")
        out.append(account: account)
        // The key: user, colon, 16 digits of the run, hyphen, 12 of the request.
        out.append("\r\n$")
        out.append(decimal: UInt64(user + 30))
        out.append("\r\n")
        out.append(account: account)
        out.append(":")
        out.append(hexadecimal: run)
        out.append("-")
        out.append(decimal: sent, width: 12)
        out.append("\r\n$1\r\n1\r\n")
        sent += 1
    }

    @inline(__always)
    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        RedisReply.scan(bytes, positive: "consumed:")
    }
}
