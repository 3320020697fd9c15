import Chance
import Entitlements
import Foundation
import Journal
import TestSupport
import Testing

@testable import Ledger

/// Journals that earlier builds wrote, byte for byte, and what they say of every account: a daemon
/// reads each journal that any build before it wrote.
///
/// `proto/vectors/journal` has of each its one segment, without the zeros behind the last group,
/// and a line for each account. When an entry is written in another way from some day on, set
/// ENTITLD_FREEZE_JOURNAL to that day: the first test writes both files, and the day belongs into
/// the list of the second. The files of earlier days stay as they are.
@Suite struct FrozenJournalTests {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "proto/vectors/journal").path()
    private static let today = ProcessInfo.processInfo.environment["ENTITLD_FREEZE_JOURNAL"]
    private static let segment = "00000000000000000001.segment"

    @Test(.enabled(if: today != nil)) func `commands of every kind are written`() throws {
        let day = try #require(Self.today)
        let scratch = try Scratch()
        let hands = HandClock()
        var maker = try StreamMaker(random: SplitMix64(seed: 30), hands: hands)
        (maker.erases, maker.migrates, maker.statesWhole) = (true, true, true)
        let source = maker.source()
        let stream = Stream(maker, batches: 60, countMax: 12)
        var bench: WriterBench? = try WriterBench(
            scratch.store,
            clock: hands.clock,
            source: source,
            limits: JournalLimits()
        )
        #expect(bench?.run { stream.next($0) } == nil)
        bench = nil
        let bytes = try Scratch.bytes(of: "\(scratch.store)/journal/\(Self.segment)")
        let end = try #require(bytes.lastIndex { $0 != 0 }) + 1
        try Scratch.put(
            Array(bytes[..<((end + 7) / 8 * 8)]),
            at: "\(Self.directory)/\(day).segment"
        )
        let said = try accounts(in: scratch.store)
        try Scratch.put(Array(said.utf8), at: "\(Self.directory)/\(day).txt")
    }

    @Test(arguments: ["2026-11-30"])
    func `a journal of that day says what it said then`(day: String) throws {
        let scratch = try Scratch()
        let journal = "\(scratch.store)/journal"
        try FileManager.default.createDirectory(
            atPath: journal,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let bytes = try Scratch.bytes(of: "\(Self.directory)/\(day).segment")
        try Scratch.put(bytes, at: "\(journal)/\(Self.segment)")
        let frozen = try Scratch.bytes(of: "\(Self.directory)/\(day).txt")
        let said = try accounts(in: scratch.store)
        #expect(said == String(decoding: frozen, as: UTF8.self))
        #expect(said.contains("\n"))
    }

    /// What is true of each account at a moment of those days, in a line.
    private func accounts(in store: String) throws -> String {
        let ledger = try Ledger.open(options(store), source: tariff()) { Issue.record("\($0)") }
        defer { ledger.stop() }
        let reader = try LedgerReader(ledger)
        try reader.wake()
        let names = try #require(try ledger.storedRows()[.accounts]).keys
        var text = ""
        for name in names.map({ String(decoding: $0, as: UTF8.self) }).sorted() {
            let account = try #require(try reader.account(of: try user(name)))
            text += line(about: account, under: reader.policy)
        }
        return text
    }

    private func line(about account: Account, under policy: Policy) -> String {
        let now = Moment(1_752_000_000_000)
        let decision = account.answer.decision(
            ofCost: 1,
            at: now,
            under: policy,
            sandboxes: policy.sandboxes(of: account.user)
        )
        let purse = account.purse
        let purchases = account.subscriptions.map { key in
            "\(key.store.name)/\(key.environment.name)/\(key.originalID)"
        }
        let words = [
            "\(account.user)", decision.state.rawValue, "\(purse.balance(at: now)) credits",
            "\(purse.debt) owed", "\(purse.holds.count) holds", "\(account.tokens.count) tokens",
            "\(account.answer.grants.count) grants", purchases.joined(separator: " "),
            account.formers.map { "\($0)" }.joined(separator: " "),
        ]
        return words.joined(separator: "; ") + "\n"
    }
}
