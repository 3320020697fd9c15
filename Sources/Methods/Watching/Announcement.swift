import Entitlements
import JSON
import Wire

/// Something to be told, encoded once for all who hear it.
final class Announcement: Sendable {
    /// Where the journal keeps what it tells.
    let seq: UInt64
    /// What it tells of; nil: it is about nobody.
    let topic: Topic?
    /// The notification without the two braces at its end.
    private let bytes: [UInt8]

    /// What takes the place of what: of one topic the newest is told to whoever is far behind.
    struct Topic: Hashable {
        let user: UserID
        /// A store's event; else the status.
        let isOfStore: Bool
    }

    private init(
        _ method: StaticString,
        _ seq: UInt64,
        of topic: Topic? = nil,
        _ params: JSONObject
    ) {
        self.seq = seq
        self.topic = topic
        var buffer = ReplyBuffer(capacity: MethodLimits.replyBytesUsual)
        buffer.append("{\"jsonrpc\":\"2.0\",\"method\":\"")
        buffer.append(method)
        buffer.append("\",\"params\":")
        buffer.appendObject(params)
        // The last brace closes `params`; the one behind it is not written yet.
        bytes = Array(buffer.written.dropLast())
    }

    /// Whom it is about; nil: nobody.
    var user: UserID? { topic?.user }

    /// The memory it takes.
    var bytesCount: Int { bytes.count }

    /// A status that changed.
    static func change(
        _ seq: UInt64,
        _ user: UserID,
        _ cause: Cause,
        _ status: JSONObject
    ) -> Announcement {
        Announcement(
            "entitlementChanged",
            seq,
            of: Topic(user: user, isOfStore: false),
            params(seq, user, cause, status)
        )
    }

    /// The parameters of `entitlementChanged`.
    static func params(
        _ seq: UInt64,
        _ user: UserID,
        _ cause: Cause,
        _ status: JSONObject
    ) -> JSONObject {
        [
            "seq": .integer(Int64(seq)), "userId": .string(user.description),
            "cause": .string(cause.rawValue), "status": .object(status),
        ]
    }

    /// What a store said, where that changed no status.
    static func event(_ seq: UInt64, _ user: UserID, _ event: StoreEvent) -> Announcement {
        var params: JSONObject = [
            "seq": .integer(Int64(seq)), "userId": .string(user.description),
        ]
        for member in event.members.members { params[member.key] = member.value }
        return Announcement("storeEvent", seq, of: Topic(user: user, isOfStore: true), params)
    }

    /// A new catalog.
    static func catalog(_ seq: UInt64, version: UInt32) -> Announcement {
        Announcement(
            "catalogChanged",
            seq,
            ["seq": .integer(Int64(seq)), "version": .integer(Int64(version))]
        )
    }

    /// What was missed must be asked for.
    static func resync(_ oldest: UInt64) -> Announcement {
        Announcement("resync", oldest, ["oldest": .integer(Int64(oldest))])
    }

    /// Everything up to `seq` was told.
    static func heartbeat(_ seq: UInt64) -> Announcement {
        Announcement("heartbeat", seq, ["seq": .integer(Int64(seq))])
    }

    /// Appends the frame; it says so where earlier ones of its topic may have been left out.
    func append(to chunk: inout [UInt8], coalesced: Bool = false) {
        let end: StaticString = coalesced && user != nil ? #","coalesced":true}}"# : "}}"
        let count = UInt32(bytes.count + end.utf8CodeUnitCount)
        withUnsafeBytes(of: count.bigEndian) { chunk.append(contentsOf: $0) }
        chunk.append(contentsOf: bytes)
        end.withUTF8Buffer { chunk.append(contentsOf: $0) }
    }
}
