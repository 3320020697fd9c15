import Entitlements
import Wire

/// What is said of a document where no storefront is configured.
///
/// Its form is judged, so that garbage is called garbage everywhere; for the rest there is no app
/// here that it could be of.
enum NoStorefront {
    /// The refusal of a signed document; `index` is its place in a list.
    static func refusal(ofDocument text: [UInt8], index: Int? = nil) -> RPCFailure {
        let segments = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if segments.count == 3, segments.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLetter) }) {
            return RPCFailure(.environment, index: index, sentence: sentence)
        }
        return RPCFailure(DocumentFault(ofMalformed: text), index: index)
    }

    /// The refusal of a receipt; a whole one begins with `MI`, as DER in base64 does.
    static func refusal(ofReceipt text: [UInt8]) -> RPCFailure {
        if text.starts(with: Array("TU".utf8)) { return RPCFailure(ReceiptFault.doubleBase64) }
        if text.starts(with: Array("eyJ".utf8)) { return RPCFailure(ReceiptFault.jwsNotReceipt) }
        let digits = text.reversed().drop { $0 == UInt8(ascii: "=") }
        guard text.starts(with: Array("MI".utf8)), digits.allSatisfy(isLetter) else {
            return RPCFailure(ReceiptFault.malformed)
        }
        return RPCFailure(.environment, sentence: sentence)
    }

    private static let sentence =
        "No app is configured here; the daemon's configuration has no section apple."

    /// Of either alphabet of base64.
    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "+"), UInt8(ascii: "/"):
            true
        default: false
        }
    }
}
