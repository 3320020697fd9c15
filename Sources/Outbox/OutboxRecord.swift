import Entitlements
import JSON
import Methods

/// How far an outbox is, as its file says it.
///
/// Positions in the journal, which has the changes themselves: nothing here names a person but an
/// erasure that is still to be told.
struct OutboxRecord: Sendable {
    /// A letter that waits.
    struct Waiting: Sendable {
        let id: LetterID
        let seq: UInt64
        let heldUntil: Moment?
        let begun: Moment?
        let failures: Int
        let refusals: Int
        let next: Moment?
        /// Whom it is about: of an erasure alone.
        let erased: UserID?
        /// In which retry: of a state that was parked.
        let again: UInt64?

        /// Whether the journal has it as a change.
        var isChange: Bool { erased == nil && again == nil }
    }

    /// Which states are to be told, because the journal does not have them as changes.
    enum Retelling: Equatable, Sendable {
        case nothing
        /// All of them.
        case everything
        /// Those that this catalog would have shown otherwise.
        case sinceCatalog(UInt32)
    }

    /// What letters' ids are made with.
    var salt: [UInt8]
    /// Everything up to here was delivered, or waits, or is parked.
    var through: UInt64
    var retelling = Retelling.nothing
    /// How many retellings began; states are told under ids of their own in each.
    var retellings: UInt64 = 0
    /// How often parked states were told again.
    var retries: UInt64 = 0
    var waiting: [Waiting] = []
    var parked: [WaitingList.Parked] = []
    var parkedBefore = 0

    /// One that begins at a position.
    init(through: UInt64) {
        salt = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        self.through = through
    }

    /// What is in `bytes`; nil where that is no record of this version.
    init?(_ bytes: [UInt8]) {
        guard let value = try? JSONValue.parse(bytes), value["version"]?.int64 == Self.version,
            let salt = value["salt"]?.string.flatMap(Base64.bytes), !salt.isEmpty,
            let through = value["through"]?.position,
            let waiting = value["waiting"]?.array?.map(Waiting.init),
            let parked = value["parked"]?.array?.map(WaitingList.Parked.init),
            let parkedBefore = value["parkedBefore"]?.int64,
            // Older records have neither number.
            let retellings = (value["retellings"] ?? 0).position,
            let retries = (value["retries"] ?? 0).position
        else { return nil }
        self.salt = salt
        self.through = through
        self.waiting = waiting.compactMap { $0 }
        self.parked = parked.compactMap { $0 }
        self.parkedBefore = Int(parkedBefore)
        self.retellings = retellings
        self.retries = retries
        guard self.waiting.count == waiting.count, self.parked.count == parked.count else {
            return nil
        }
        switch value["retelling"] {
        case .null?, nil: retelling = .nothing
        case "everything"?: retelling = .everything
        case let catalog?:
            guard let version = catalog.int64.flatMap({ UInt32(exactly: $0) }) else { return nil }
            retelling = .sinceCatalog(version)
        }
    }

    /// The record as it is stored: one JSON object.
    var bytes: [UInt8] {
        let told: JSONValue =
            switch retelling {
            case .nothing: .null
            case .everything: "everything"
            case .sinceCatalog(let version): .integer(Int64(version))
            }
        let object: JSONObject = [
            "version": .integer(Self.version),
            "salt": .string(Base64.text(salt)),
            "through": .integer(Int64(through)),
            "retelling": told,
            "retellings": .integer(Int64(retellings)),
            "retries": .integer(Int64(retries)),
            "waiting": .array(waiting.map(\.json)),
            "parked": .array(parked.map(\.json)),
            "parkedBefore": .integer(Int64(parkedBefore)),
        ]
        return JSONValue.object(object).bytes
    }

    private static let version: Int64 = 1
}

extension OutboxRecord.Waiting {
    /// What is noted of a letter; nil of a state in a retelling, which is told again anyway.
    init?(_ letter: Letter) {
        guard !letter.isRetold else { return nil }
        var again: UInt64?
        if case .again(let number) = letter.origin { again = number }
        self.init(
            id: letter.id,
            seq: letter.seq,
            heldUntil: letter.heldUntil,
            begun: letter.begun,
            failures: letter.failures,
            refusals: letter.refusals,
            next: letter.next,
            erased: letter.origin == .erasure ? letter.user : nil,
            again: again
        )
    }

    fileprivate init?(_ value: JSONValue) {
        guard let id = value["id"]?.string, let seq = value["seq"]?.position, seq > 0,
            let failures = value["failures"]?.int64
        else { return nil }
        self.init(
            id: LetterID(id),
            seq: seq,
            heldUntil: value["heldUntil"]?.int64.map { Moment($0) },
            begun: value["begun"]?.int64.map { Moment($0) },
            failures: Int(failures),
            // Older records do not say it.
            refusals: (value["refusals"]?.int64).flatMap { Int(exactly: $0) } ?? 0,
            next: value["next"]?.int64.map { Moment($0) },
            erased: value["erased"]?.string.flatMap { UserID($0) },
            again: value["again"]?.position
        )
    }

    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "id": .string(id.description), "seq": .integer(Int64(seq)),
            "failures": .integer(Int64(failures)),
        ]
        if refusals > 0 { object["refusals"] = .integer(Int64(refusals)) }
        object["heldUntil"] = heldUntil.map { .integer($0.milliseconds) }
        object["begun"] = begun.map { .integer($0.milliseconds) }
        object["next"] = next.map { .integer($0.milliseconds) }
        object["erased"] = erased.map { .string($0.description) }
        object["again"] = again.map { .integer(Int64($0)) }
        return .object(object)
    }
}

extension WaitingList.Parked {
    fileprivate init?(_ value: JSONValue) {
        guard let id = value["id"]?.string, let seq = value["seq"]?.position, seq > 0,
            let at = value["at"]?.int64, let failure = value["failure"]?.string,
            // Older records do not say it.
            let origin = Letter.Origin(value["origin"]?.string ?? "journal")
        else { return nil }
        self.init(
            id: LetterID(id),
            seq: seq,
            ordinal: (value["ordinal"]?.int64).flatMap { Int(exactly: $0) } ?? 0,
            at: Moment(at),
            failure: failure,
            origin: origin
        )
    }

    fileprivate var json: JSONValue {
        [
            "id": .string(id.description), "seq": .integer(Int64(seq)),
            "ordinal": .integer(Int64(ordinal)), "at": .integer(at.milliseconds),
            "failure": .string(failure), "origin": .string(origin.text),
        ]
    }
}

extension JSONValue {
    fileprivate var position: UInt64? { int64.flatMap { UInt64(exactly: $0) } }
}
