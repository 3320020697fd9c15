/// `canRender` or `getStatus`, alone or in batches.
struct QuestionPeer: Peer {
    static var namesReplies: Bool { true }

    private let method: StaticString
    private let positive: StaticString
    /// 0: no batch.
    private let batch: Int
    private var accounts: KeySequence

    /// `canRender`, one in a frame.
    static func canRender(_ accounts: KeySequence) -> QuestionPeer {
        QuestionPeer(
            method: "canRender",
            positive: "{\"canRender\":true",
            batch: 0,
            accounts: accounts
        )
    }

    /// `canRender`, so many in a frame; positive when the first may.
    static func batches(of count: Int, _ accounts: KeySequence) -> QuestionPeer {
        QuestionPeer(
            method: "canRender",
            positive: "{\"canRender\":true",
            batch: count,
            accounts: accounts
        )
    }

    /// `getStatus`; positive for any status.
    static func status(_ accounts: KeySequence) -> QuestionPeer {
        QuestionPeer(
            method: "getStatus",
            positive: "{\"userId\":\"",
            batch: 0,
            accounts: accounts
        )
    }

    private init(
        method: StaticString,
        positive: StaticString,
        batch: Int,
        accounts: KeySequence
    ) {
        self.method = method
        self.positive = positive
        self.batch = batch
        self.accounts = accounts
    }

    var requestBytesMax: Int { 128 * max(batch, 1) + 16 }
    var operationsPerRequest: Int { max(batch, 1) }

    @inline(__always)
    mutating func write(account: Int, slot: Int, into out: inout RequestBuffer) {
        let mark = out.beginFrame()
        if batch == 0 {
            out.beginCall(method, slot: slot, account: account)
            out.endCall()
        } else {
            writeBatch(account, slot, into: &out)
        }
        out.endFrame(mark)
    }

    private mutating func writeBatch(_ account: Int, _ slot: Int, into out: inout RequestBuffer) {
        out.append("[")
        for index in 0..<batch {
            if index > 0 { out.append(",") }
            out.beginCall(method, slot: slot, account: index == 0 ? account : accounts.next())
            out.endCall()
        }
        out.append("]")
    }

    @inline(__always)
    func reply(in bytes: UnsafeRawBufferPointer) -> ReplyScan? {
        DaemonReply.scan(bytes, positive: positive, isBatch: batch > 0)
    }
}
