import Entitlements
import JSON
import Ledger
import Wire

/// What the ledger answers; a failure of its is one of the call.
func fromLedger<Value>(
    _ answer: @autoclosure () throws(LedgerFailure) -> Value
) throws(RPCFailure) -> Value {
    do throws(LedgerFailure) {
        return try answer()
    } catch {
        throw RPCFailure(error)
    }
}

extension RPCFailure {
    /// What a failure of the ledger is called on the wire.
    ///
    /// Details are for the log, not for callers.
    init(_ failure: LedgerFailure) {
        switch failure {
        case .storageFull:
            self.init(.storageFull, "There is no space to keep this; reads go on.")
        case .notReady: self.init(.notReady, "The clock has just jumped; try again in 5 seconds.")
        case .shuttingDown: self.init(.shuttingDown, "The daemon is stopping.")
        case .overloaded: self = .overloaded("Too many writes wait.")
        case .tooLarge:
            self.init(.invalidParams, "This changes more than one entry of the journal holds.")
        case .damaged: self.init(.internalError, "A stored record is damaged; see the log.")
        case .gone(let oldest):
            self.init(
                .notFound,
                "The journal no longer reaches back so far.",
                extra: oldest.map { [("oldest", JSONValue.exact($0))] } ?? []
            )
        case .busy, .unusable, .clockBehind, .failed:
            self.init(.internalError, "The ledger failed; see the log.")
        }
    }

    /// An outcome that is not an answer of the method.
    init(_ outcome: Outcome) {
        switch outcome {
        case .keyReused:
            self.init(.idempotencyMismatch, "The key was used with other arguments.")
        case .chargeUnknown: self.init(.notFound, "There is no charge under that key.")
        case .holdUnknown: self.init(.notFound, "There is no such reservation.")
        case .purchaseUnknown: self.init(.notFound, "There is no such purchase.")
        case .grantUnknown: self.init(.notFound, "The user has no such grant.")
        case .planUnknown:
            self = .invalid("plan", "is not a plan of the catalog that can be given")
        case .holdSmaller(let amount):
            self = .invalid("amount", "is at most \(amount), which is held")
        case .tokenTaken: self = .conflict(.token)
        case .conflict(let why): self = .conflict(why)
        case .idTaken: self = .overloaded("The reservation's id is in use; try again.")
        // Not overloaded: to try again does not help.
        case .grantsFull:
            self.init(.invalidParams, "The user has as many grants as an account can hold.")
        case .tokensFull:
            self.init(.invalidParams, "The user has as many tokens as an account can have.")
        case .purseFull:
            self.init(
                .invalidParams,
                "The user has as many buckets or holds as a purse can have."
            )
        // Those are answers, each of its own method.
        case .registered, .recorded, .unkept, .linked, .restored, .learned, .granted, .grantRevoked,
            .merged, .moved, .ticked, .installed, .loaded, .loadRefused, .erased, .credited,
            .charged, .reserved, .holdEnded, .reversed:
            self.init(.internalError, "The ledger answered something else.")
        }
    }

    /// A document that does not verify; `index` is its place in a list, `sentence` what its store
    /// says of that.
    init(_ fault: DocumentFault, index: Int? = nil, sentence: String? = nil) {
        let place: [(String, JSONValue)] = index.map { [("index", .integer(Int64($0)))] } ?? []
        self.init(
            .verificationFailed,
            sentence ?? Self.sentence(fault),
            extra: [("reason", .string(fault.rawValue))] + place
        )
    }

    /// A receipt that does not verify; `sentence` is what its store says of that.
    init(_ fault: ReceiptFault, sentence: String? = nil) {
        self.init(
            .verificationFailed,
            sentence ?? Self.sentence(fault),
            extra: [("reason", .string(fault.rawValue))]
        )
    }

    private static func sentence(_ fault: ReceiptFault) -> String {
        switch fault {
        case .malformed: "The text is not a receipt."
        case .signature: "The receipt's signature does not hold."
        case .chain: "The receipt's certificates do not lead to a trusted root."
        case .bundle: "The receipt is of another app."
        case .environment: "The receipt is of an environment that is not accepted here."
        case .futureDate: "The receipt was made in the future."
        case .doubleBase64: "The receipt is encoded in base64 twice; send it encoded once."
        case .jwsNotReceipt: "That is a signed document and no receipt."
        case .xcode: "The receipt was made for a test, which anybody can do."
        }
    }

    private static func sentence(_ fault: DocumentFault) -> String {
        switch fault {
        case .malformed: "The document is not a signed one."
        case .signature: "The document's signature does not hold."
        case .chain: "The document's certificates do not lead to a trusted root."
        case .bundle: "The document is of another app."
        case .environment: "The document is of an environment that is not accepted here."
        case .app: "The document is of another app."
        case .unsigned: "The document is JSON that nobody has signed."
        case .wrongDocument: "The document is genuine, but not of the kind that belongs here."
        case .futureDate: "The document is signed in the future."
        case .xcode: "The document was made for a test, which anybody can do."
        }
    }

    /// A purchase, or a token, that cannot be the user's.
    private static func conflict(_ why: OwnershipConflict) -> RPCFailure {
        let sentence =
            switch why {
            case .owned: "The purchase is another user's."
            case .token: "The token is another user's."
            case .merged: "The account went into another one."
            case .unknownToken:
                "The purchase carries a token that is nobody's yet: register its user, or name it "
                    + "in appAccountToken if it is this user's."
            }
        return RPCFailure(
            .ownershipConflict,
            sentence,
            extra: [("reason", .string(why.rawValue))]
        )
    }
}
