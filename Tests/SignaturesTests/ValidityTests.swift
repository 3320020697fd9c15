import Signatures
import Testing

/// When a chain is valid: the same the first time and afterwards, both ends included.
struct ValidityTests {
    @Test(arguments: [false, true])
    func `a chain counts from its first second to its last`(
        isRemembered: Bool
    ) throws {
        let (from, until) = (Signer.now - Signer.day, Signer.now + Signer.day)
        for (date, isGenuine) in [
            (from - 1, false), (from, true), (from + 999, true), (until - 1, true), (until, true),
            (until + 999, true), (until + 1000, false), (until + Signer.day, false), (0, false),
        ] {
            let signer = try Signer(from: from, until: until)
            if isRemembered {
                #expect(signer.verifier.verdict(on: try signer.document()).isGenuine)
            }
            let verdict = signer.verifier.verdict(on: try signer.document(signedAt: date))
            #expect(verdict.isGenuine == isGenuine, "\(date)")
            #expect(isGenuine || verdict.fault == .chain, "\(date)")
            #expect(signer.verifier.cacheFigures.hits == (isRemembered ? 1 : 0))
        }
    }

    /// RFC 5280 writes years from 2050 on in another form.
    @Test func `a chain may outlast the year 2049`() throws {
        let year2060: Int64 = 2_840_140_800_000
        let signer = try Signer(from: Signer.now - Signer.day, until: year2060)
        for (date, isGenuine) in [(Signer.now, true), (year2060, true), (year2060 + 1000, false)] {
            let verdict = signer.verifier.verdict(on: try signer.document(signedAt: date))
            #expect(verdict.isGenuine == isGenuine, "\(date)")
        }
    }
}
