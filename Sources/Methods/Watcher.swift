import Entitlements
import JSON
import Wire

/// One connection that watches: what it wants to hear, and what it has not been told yet.
///
/// Confined to the hub's thread.
final class Watcher {
    /// Something to be told.
    private struct News {
        let seq: UInt64
        let user: UserID?
        var message: JSONObject
    }

    private let pusher: Pusher
    /// Nil: everybody.
    private let users: Set<UserID>?
    private var waiting: [News] = []
    private var isCoalescing = false
    /// When it last had a heartbeat, or began.
    private var lastBeat: Int64

    init(_ pusher: Pusher, users: Set<UserID>?, at now: Int64) {
        self.pusher = pusher
        self.users = users
        lastBeat = now
    }

    var session: Session { pusher.session }

    func wants(_ user: UserID) -> Bool { users?.contains(user) ?? true }

    /// A status that changed.
    func tell(_ seq: UInt64, _ user: UserID, _ cause: Cause, _ status: JSONObject) {
        if waiting.count >= MethodLimits.watchWaitingMax { isCoalescing = true }
        var news = News(
            seq: seq,
            user: user,
            message: [
                "seq": .integer(Int64(seq)), "userId": .string(user.description),
                "cause": .string(cause.rawValue), "status": .object(status),
            ]
        )
        if isCoalescing {
            // Of each user only the newest is told, and says so.
            news.message["coalesced"] = true
            waiting.removeAll { $0.user == user }
        }
        guard waiting.count < MethodLimits.watchUsersWaitingMax else {
            // More users than can be remembered: what was missed must be asked for.
            waiting = [News(seq: seq, user: nil, message: ["resync": .integer(Int64(seq))])]
            return
        }
        waiting.append(news)
    }

    /// A new catalog.
    func tell(_ seq: UInt64, catalogVersion: UInt32) {
        waiting.append(
            News(
                seq: seq,
                user: nil,
                message: [
                    "seq": .integer(Int64(seq)), "version": .integer(Int64(catalogVersion)),
                ]
            )
        )
    }

    /// Where the cursor is too old, or something was missed.
    func tellResync(_ oldest: UInt64) {
        waiting = [News(seq: oldest, user: nil, message: ["resync": .integer(Int64(oldest))])]
    }

    /// Sends what waits, if the other side takes it, and a heartbeat when one is due: it says that
    /// everything up to `seq` was told, so it comes only behind all of that.
    func flush(_ seq: UInt64, at now: Int64) {
        guard pusher.isReady else { return }
        let isBeatDue = now - lastBeat >= MethodLimits.heartbeatMilliseconds
        guard isBeatDue || !waiting.isEmpty else { return }
        var frames: [[UInt8]] = []
        var bytes = 0
        var sent = 0
        for news in waiting where bytes < WireLimits.unsentPushBytesMax {
            let frame = Self.frame(news)
            frames.append(frame)
            bytes += frame.count
            sent += 1
        }
        waiting.removeFirst(sent)
        if waiting.isEmpty {
            isCoalescing = false
            if isBeatDue {
                frames.append(Self.notification("heartbeat", ["seq": .integer(Int64(seq))]))
                lastBeat = now
            }
        }
        pusher.push(frames)
    }

    var hasNews: Bool { !waiting.isEmpty }

    private static func frame(_ news: News) -> [UInt8] {
        if news.user != nil { return notification("entitlementChanged", news.message) }
        if let oldest = news.message["resync"] { return notification("resync", ["oldest": oldest]) }
        return notification("catalogChanged", news.message)
    }

    private static func notification(_ method: String, _ params: JSONObject) -> [UInt8] {
        let message: JSONValue = [
            "jsonrpc": "2.0", "method": .string(method), "params": .object(params),
        ]
        return message.bytes
    }
}
