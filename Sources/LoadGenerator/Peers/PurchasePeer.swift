/// `verifyPurchase` with a transaction signed while it is asked for: for seeding.
struct PurchasePeer: Peer {
    static var namesReplies: Bool { true }

    private let press: DocumentPress

    init(_ press: DocumentPress) { self.press = press }

    var requestBytesMax: Int { 16 << 10 }

    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        let mark = out.beginFrame()
        out.beginCall("verifyPurchase", slot: slot, account: account)
        out.append(",\"signedTransaction\":\"")
        out.append(text: press.purchase(of: account))
        out.append("\"")
        out.endCall()
        out.endFrame(mark)
    }

    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        DaemonReply.scan(bytes, positive: "{\"entitlement\":{\"isActive\":true")
    }
}
