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

    /// Published names that hold a store's name.
    private static let words: [(word: String, reason: String)] = []

    @Test(arguments: rooms)
    func `a room above the stores names none of them`(room: String) throws {
        for path in House.swiftFiles("Sources/\(room)") {
            // What is written by a program is what callers read, and holds every published name.
            guard try !House.text(path).contains("swift-format-ignore-file") else { continue }
            for (number, line) in try House.lines(path).enumerated() {
                let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line
                var text = String(code)
                for word in Self.words { text = text.replacing(word.word, with: "") }
                let lower = text.lowercased()
                for name in Self.names {
                    #expect(!lower.contains(name), "\(path):\(number + 1) names a store")
                }
            }
        }
    }

    @Test func `a word that is let through is used`() throws {
        let texts = try Self.rooms.flatMap { House.swiftFiles("Sources/\($0)") }.map(House.text)
        for word in Self.words {
            #expect(texts.contains { $0.contains(word.word) }, "\(word.word): \(word.reason)")
        }
    }
}
