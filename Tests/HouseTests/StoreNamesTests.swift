import Foundation
import Testing

/// What is true of one store only stands in that store's room.
///
/// Above it rooms know stores by `Storefront` and `StoreQuestions`; `entitld` names those that
/// there are, and simulators what they simulate.
struct StoreNamesTests {
    private static let rooms = ["Ledger", "Methods", "Sockets", "Webhooks", "Reconciler"]

    private static let names = [
        "appstore", "app_store", "apple", "storekit", "googleplay", "google", "stripe",
    ]

    @Test(arguments: rooms)
    func `a room above the stores names none of them`(room: String) throws {
        let files = House.swiftFiles("Sources/\(room)")
        #expect(!files.isEmpty)
        for path in files {
            // What is written by a program is what callers read, and holds every published name.
            guard try !House.text(path).contains("swift-format-ignore-file") else { continue }
            for (number, line) in try House.lines(path).enumerated() {
                let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
                let lower = code.lowercased()
                for name in Self.names {
                    #expect(!lower.contains(name), "\(path):\(number + 1) names a store")
                }
            }
        }
    }
}
