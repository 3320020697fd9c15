import Chance
import Entitlements
import Foundation
import Journal
import Synchronization
import TestSupport
import Testing

@testable import Ledger

/// Journals that earlier builds wrote, byte for byte, and what they say of every account: a daemon
/// reads each journal that any build before it wrote.
///
/// `proto/vectors/journal` has of each its one segment, without the zeros behind the last group,
/// and a line for each account. When an entry is written in another way from some day on, set
/// ENTITLD_FREEZE_JOURNAL to that day: the first test writes both files, and the day belongs into
/// the list of the second. The segments of earlier days stay as they are, and their lines, too,
/// unless newer rules (`Rules.version`) are meant to make something else of them.
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
        var maker = try StreamMaker(random: SplitMix64(seed: 7), hands: hands)
        (maker.erases, maker.migrates, maker.statesWhole) = (true, true, true)
        let source = maker.source()
        let stream = Stream(maker, batches: 80, countMax: 12)
        var bench: WriterBench? = try WriterBench(
            scratch.store,
            clock: hands.clock,
            source: source,
            limits: JournalLimits()
        )
        let loaded = LoadedRow.token(try token(9), try user("ann"))
        let batches = Atomic(0)
        let gaveUp = bench?
            .run { said in
                let batch = batches.add(1, ordering: .relaxed).newValue
                if batch == 20 { return [.command(.load([loaded]))] }
                // What follows is judged at an earlier moment than it is written.
                if batch == 40 { hands.jump(-40 * 86_400_000) }
                return stream.next(said)
            }
        #expect(gaveUp == nil)
        let last = try #require(bench).journal.lastSeq
        bench = nil
        var (kinds, versions) = (Set<UInt8>(), Set<UInt8>())
        let reader = try SegmentReader(directory: "\(scratch.store)/journal")
        for seq in 1...last {
            let entry = try #require(try reader.entry(seq: seq))
            kinds.insert(entry.kind)
            versions.insert(entry.version)
        }
        #expect(kinds == Set(1...14).union([16, 17, 43, 44]), "\(kinds.sorted())")
        #expect(versions == [5, 6, 7, 8], "\(versions)")
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
            for key in account.subscriptions {
                text += try line(about: #require(try reader.subscription(of: key)))
            }
        }
        return text
    }

    /// By when every hold has ended, whoever ended it.
    private static let afterHolds = Moment(1_900_000_000_000)

    private func line(about account: Account, under policy: Policy) -> String {
        let now = Moment(1_752_000_000_000)
        let decision = account.answer.decision(
            ofCost: 1,
            at: now,
            under: policy,
            sandboxes: policy.sandboxes(of: account.user)
        )
        let words = [
            "\(account.user)", decision.hasAccess ? "access" : "no access",
            "\(account.purse.balance(at: Self.afterHolds)) credits", "\(account.purse.debt) owed",
            "\(account.tokens.count) tokens", "\(account.answer.grants.count) grants",
            account.formers.map { "\($0)" }.joined(separator: " "),
        ]
        return words.joined(separator: "; ") + "\n"
    }

    private func line(about one: Subscription) -> String {
        let transactions = one.transactions.map { transaction in
            let end = transaction.expires.map { "\($0.milliseconds)" } ?? "-"
            return "\(transaction.id) \(transaction.productID) \(end)"
        }
        let words = [
            "    \(one.key.store.name)", one.key.environment.name, one.key.originalID,
            one.owner.map { "\($0)" } ?? "-", one.status.map { "\($0.code)" } ?? "-",
            transactions.joined(separator: ", "),
        ]
        return words.joined(separator: "; ") + "\n"
    }
}
