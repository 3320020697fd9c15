/// The header `Stripe-Signature`: a moment, and signatures of the scheme `v1`
/// (https://docs.stripe.com/webhooks/signature).
///
/// Other schemes are ignored, so that a sender cannot choose a weaker one. Nothing is trimmed or
/// repaired: Stripe's own libraries differ in what they tolerate, and Stripe's headers need no
/// repair.
struct SignatureHeader {
    /// When it was signed, in seconds since 1970, as written: these bytes are signed.
    let time: [UInt8]
    /// The same as a number.
    let seconds: Int64
    /// The signatures of scheme `v1`, in hexadecimal as written.
    let signatures: [[UInt8]]

    init(_ header: [UInt8]) throws(SignatureFault) {
        guard header.count <= StripeLimits.headerBytesMax else { throw .malformed }
        var time: [UInt8]?
        var signatures: [[UInt8]] = []
        for element in header.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        {
            let name = element.prefix { $0 != UInt8(ascii: "=") }
            let value = Array(element.dropFirst(name.count + 1))
            if name.elementsEqual("t".utf8) {
                // With two moments, different readers could use different ones.
                guard time == nil else { throw .malformed }
                time = value
            } else if name.elementsEqual("v1".utf8) {
                guard signatures.count < StripeLimits.signaturesMax else { throw .malformed }
                signatures.append(value)
            }
        }
        guard let time, let seconds = Self.seconds(time) else { throw .malformed }
        guard !signatures.isEmpty else { throw .unsigned }
        self.time = time
        self.seconds = seconds
        self.signatures = signatures
    }

    /// The number in `text`, which must be in canonical form.
    ///
    /// Stripe's libraries parse the number and write it again before they hash it, which gives the
    /// same bytes only for the canonical form.
    private static func seconds(_ text: [UInt8]) -> Int64? {
        guard (1...12).contains(text.count), text.first != UInt8(ascii: "0") else { return nil }
        var number: Int64 = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            number = number * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        return number <= StripeLimits.secondsMax ? number : nil
    }
}

/// Why the signature of an event does not hold.
package enum SignatureFault: Error, Hashable, Sendable, CaseIterable {
    /// There is no header.
    case missing
    /// The header is not of Stripe's form.
    case malformed
    /// No signature of the scheme `v1`.
    case unsigned
    /// Signed more than five minutes ago.
    case old
    /// Signed more than five minutes in the future.
    case future
    /// No secret made any of the signatures.
    case mismatch
    /// Signed for the other mode: a live event by a test endpoint's secret, or the other way
    /// round.
    case mode

    /// A sentence for the log.
    package var sentence: String {
        switch self {
        case .missing: "no Stripe-Signature"
        case .malformed: "a Stripe-Signature that is not of Stripe's form"
        case .unsigned: "a Stripe-Signature without a signature v1"
        case .old: "signed more than 300 s ago"
        case .future: "signed more than 300 s in the future"
        case .mismatch: "no signing secret of the configuration made the signature"
        case .mode: "the signing secret is of the other mode than the event"
        }
    }
}
