import Chance
import Entitlements
import LMDB
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Ledger

struct ReadingTests {
    @Test func `a flipped bit is noticed on read, in that row alone`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        for kind in try mixture(12) { try ledger.order(kind) }
        try ledger.order(try grant("user 0", key: 99))
        let (bad, good) = (try user("user 0"), try user("user 3"))
        let whole = try ledger.look { try $0.account(of: bad) }
        let front = frontBytes(of: try #require(whole))
        let answer = try ledger.look { try $0.answer(of: bad) }
        let sealed = try #require(try raw(ledger, .accounts, AccountRow.bytes(of: bad)))
        for bit in 0..<sealed.count * 8 {
            var flipped = sealed
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            try put(flipped, ledger, .accounts, AccountRow.bytes(of: bad))
            try ledger.look { reader in
                if bit / 8 < front {
                    #expect(isDamage(failure { _ = try reader.answer(of: bad) }), "bit \(bit)")
                } else {
                    #expect(try reader.answer(of: bad) == answer)
                }
                #expect(isDamage(failure { _ = try reader.account(of: bad) }), "bit \(bit)")
                let other = try reader.answer(of: good)
                #expect(other?.flags.contains(.registered) == true)
            }
        }
        // A command that needs the row fails alone, in a group with others.
        let said = try ledger.orderTogether([
            try registration(500), try grant("user 0", key: 100), try registration(501),
        ])
        #expect((try? said[0].get()) != nil)
        #expect(throws: LedgerFailure.self) { try said[1].get() }
        #expect((try? said[2].get()) != nil)
        try put(sealed, ledger, .accounts, AccountRow.bytes(of: bad))
        #expect(try ledger.look { try $0.account(of: bad) } == whole)
    }

    @Test func `a row under another's key is noticed`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        for kind in try mixture(12) { try ledger.order(kind) }
        let sealed = try #require(
            try raw(ledger, .accounts, AccountRow.bytes(of: try user("user 0")))
        )
        try put(sealed, ledger, .accounts, AccountRow.bytes(of: try user("user 3")))
        let read = failure { _ = try ledger.account(try user("user 3")) }
        #expect(isDamage(read))
        let short = failure {
            try put([1, 2, 3], ledger, .accounts, AccountRow.bytes(of: try user("user 0")))
            _ = try ledger.account(try user("user 0"))
        }
        #expect(isDamage(short))
    }

    @Test func `a view that is held stays as it is; the next one is new`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        let reader = try LedgerReader(ledger)
        try reader.wake()
        try ledger.order(try registration(1))
        try reader.wake()
        #expect(try reader.account(of: try user("user 1")) == nil)
        #expect(reader.seq == 0)
        reader.rest()
        try reader.wake()
        #expect(try reader.account(of: try user("user 1")) != nil)
        #expect(reader.seq == 1)
        #expect(try reader.answer(of: try user("nobody")) == nil)
        reader.rest()
    }

    @Test func `pages of a table follow each other without gap or repeat`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        defer { ledger.stop() }
        try ledger.orderTogether(try (0..<250).map { try registration($0) })
        try ledger.look { reader in
            for size in [1, 7, 100, 1000] {
                var keys: [[UInt8]] = []
                while true {
                    let page = try reader.rows(of: .accounts, after: keys.last, count: size)
                    keys += page.map(\.key)
                    if page.count < size { break }
                }
                #expect(keys.count == 250)
                #expect(Set(keys).count == 250)
                #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
            }
            let prefix = Array("user 24".utf8)
            #expect(try reader.rows(of: .accounts, prefix: prefix, count: 1000).count == 11)
            let some = try reader.rows(of: .accounts, count: 1000) {
                $0.key == Array("user 1".utf8)
            }
            #expect(some.map(\.key) == [Array("user 0".utf8), Array("user 1".utf8)])
            #expect(try reader.row(Array("user 9".utf8), of: .accounts) != nil)
            #expect(try reader.row(Array("user".utf8), of: .accounts) == nil)
        }
    }

    @Test func `four readers beside the writer see whole states, none older than before`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let watch = Watch(ledger: ledger)
        let threads = try (0..<4)
            .map { number in
                try NamedThread(named: "reader \(number)") { watch.run(seed: UInt64(number)) }
            }
        for round in 0..<25 {
            let said = try ledger.orderTogether(try mixture(60, from: round * 60))
            #expect(said.allSatisfy { (try? $0.get()) != nil })
        }
        watch.isDone.store(true, ordering: .releasing)
        for thread in threads { thread.join() }
        #expect(watch.faults.notes == [])
        #expect(watch.looks.load(ordering: .relaxed) > 0)
        ledger.stop()
        try expectClean(scratch.store)
    }
}

/// What each of several readers checks, again and again.
private final class Watch: Sendable {
    let isDone = Atomic<Bool>(false)
    let looks = Atomic<Int>(0)
    let faults = Notebook<String>()
    private let ledger: Ledger

    init(ledger: Ledger) {
        self.ledger = ledger
    }

    func run(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var lastSeq: UInt64 = 0
        do {
            let reader = try LedgerReader(ledger)
            while !isDone.load(ordering: .acquiring) {
                try look(reader, &lastSeq, &random)
                looks.add(1, ordering: .relaxed)
            }
        } catch {
            faults.note("\(error)")
        }
    }

    private func look(
        _ reader: LedgerReader,
        _ lastSeq: inout UInt64,
        _ random: inout SplitMix64
    ) throws {
        try reader.wake()
        defer { reader.rest() }
        if reader.seq < lastSeq { faults.note("the position fell to \(reader.seq)") }
        lastSeq = reader.seq
        var applied: UInt64 = 0
        if case .applied(let seq, _, _, _) = try reader.row(
            MetaRow.bytes(of: MetaRow.applied),
            of: .meta
        )?
        .value {
            applied = seq
        }
        if applied < reader.seq { faults.note("the view is older than its position") }
        for _ in 0..<20 {
            guard let user = UserID("user \(random.pick(0..<1500))") else { continue }
            guard let answer = try reader.answer(of: user) else { continue }
            guard let account = try reader.account(of: user) else {
                faults.note("the answer of \(user) without its account")
                continue
            }
            if account.answer != answer { faults.note("\(user): two answers in one view") }
            if account.lastSeq > applied { faults.note("\(user) is newer than its view") }
            for token in account.tokens where try reader.user(of: token) != user {
                faults.note("\(token) is not \(user)'s")
            }
            for key in account.subscriptions where try reader.subscription(of: key)?.owner != user {
                faults.note("\(key) is not \(user)'s")
            }
            // Keeps L4: a policy knows every number that can be read under it.
            let numbers = answer.slots.map(\.product) + answer.grants.map(\.plan)
            for number in numbers where number >= reader.policy.planOfNumber.count {
                faults.note("product \(number) is unknown to the reader's policy")
            }
        }
    }
}

func raw(_ ledger: Ledger, _ table: TableName, _ key: [UInt8]) throws -> [UInt8]? {
    try ledger.checkpointer.settle()
    return try ledger.views.environment.read {
        try $0.get(key, in: ledger.views.table(table)).map { [UInt8]($0) }
    }
}

func put(_ sealed: [UInt8], _ ledger: Ledger, _ table: TableName, _ key: [UInt8]) throws {
    try ledger.checkpointer.settle()
    try ledger.views.environment.write {
        try $0.put(sealed, for: key, in: ledger.views.table(table))
    }
}
