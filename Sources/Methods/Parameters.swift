import Entitlements
import JSON
import Signatures
import Wire

/// Turns parameters into types, or says which one is wrong: after this nobody checks again.
extension ParamsView {
    /// A user, folded where user ids are tokens (`accounts.userIdIsAppAccountToken`).
    func user(
        _ name: StaticString = "userId",
        under policy: Policy
    ) throws(RPCFailure) -> UserID {
        let text = try text(name, bytesMax: Entitlements.Limits.userIDBytesMax)
        guard let user = UserID(text) else {
            throw .invalid(name, "is 1 to 256 bytes of UTF-8 without control characters")
        }
        return user.folded(under: policy)
    }

    /// A string that must be there.
    func text(_ name: StaticString, bytesMax: Int) throws(RPCFailure) -> String {
        guard let text = try optionalText(name, bytesMax: bytesMax) else {
            throw .invalid(name, "is missing")
        }
        return text
    }

    /// A string, if it is there; null counts as absent.
    func optionalText(_ name: StaticString, bytesMax: Int) throws(RPCFailure) -> String? {
        switch string(of: name) {
        case .absent: return nil
        case .wrongType: throw .invalid(name, "is not a string")
        case .value(let text):
            guard (1...bytesMax).contains(text.utf8.count) else {
                throw .invalid(name, "is 1 to \(bytesMax) bytes long")
            }
            return text
        }
    }

    /// An amount, 1 to 10⁹.
    func amount(_ name: StaticString, otherwise fallback: Int64) throws(RPCFailure) -> Int64 {
        let amount = try count(name, max: MethodLimits.amountMax)
        return amount ?? fallback
    }

    /// A whole number from 1 to `max`, if it is there.
    func count(_ name: StaticString, max: Int64) throws(RPCFailure) -> Int64? {
        try number(name, in: 1...max)
    }

    /// A whole number within `range`, if it is there.
    func number(
        _ name: StaticString,
        in range: ClosedRange<Int64>
    ) throws(RPCFailure) -> Int64? {
        switch integer(of: name) {
        case .absent: return nil
        case .value(let number) where range.contains(number): return number
        case .wrongType, .value:
            throw .invalid(
                name,
                "is a whole number from \(range.lowerBound) to \(range.upperBound)"
            )
        }
    }

    /// A boolean, if it is there.
    func flag(_ name: StaticString) throws(RPCFailure) -> Bool? {
        guard let value = value(of: name), !value.isNull else { return nil }
        guard let flag = value.bool else { throw .invalid(name, "is true or false") }
        return flag
    }

    /// A moment, if it is there.
    func moment(_ name: StaticString) throws(RPCFailure) -> Moment? {
        guard let text = try optionalText(name, bytesMax: 64) else { return nil }
        guard let milliseconds = TimeText.parse(text) else {
            throw .invalid(name, "is an ISO 8601 time in UTC")
        }
        return Moment(milliseconds)
    }

    /// A moment that has passed, if it is there.
    func pastMoment(
        _ name: StaticString,
        now: Moment
    ) throws(RPCFailure) -> Moment? {
        guard let moment = try moment(name) else { return nil }
        guard moment <= now else { throw .invalid(name, "is not in the future") }
        return moment
    }

    /// A journal position, if it is there.
    func position(_ name: StaticString) throws(RPCFailure) -> UInt64? {
        switch integer(of: name) {
        case .absent: return nil
        case .value(let seq) where seq >= 0: return UInt64(seq)
        case .wrongType, .value: throw .invalid(name, "is a journal position, 0 or more")
        }
    }

    /// An account token, if it is there.
    func token(_ name: StaticString) throws(RPCFailure) -> Token? {
        guard let text = try optionalText(name, bytesMax: 64) else { return nil }
        guard let token = Token(text) else {
            throw .invalid(name, "is a UUID, and not the all-zero one")
        }
        return token
    }

    /// The same for what the store signs: there the all-zero token stands for none.
    ///
    /// Where purchase tokens are shown it may also be the account id that the app gave the store,
    /// which is any text.
    func signedToken(_ name: StaticString) throws(RPCFailure) -> Token? {
        let text = try optionalText(name, bytesMax: MethodLimits.accountIDBytesMax)
        guard text != "00000000-0000-0000-0000-000000000000" else { return nil }
        guard let text, showsPurchaseTokens else { return try token(name) }
        guard text.utf16.count <= MethodLimits.accountIDLengthMax else {
            throw .invalid(name, "has at most \(MethodLimits.accountIDLengthMax) characters")
        }
        let digest = Digest256(bytes: Digest.sha256(Array(text.utf8)))
        return Token(accountID: text, sha256: digest)
    }

    /// Whether the caller shows what a device was given for a purchase, and no document.
    private var showsPurchaseTokens: Bool {
        ["purchaseToken", "purchaseTokens"]
            .contains { (name: StaticString) in value(of: name).map { !$0.isNull } ?? false }
    }
}

extension RPCFailure {
    /// A parameter that is not what it must be.
    static func invalid(_ name: StaticString, _ sentence: String) -> RPCFailure {
        RPCFailure(
            .invalidParams,
            "The parameter \(name) \(sentence).",
            extra: [("field", .string("\(name)"))]
        )
    }
}
