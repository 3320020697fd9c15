import Entitlements
import JSON
import Methods
import Signatures
import Wire

/// One post: a change of a user's status, for one receiver.
struct Letter: Sendable {
    /// Where it comes from, and so how it is found again after a restart.
    enum Origin: Sendable {
        /// A change in the journal.
        case journal
        /// A state, while all are told.
        case state
        /// An erasure, of which the journal does not say whose.
        case erasure
    }

    let id: LetterID
    let user: UserID
    let seq: UInt64
    /// When the change was.
    let at: Moment
    let origin: Origin
    let body: [UInt8]
    /// Whether the user has access from then on.
    let hasAccess: Bool
    /// Until when a loss of access is held back, which may only be a late renewal.
    var heldUntil: Moment?
    /// When it was first tried.
    var begun: Moment?
    var failures = 0
    /// When it is tried again.
    var next: Moment?
    /// Why it was not delivered, at the last attempt.
    var failure: String?
    var isUnderWay = false

    init(_ change: StatusChange, _ origin: Origin, as id: LetterID) {
        self.id = id
        user = change.user
        seq = change.seq
        at = change.at
        self.origin = origin
        hasAccess = change.hasAccess
        let message: JSONObject = [
            "type": "entitlement.changed",
            "timestamp": .string(TimeText.text(change.at.milliseconds)),
            "data": .object(change.params),
        ]
        body = JSONValue.object(message).bytes
    }

    /// Whether it brings back an access before its loss, which is held back, may be told.
    func revokes(_ loss: Letter) -> Bool {
        hasAccess && !loss.isUnderWay && (loss.heldUntil.map { at < $0 } ?? false)
    }

    /// Whether it may be tried.
    func isDue(at now: Moment) -> Bool {
        !isUnderWay && (heldUntil ?? now) <= now && (next ?? now) <= now
    }
}

/// The `webhook-id` of a letter: the same for the same change and outbox, whenever it is made.
struct LetterID: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The id of a change, which does not say whose it is to anybody who has not the salt.
    init(of change: StatusChange, _ origin: Letter.Origin, salt: [UInt8]) {
        let text = "\(origin) \(change.seq) \(change.ordinal) \(change.user)"
        let code = MessageAuthentication.sha256(of: Array(text.utf8), key: salt)
        let digits = code.prefix(16)
            .map { byte in
                let text = String(byte, radix: 16)
                return byte < 16 ? "0" + text : text
            }
        description = "msg_" + digits.joined()
    }
}
