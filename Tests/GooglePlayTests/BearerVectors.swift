import Entitlements
import Foundation
import GooglePlay
import JSON

/// The file proto/vectors/google/bearer.json.
struct BearerVectors {
    struct Case: CustomStringConvertible {
        let name: String
        let authorization: [UInt8]?
        let authority: PushAuthority
        let now: Moment
        let verdict: String

        var description: String { name }
    }

    let keys: KeySet
    let keyBytes: [UInt8]
    let cases: [Case]

    init() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "proto/vectors/google/bearer.json")
        let document = try JSONValue.parse([UInt8](Data(contentsOf: file)))
        keyBytes = document["keys"]?.bytes ?? []
        keys = try KeySet(keyBytes)
        cases = (document["cases"]?.array ?? [])
            .map { entry in
                func text(_ member: String) -> String {
                    entry[member]?.string ?? document[member]?.string ?? ""
                }
                let seconds = (entry["now"] ?? document["now"])?.int64 ?? 0
                return Case(
                    name: text("name"),
                    authorization: entry["authorization"]?.string.map { Array($0.utf8) },
                    authority: PushAuthority(audience: text("audience"), account: text("account")),
                    now: Moment(seconds * 1_000),
                    verdict: text("verdict")
                )
            }
    }
}

extension PushVerdict {
    /// As the vectors write it.
    var word: String {
        switch self {
        case .genuine: "genuine"
        case .unknownKey: "unknownKey"
        case .undecided: "undecided"
        case .refused(let fault, _): fault.rawValue
        }
    }
}
