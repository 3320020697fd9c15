import Entitlements
import JSON

/// The payload of a verified document, decoded, with its SHA-256.
package struct DecodedDocument: Sendable {
    /// The payload, as strict JSON.
    package let payload: JSONValue
    /// SHA-256 of the payload's bytes.
    package let digest: Digest256

    /// The document with this payload.
    package init(payload: JSONValue, digest: Digest256) {
        self.payload = payload
        self.digest = digest
    }

    /// The object of a notification that holds further documents: `data`, or for an app transaction
    /// `appData`.
    var holder: JSONValue? { payload.stated("data") ?? payload.stated("appData") }

    /// A name of the App Store's: 1 to 255 printable ASCII characters.
    ///
    /// All ids and product names have this form. It also ensures that they cannot forge a log line.
    func name(_ member: String) throws(DocumentFault) -> String {
        guard let name = payload[member]?.string, Self.isName(name) else {
            throw .wrongDocument
        }
        return name
    }

    /// A moment, in milliseconds; nil where it is absent, null, or no number.
    ///
    /// A fraction of a millisecond, as some of Apple's tools write it, is cut off.
    func moment(_ member: String) -> Moment? {
        guard let value = payload[member] else { return nil }
        let whole = value.int64 ?? value.double.flatMap { Int64(exactly: $0.rounded(.down)) }
        return whole.map { Moment($0) }
    }

    /// The signing time.
    ///
    /// The verifier has checked that it is an integer.
    func signed() throws(DocumentFault) -> Moment {
        guard let signed = moment("signedDate") else { throw .wrongDocument }
        return signed
    }

    /// The claim of RFC 7519, section 4.1, by which the document is not valid at `now`; nil if
    /// none.
    ///
    /// The App Store writes none of these claims, but Apple's verifier for Python checks them.
    func claimAgainst(_ now: Moment) -> String? {
        let seconds = Double(now.milliseconds) / 1_000
        func isFulfilled(_ claim: String, _ holds: (Double) -> Bool) -> Bool {
            guard let value = payload[claim] else { return true }
            guard let number = value.double else { return false }
            return holds(number)
        }
        if !isFulfilled("exp", { $0 > seconds }) { return "exp: over" }
        if !isFulfilled("nbf", { $0 <= seconds }) { return "nbf: not yet" }
        if !isFulfilled("iat", { $0 <= seconds }) { return "iat: in the future" }
        if payload["aud"] != nil { return "aud: for somebody else" }
        for claim in ["sub", "jti"] where payload[claim] != nil && payload[claim]?.string == nil {
            return "\(claim): no text"
        }
        return nil
    }

    static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...255).contains(bytes.count) && bytes.allSatisfy { (0x21...0x7e).contains($0) }
    }
}

extension JSONValue {
    /// The member, if it is there and not null.
    func stated(_ member: String) -> JSONValue? {
        guard let value = self[member], !value.isNull else { return nil }
        return value
    }
}
