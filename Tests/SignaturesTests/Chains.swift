import CertificateAuthority
import Fixtures
import JSON
import Signatures

/// Small chains and documents for the tests of this room.
enum Chains {
    /// A moment in 2026, in ms since 1970; certificates are judged at what documents name.
    static let now: Int64 = 1_780_000_000_000
    static let day: Int64 = 86_400_000

    /// A payload that names `now`.
    static var payload: [UInt8] { payload(signed: now) }

    static func payload(signed: Int64) -> [UInt8] {
        JSONValue.object(["signedDate": .integer(signed)]).bytes
    }

    /// A chain on P-256 throughout, valid for a year around `now`.
    static func chain() throws -> HostileChain {
        try HostileChain(from: now - 180 * day, until: now + 180 * day)
    }

    static func rootDER() throws -> [UInt8] { try chain().rootDER() }
}

extension Verdict {
    var isGenuine: Bool { if case .genuine = self { true } else { false } }

    var fault: ForgeryReason.Kind? {
        if case .forged(let reason) = self { reason.kind } else { nil }
    }
}
