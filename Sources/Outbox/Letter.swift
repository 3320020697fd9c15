import Entitlements
import JSON
import Methods
import Signatures
import Wire

/// One post: a change of a user's status, for one receiver.
struct Letter: Sendable {
    /// Where it comes from, and so how it is found again after a restart.
    enum Origin: Equatable, Sendable {
        /// A change in the journal.
        case journal
        /// A state, in the retelling of this number.
        case state(UInt64)
        /// A state that was parked and is told again, in the retry of this number.
        case again(UInt64)
        /// An erasure, of which the journal does not say whose.
        case erasure
    }

    let id: LetterID
    let user: UserID
    let seq: UInt64
    /// Which of the user's changes of that position it is, from 0.
    let ordinal: Int
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
    /// How many of these came while posts of others went through.
    var refusals = 0
    /// How many posts had gone through at the last failure; nil before the first one.
    var deliveriesBefore: Int?
    /// When it is tried again.
    var next: Moment?
    /// Why it was not delivered, at the last attempt.
    var failure: String?
    var isUnderWay = false

    init(_ change: StatusChange, _ origin: Origin, as id: LetterID) {
        self.id = id
        user = change.user
        seq = change.seq
        ordinal = change.ordinal
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

    /// The same under the id that it has in the outbox of this salt.
    init(_ change: StatusChange, _ origin: Origin, salt: [UInt8]) {
        self.init(change, origin, as: LetterID(of: change, origin, salt: salt))
    }

    /// Whether it brings back an access before its loss, which is held back, may be told.
    func revokes(_ loss: Letter) -> Bool {
        hasAccess && !loss.isUnderWay && (loss.heldUntil.map { at < $0 } ?? false)
    }

    /// Whether it is held back still, where the journal was read up to a moment.
    func isHeld(havingRead read: Moment) -> Bool { heldUntil.map { $0 > read } ?? false }

    /// Whether it is a loss that was to be held back and was not tried since.
    var isUntriedLoss: Bool { heldUntil != nil && begun == nil }

    /// Whether it may be tried.
    func isDue(at now: Moment, havingRead read: Moment) -> Bool {
        !isUnderWay && !isHeld(havingRead: read) && (next ?? now) <= now
    }

    /// Whether it is told while the states of all are.
    var isRetold: Bool {
        if case .state = origin { true } else { false }
    }
}

extension Letter.Origin {
    /// As ids are made of it, and as it is noted on disk.
    var text: String {
        switch self {
        case .journal: "journal"
        case .state(let number): "state \(number)"
        case .again(let number): "again \(number)"
        case .erasure: "erasure"
        }
    }

    /// What `text` says; nil where it is none.
    init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        let number = words.count == 2 ? UInt64(words[1]) : nil
        switch (words.first, number) {
        case ("state", let number?): self = .state(number)
        case ("again", let number?): self = .again(number)
        default:
            guard text == "journal" || text == "erasure" else { return nil }
            self = text == "journal" ? .journal : .erasure
        }
    }

    /// Whether it is a present state, which says all that was read before.
    var isState: Bool {
        switch self {
        case .state, .again: true
        case .journal, .erasure: false
        }
    }

    /// What it is called where it is shown.
    var kind: String {
        switch self {
        case .journal: "change"
        case .state, .again: "state"
        case .erasure: "erasure"
        }
    }
}

/// The `webhook-id` of a letter: the same for the same change and outbox, whenever it is made.
struct LetterID: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// The id of a change.
    init(of change: StatusChange, _ origin: Letter.Origin, salt: [UInt8]) {
        self.init(origin, change.seq, change.ordinal, of: change.user, salt: salt)
    }

    /// The id of what a user is told of a position; `ordinal` counts from 0.
    ///
    /// It does not say whose it is to anybody who has not the salt.
    init(
        _ origin: Letter.Origin,
        _ seq: UInt64,
        _ ordinal: Int = 0,
        of user: UserID,
        salt: [UInt8]
    ) {
        let text = "\(origin.text) \(seq) \(ordinal) \(user)"
        let code = MessageAuthentication.sha256(of: Array(text.utf8), key: salt)
        let digits = code.prefix(16)
            .map { byte in
                let text = String(byte, radix: 16)
                return byte < 16 ? "0" + text : text
            }
        description = "msg_" + digits.joined()
    }
}

extension Letter {
    /// What is posted to see whether a receiver answers: it says nothing.
    static func testBody(at now: Moment) -> [UInt8] {
        let message: JSONValue = [
            "type": "entitlement.test",
            "timestamp": .string(TimeText.text(now.milliseconds)),
            "data": .object([:]),
        ]
        return message.bytes
    }
}

// As `getOutboxes` shows them.

extension Letter {
    var shown: JSONValue {
        [
            "id": .string(id.description), "userId": .string(user.description),
            "seq": .integer(Int64(seq)), "failures": .integer(Int64(failures)),
            "failure": failure.map { .string($0) } ?? .null, "nextAttemptAt": .shown(next),
        ]
    }
}

extension WaitingList.Parked {
    var shown: JSONValue {
        [
            "id": .string(id.description), "kind": .string(origin.kind),
            "seq": .integer(Int64(seq)), "parkedAt": .shown(at), "failure": .string(failure),
        ]
    }
}

extension JSONValue {
    static func shown(_ moment: Moment?) -> JSONValue {
        moment.map { .string(TimeText.text($0.milliseconds)) } ?? .null
    }
}
