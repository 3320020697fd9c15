/// `registerAccount` with the account's own token.
struct RegisterPeer: Peer {
    static var namesReplies: Bool { true }

    var requestBytesMax: Int { 256 }

    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        let mark = out.beginFrame()
        out.beginCall("registerAccount", slot: slot, account: account)
        out.append(",\"appAccountToken\":\"")
        out.append(text: AccountNames.token(account))
        out.append("\"")
        out.endCall()
        out.endFrame(mark)
    }

    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        DaemonReply.scan(bytes, positive: "{\"appAccountToken\":\"")
    }
}
