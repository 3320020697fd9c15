import JSON

/// The three segments of a compact JWS, apart but not yet believed.
struct SignedDocument {
    /// The header as it was written; the key under which its chain is remembered.
    let header: [UInt8]
    /// What is signed behind the header: dot and payload, as they were written.
    let signedRest: ArraySlice<UInt8>
    /// The payload, decoded.
    let payload: [UInt8]
    /// r and s, 32 bytes each.
    let signature: [UInt8]

    /// Takes `compact` apart: exactly two dots, the URL alphabet, canonical, nothing around it.
    init(_ compact: [UInt8]) throws(ForgeryReason) {
        guard compact.count <= SignatureLimits.documentBytesMax else {
            throw ForgeryReason(.malformed, "the document is too long")
        }
        let dots = Segments.dots(in: compact)
        guard dots.count == 2 else { throw ForgeryReason(.malformed, "not three segments") }
        header = Array(compact[..<dots[0]])
        signedRest = compact[dots[0]..<dots[1]]
        guard !header.isEmpty, dots[1] - dots[0] > 1 else {
            throw ForgeryReason(.malformed, "an empty segment")
        }
        guard let payload = Base64.decoded(compact[(dots[0] + 1)..<dots[1]], .url),
            let signature = Base64.decoded(compact[(dots[1] + 1)...], .url)
        else { throw ForgeryReason(.malformed, "a segment is not canonical base64url") }
        self.payload = payload
        guard signature.count == 64 else {
            throw ForgeryReason(.signature, "the signature has not 64 bytes")
        }
        self.signature = signature
    }

    /// Leaf and intermediate of the header, DER, once everything about the header is as it must be.
    ///
    /// `alg` is compared byte by byte; what would change the meaning of the signature is refused;
    /// `kid` and `typ` are ignored. The third certificate does not count, as with Apple's
    /// libraries: trust comes from the configured roots, and Apple's own fixtures have another
    /// certificate there.
    func certificates() throws(ForgeryReason) -> (leaf: [UInt8], intermediate: [UInt8]) {
        // Measured as text first, so that nothing too long is decoded.
        guard header.count <= Base64.digits(SignatureLimits.headerBytesMax),
            let bytes = Base64.decoded(header[...], .url),
            bytes.count <= SignatureLimits.headerBytesMax
        else { throw ForgeryReason(.malformed, "the header is not canonical base64url") }
        let parsed: JSONValue
        do {
            parsed = try JSONValue.parse(bytes, depthMax: SignatureLimits.headerDepthMax)
        } catch {
            throw ForgeryReason(.malformed, "the header is not strict JSON")
        }
        guard let members = parsed.object else {
            throw ForgeryReason(.malformed, "the header is not an object")
        }
        guard members["alg"]?.string == "ES256" else {
            throw ForgeryReason(.signature, "the algorithm is not ES256")
        }
        for name in ["crit", "b64", "jwk", "jku", "x5u", "zip", "enc"] where members[name] != nil {
            throw ForgeryReason(.malformed, "the header has \(name)")
        }
        guard let x5c = members["x5c"]?.array, x5c.count == 3 else {
            throw ForgeryReason(.chain, "x5c has not three certificates")
        }
        var ders: [[UInt8]] = []
        for entry in x5c {
            guard let text = entry.string, !text.isEmpty,
                text.utf8.count <= Base64.digits(SignatureLimits.certificateBytesMax),
                let der = Base64.decoded(Array(text.utf8)[...], .standard),
                der.count <= SignatureLimits.certificateBytesMax
            else { throw ForgeryReason(.chain, "x5c holds something that is no certificate") }
            ders.append(der)
        }
        return (ders[0], ders[1])
    }
}
