import Wire

/// A server that sends back what it gets: the frames of `canRender` and nothing done with them.
struct EchoPeer: Peer {
    private var question: QuestionPeer

    init(_ accounts: KeySequence) { question = .canRender(accounts) }

    var requestBytesMax: Int { question.requestBytesMax }

    @inline(__always)
    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        question.write(account: account, slot: slot, into: &out)
    }

    @inline(__always)
    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        guard case .frame(let body) = DaemonReply.decoder.step(bytes, from: 0) else { return nil }
        return ReplyScan(count: body.upperBound, verdict: .positive)
    }
}
