/// `consumeCredit` with a key of its own each time, alone or among checks.
struct ConsumePeer: Peer {
    static var namesReplies: Bool { true }

    private let run: UInt64
    /// One request in so many consumes; the others ask `canRender`.
    private let period: UInt64
    private var sent: UInt64 = 0

    /// - Parameters:
    ///   - run: a number that no earlier run had, so that no key comes twice.
    ///   - period: one request in so many consumes.
    init(run: UInt64, period: UInt64) {
        self.run = run
        self.period = period
    }

    var requestBytesMax: Int { 256 }

    @inline(__always)
    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        let mark = out.beginFrame()
        if sent % period == 0 {
            out.beginCall("consumeCredit", slot: slot, account: account)
            out.append(",\"idempotencyKey\":\"")
            out.append(hexadecimal: run)
            out.append("-")
            out.append(decimal: sent)
            out.append("\"")
        } else {
            out.beginCall("canRender", slot: slot, account: account)
        }
        out.endCall()
        out.endFrame(mark)
        sent += 1
    }

    @inline(__always)
    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        guard let scan = DaemonReply.scan(bytes, positive: "{\"outcome\":\"consumed\"") else {
            return nil
        }
        guard period > 1, scan.verdict == .negative else { return scan }
        return DaemonReply.scan(bytes, positive: "{\"canRender\":true")
    }
}
