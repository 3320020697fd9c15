// With `accounts.userIdIsAppAccountToken` a user id that is a UUID means the same in upper and in
// lower case. It is kept in lower case; every other id stays as it is.

extension UserID {
    /// How many bytes a UUID has as text: 8-4-4-4-12 hexadecimal digits.
    private static let uuidBytes = 36

    /// The same user, in lower case where the id is a UUID and user ids are tokens.
    package func folded(under policy: Policy) -> UserID {
        guard policy.foldsUserIDs, bytes.withUnsafeBytes(Self.needsFolding) else { return self }
        return UserID(bytes.map(Self.lower)) ?? self
    }

    /// Lends `body` the bytes under which this id is kept, where ids are folded.
    ///
    /// Those of `id` itself, unless it is a UUID with an upper-case digit: then a copy on the
    /// stack. Nothing is allocated either way.
    package static func withFolding<Result, Failure: Error>(
        of id: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard needsFolding(id) else { return try body(id) }
        var copy = InlineArray<36, UInt8>(repeating: 0)
        for index in id.indices {
            copy[index] = lower(id[index])
        }
        let bytes = copy.span.bytes
        return try bytes.withUnsafeBytes { (lent) throws(Failure) in try body(lent) }
    }

    /// Whether these bytes are a UUID in which some hexadecimal digit is in upper case.
    static func needsFolding(_ id: UnsafeRawBufferPointer) -> Bool {
        guard id.count == uuidBytes else { return false }
        var hasUpper = false
        for index in id.indices {
            let byte = id[index]
            switch index {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return false }
            default:
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                    break
                case UInt8(ascii: "A")...UInt8(ascii: "F"): hasUpper = true
                default: return false
                }
            }
        }
        return hasUpper
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte
    }
}

extension Command.Kind {
    /// The same command, whose facts name users as they are kept; callers' own ids are folded where
    /// they are read.
    package func folded(under policy: Policy) -> Command.Kind {
        guard policy.foldsUserIDs else { return self }
        switch self {
        case .record(var notification):
            notification.facts.fold(under: policy)
            return .record(notification)
        case .link(var purchase):
            purchase.facts.fold(under: policy)
            return .link(purchase)
        case .restore(var order):
            order.facts.fold(under: policy)
            return .restore(order)
        case .learn(var facts):
            facts.fold(under: policy)
            return .learn(facts)
        case .register, .grant, .revokeGrant, .merge, .move, .credit, .charge, .reserve,
            .endReservation, .reverse, .tick, .install, .load, .erase:
            return self
        }
    }
}

extension [Fact] {
    fileprivate mutating func fold(under policy: Policy) {
        for place in indices {
            guard let named = self[place].user?.user else { continue }
            self[place].user?.user = named.folded(under: policy)
        }
    }
}
