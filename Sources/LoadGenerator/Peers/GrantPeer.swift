/// `grantEntitlement` over the admin's socket: access without a signature, for seeding.
struct GrantPeer: Peer {
    static var namesReplies: Bool { true }

    private let run: UInt64
    private let plan: String

    init(run: UInt64, plan: String) {
        self.run = run
        self.plan = plan
    }

    var requestBytesMax: Int { 256 + plan.utf8.count }

    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        let mark = out.beginFrame()
        out.beginCall("grantEntitlement", slot: slot, account: account)
        out.append(",\"plan\":\"")
        out.append(text: plan)
        out.append("\",\"idempotencyKey\":\"grant-")
        out.append(hexadecimal: run)
        out.append("\"")
        out.endCall()
        out.endFrame(mark)
    }

    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        DaemonReply.scan(bytes, positive: "{\"grant\":")
    }
}
