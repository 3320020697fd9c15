import Entitlements
import Wire

/// What errands to the store name: apps, products, purchases.
extension ParamsView {
    /// `bundleId`, one of the configured apps; the first where none is named.
    func app(of client: any StoreClient) throws(RPCFailure) -> String {
        try namedApp(of: client) ?? client.apps[0]
    }

    /// The same; nil where none is named.
    func namedApp(of client: any StoreClient) throws(RPCFailure) -> String? {
        guard let name = try optionalText("bundleId", bytesMax: MethodLimits.textBytesMax) else {
            return nil
        }
        guard client.apps.contains(name) else {
            throw .invalid("bundleId", "is of no app that the configuration names")
        }
        return name
    }

    /// A product or an offer, by its id.
    func offerText(_ name: StaticString) throws(RPCFailure) -> String {
        let text = try text(name, bytesMax: MethodLimits.offerTextBytesMax)
        guard Self.isOfferText(text) else { throw .invalid(name, Self.offerTextRule) }
        return text
    }

    /// The parts of what is signed are joined by U+2063: a part with one inside could pass for two.
    static func isOfferText(_ text: String) -> Bool {
        (1...MethodLimits.offerTextBytesMax).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { scalar in
                scalar != "\u{2063}" && scalar.properties.generalCategory != .control
            }
    }

    static let offerTextRule =
        "is 1 to \(MethodLimits.offerTextBytesMax) bytes without control characters and U+2063"

    /// A number of the store's, if it is there: letters, digits, `-` and `_`.
    func storeID(_ name: StaticString) throws(RPCFailure) -> String? {
        guard let text = try optionalText(name, bytesMax: MethodLimits.storeIDBytesMax) else {
            return nil
        }
        let isPlain = text.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
        guard isPlain else { throw .invalid(name, "is no number of the store's") }
        return text
    }
}

extension StatusView {
    /// A transaction of the user's in `store`; nil where none is known.
    func knownTransactionID(in store: Store) -> String? {
        let shown = account?.key(shownBy: decision)
        let all = [shown].compactMap { $0 } + (account?.subscriptions ?? [])
        return all.first { $0.store == store }?.originalID
    }
}

extension Token {
    /// A random UUID (RFC 9562, version 4), which no two signatures share.
    static func nonce() -> Token {
        let high = UInt64.random(in: .min ... .max) & ~0xf000 | 0x4000
        let low = UInt64.random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62
        guard let nonce = Token(high: high, low: low) else {
            preconditionFailure("a UUID with a version is not all zero")
        }
        return nonce
    }
}
