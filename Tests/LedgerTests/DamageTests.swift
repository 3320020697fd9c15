import Entitlements
import Glibc
import Journal
import LMDB
import TestSupport
import Testing

@testable import Ledger

/// What no crash leaves behind is refused as damage, and nothing in the directory is touched.
struct DamageTests {
    @Test func `views ahead of their journal are damage`() throws {
        let scratch = try Scratch()
        var journals: [[String: [UInt8]]] = []
        var ledger = try open(scratch.store)
        for number in 0..<4 {
            journals.append(try journalFiles(scratch.store))
            try ledger.order(try registration(number))
        }
        ledger.stop()
        let whole = try journalFiles(scratch.store)
        // The journal of each moment before, that of a new ledger, an empty place, and none.
        for older in journals + [[:]] { try expectDamage(scratch, older) }
        Scratch.remove(scratch.store + "/journal")
        #expect(isDamage(failure { _ = try open(scratch.store) }))
        // Nothing was held or changed by refusing.
        try putJournal(whole, scratch.store)
        ledger = try open(scratch.store)
        #expect(try ledger.order(try registration(4)).seq == 5)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `views of a store that went another way are damage, and older ones of its own not`()
        throws
    {
        let scratch = try Scratch()
        let hands = HandClock()
        let other = scratch.path + "/other"
        func keep(_ numbers: Range<Int>, in directory: String) throws {
            let ledger = try open(directory, clock: hands.clock)
            for number in numbers { try ledger.order(try registration(number)) }
            hands.advance(1)
            ledger.stop()
        }
        try keep(0..<3, in: scratch.store)
        try Scratch.copyStore(scratch.store, to: other)
        try Scratch.copyViews(scratch.store, to: scratch.path + "/old")
        // The same number of entries on either way, and more on one.
        try keep(10..<13, in: scratch.store)
        try keep(20..<23, in: other)
        let journal = try journalFiles(scratch.store)
        try keep(30..<33, in: scratch.store)
        try expectDamage(scratch, from: other, journal)
        try expectDamage(scratch, from: other, try journalFiles(scratch.store))
        // What the copy was made from is behind, and catches up.
        try Scratch.copyViews(scratch.path + "/old", to: scratch.store)
        let ledger = try open(scratch.store, clock: hands.clock)
        ledger.stop()
        try expectClean(scratch.store)
    }

    /// To replay an erasure that names nobody any more takes nobody away.
    @Test func `views from before an erasure are damage`() throws {
        let scratch = try Scratch()
        let old = scratch.path + "/old"
        var ledger = try open(scratch.store)
        for number in 0..<3 { try ledger.order(try registration(number)) }
        ledger.stop()
        try Scratch.copyViews(scratch.store, to: old)
        ledger = try open(scratch.store)
        let order = ErasureOrder(user: try user("user 1"), secret: HashKey(1, 2))
        #expect(try ledger.order(.erase(order)).outcome == .erased(true))
        try ledger.finishErasures()
        ledger.stop()
        try expectClean(scratch.store)
        // The tail that follows has nobody who was erased.
        try Scratch.copyViews(scratch.store, to: scratch.path + "/new")
        ledger = try open(scratch.store)
        // Who comes back is no ghost.
        try ledger.order(try registration(1))
        ledger.stop()
        let journal = try journalFiles(scratch.store)
        try Scratch.copyViews(old, to: scratch.store)
        #expect(isDamage(failure { _ = try open(scratch.store) }))
        // Nor may it be tried again until it works.
        #expect(isDamage(failure { _ = try open(scratch.store) }))
        #expect(try journalFiles(scratch.store) == journal)
        try Scratch.copyViews(scratch.path + "/new", to: scratch.store)
        ledger = try open(scratch.store)
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a group that is not whole is damage, unless it is the last and not applied`() throws
    {
        let scratch = try Scratch()
        let groups = 6
        do {
            let bench = try WriterBench(scratch.store)
            let batches = try (0..<groups)
                .map { round in
                    try (0...round)
                        .map {
                            WriteOrder.Kind.command(try registration(round * 10 + $0))
                        }
                }
            #expect(bench.run(batches).gaveUp == nil)
        }
        let whole = try journalFiles(scratch.store)
        let places = try groupPlaces(whole)
        #expect(places.count == groups)
        for (index, place) in places.enumerated() {
            for (what, break_) in Self.breaks {
                var files = whole
                let file = try #require(files[place.file])
                files[place.file] = break_(file, place.range)
                // Every group is applied: none may be missing.
                try expectDamage(scratch, files)
                // None is applied, as after the views were lost.
                let copy = scratch.path + "/without views"
                Scratch.remove(copy)
                try putJournal(files, copy)
                guard index == groups - 1 else {
                    let opened = failure { _ = try open(copy) }
                    #expect(isDamage(opened), "group \(index + 1), \(what)")
                    #expect(try journalFiles(copy) == files, "group \(index + 1), \(what)")
                    continue
                }
                // It was answered, which its proof says; a group that nobody was told of has none.
                #expect(isDamage(failure { _ = try open(copy) }), "\(what)")
                #expect(try journalFiles(copy) == files, "\(what)")
                unlink(copy + "/journal/proof")
                let notices = Notebook<LedgerNotice>()
                let ledger = try open(copy, notices: notices)
                #expect(ledger.figures.seq == 15, "\(what)")
                // Where nothing is left there is nothing to tell of.
                let isTold = notices.notes.contains(.tornTailCut)
                #expect(isTold == (what != "all zeroed"), "\(what)")
                #expect(try ledger.order(try registration(99)).seq == 16)
                ledger.stop()
                try expectClean(copy)
            }
        }
    }

    @Test func `a segment that is missing is damage, to views that need it`() throws {
        let scratch = try Scratch()
        do {
            let bench = try WriterBench(scratch.store)
            let batches = try (0..<40)
                .map { round in
                    try (0..<12)
                        .map {
                            WriteOrder.Kind.command(try registration(round * 12 + $0))
                        }
                }
            #expect(bench.run(batches).gaveUp == nil)
        }
        let whole = try journalFiles(scratch.store)
        let names = whole.keys.filter { $0 != "proof" }.sorted()
        try #require(names.count > 3)
        for name in names {
            var files = whole
            files[name] = nil
            if name == names.last { try expectDamage(scratch, files) }
            // A daemon that starts looks from the applied group on; `verify` at everything.
            try Scratch.copyStore(scratch.store, to: scratch.path + "/gap")
            try putJournal(files, scratch.path + "/gap")
            let found = failure {
                let report = try Ledger.verify(options(scratch.path + "/gap"))
                if report.differencesCount > 0 { throw LedgerFailure.damaged("differs") }
            }
            #expect(found != nil, "\(name)")
            let copy = scratch.path + "/without views"
            Scratch.remove(copy)
            try putJournal(files, copy)
            guard name != names.last else { continue }
            #expect(isDamage(failure { _ = try open(copy) }), "\(name)")
        }
    }

    @Test func `a journal cut anywhere loses what was not applied, and nothing that was`() throws {
        let scratch = try Scratch()
        let copy = scratch.path + "/cut"
        let first = try (0..<3).map { WriteOrder.Kind.command(try registration($0)) }
        let second = try (3..<6).map { WriteOrder.Kind.command(try registration($0)) }
        do {
            let bench = try WriterBench(scratch.store)
            #expect(bench.run([first]).gaveUp == nil)
        }
        try Scratch.copyViews(scratch.store, to: scratch.path + "/old")
        let proof = try #require(try journalFiles(scratch.store)["proof"])
        do {
            let bench = try WriterBench(scratch.store)
            #expect(bench.run([second]).gaveUp == nil)
        }
        // As if nobody had been told of the second group.
        let whole = try journalFiles(scratch.store).merging(["proof": proof]) { $1 }
        let places = try groupPlaces(whole)
        let last = try #require(places.last)
        let bytes = try #require(whole[last.file])
        var cuts = 0
        for cut in stride(from: last.range.lowerBound, to: last.range.upperBound, by: 13) {
            for isShort in [false, true] {
                let kept = Array(bytes[..<cut])
                let zeros = [UInt8](repeating: 0, count: isShort ? 0 : bytes.count - cut)
                Scratch.remove(copy)
                try Scratch.copyViews(scratch.path + "/old", to: copy)
                try putJournal(whole.merging([last.file: kept + zeros]) { $1 }, copy)
                do {
                    let bench = try WriterBench(copy)
                    #expect(bench.pulse.figures.seq == 3, "cut at \(cut)")
                    #expect(try bench.storedRows()[.accounts]?.count == 3)
                    let (said, gaveUp) = bench.run([second])
                    #expect(gaveUp == nil)
                    #expect(try said.first?.map { try $0.get().seq } == [4, 5, 6])
                }
                try expectClean(copy)
                cuts += 1
            }
        }
        #expect(cuts > 30)
    }

    @Test func `an emptied data file is damage beside a journal with entries, and else new`() throws
    {
        let scratch = try Scratch()
        var ledger = try open(scratch.store)
        ledger.stop()
        let data = scratch.store + "/data.mdb"
        // Nothing was ever written: an empty file is what a new one looks like.
        try Scratch.put([], at: data)
        ledger = try open(scratch.store)
        for kind in try mixture(12) { try ledger.order(kind) }
        ledger.stop()
        let rows = try storedRows(scratch.store)
        let whole = try Scratch.bytes(of: data)
        try Scratch.put([], at: data)
        #expect(isDamage(failure { _ = try open(scratch.store) }))
        #expect(isDamage(failure { _ = try Ledger.verify(options(scratch.store)) }))
        #expect(try Scratch.bytes(of: data) == [])
        var refused = 0
        for bytes in stride(from: 1_000, to: whole.count, by: 1_548) {
            try Scratch.put(Array(whole[..<bytes]), at: data)
            do {
                // Pages at the end that nothing uses may be missing.
                let report = try Ledger.verify(options(scratch.store))
                #expect(report.differencesCount == 0)
                #expect(differences(rows, try storedRows(scratch.store)) == [], "\(bytes) bytes")
            } catch {
                #expect(isDamage(error as? LedgerFailure), "\(bytes) bytes: \(error)")
                #expect(isDamage(failure { _ = try open(scratch.store) }), "\(bytes) bytes")
                refused += 1
            }
        }
        #expect(refused > 20)
        // Taken away on purpose, it is made anew.
        unlink(data)
        ledger = try open(scratch.store)
        ledger.stop()
        #expect(differences(rows, try storedRows(scratch.store)) == [])
        try expectClean(scratch.store)
    }

    @Test(arguments: ["applied", "numbering"])
    func `rows without what says how far they are, are damage and not replayed upon`(
        _ name: String
    ) throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        try tamper(scratch.store) { views, transaction in
            try views.put(nil, MetaRow.bytes(of: name), in: .meta, transaction)
        }
        let rows = try storedRows(scratch.store)
        #expect(isDamage(failure { _ = try open(scratch.store) }))
        #expect(isDamage(failure { _ = try Ledger.verify(options(scratch.store)) }))
        #expect(differences(rows, try storedRows(scratch.store)) == [])
    }

    @Test func `views of another format are refused`() throws {
        let scratch = try Scratch()
        try WholeStore.make(scratch.store)
        let key = MetaRow.bytes(of: MetaRow.applied)
        let sealed = try #require(try storedRows(scratch.store)[.meta]?[key])
        var other = Array(sealed.dropLast(Seal.bytes))
        other[0] = UInt8(MetaRow.format + 1)
        try tamper(scratch.store) { views, transaction in
            try views.put(other, key, in: .meta, transaction)
        }
        #expect(isDamage(failure { _ = try open(scratch.store) }))
        #expect(isDamage(failure { _ = try Ledger.verify(options(scratch.store)) }))
    }

    @Test func `a journal that takes nothing more ends the writer, and the views stay`() throws {
        let scratch = try Scratch()
        let bench = try WriterBench(scratch.store)
        let before = try bench.storedRows()
        bench.journal.close()
        let (said, gaveUp) = bench.run([try mixture(6).map { .command($0) }])
        guard case .failed = gaveUp else {
            Issue.record("\(String(describing: gaveUp))")
            return
        }
        // No row without its entry: what was decided in the transaction went with it.
        #expect(differences(before, try bench.storedRows()) == [])
        #expect(said.flatMap { $0 }.allSatisfy { (try? $0.get()) == nil })
        #expect(said.first?.count == 6)
        #expect(bench.pulse.figures.seq == 0)
    }

    /// Ways to make a group not whole.
    private static let breaks: [(String, @Sendable ([UInt8], Range<Int>) -> [UInt8])] = [
        (
            "head zeroed",
            { bytes, range in zeroed(bytes, range.lowerBound..<range.lowerBound + 96) }
        ),
        ("all zeroed", { bytes, range in zeroed(bytes, range) }),
        ("end zeroed", { bytes, range in zeroed(bytes, range.upperBound - 64..<range.upperBound) }),
        (
            "a bit flipped",
            { bytes, range in
                var bytes = bytes
                bytes[(range.lowerBound + range.upperBound) / 2] ^= 8
                return bytes
            }
        ),
    ]

    private static func zeroed(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] {
        var bytes = bytes
        for index in range { bytes[index] = 0 }
        return bytes
    }

    /// Opening and verifying the views of a store with this journal is damage; no file changes.
    private func expectDamage(
        _ scratch: Scratch,
        from store: String? = nil,
        _ files: [String: [UInt8]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let copy = scratch.path + "/damaged"
        Scratch.remove(copy)
        try Scratch.copyViews(store ?? scratch.store, to: copy)
        try putJournal(files, copy)
        let rows = try storedRows(copy)
        let opened = failure { _ = try open(copy) }
        #expect(isDamage(opened), "\(String(describing: opened))", sourceLocation: sourceLocation)
        let verified = failure {
            let report = try Ledger.verify(options(copy))
            if report.differencesCount > 0 { throw LedgerFailure.damaged("differs") }
        }
        #expect(isDamage(verified), sourceLocation: sourceLocation)
        #expect(try journalFiles(copy) == files, sourceLocation: sourceLocation)
        #expect(differences(rows, try storedRows(copy)) == [], sourceLocation: sourceLocation)
    }
}

/// Where each group of a journal lies, in order.
private func groupPlaces(
    _ files: [String: [UInt8]]
) throws -> [(file: String, range: Range<Int>)] {
    var places: [(file: String, range: Range<Int>)] = []
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
        var offset = 0
        while offset + 96 <= bytes.count, bytes[offset..<offset + 8].elementsEqual("entitldJ".utf8)
        {
            let entries = (0..<4).reduce(0) { $0 | Int(bytes[offset + 44 + $1]) << (8 * $1) }
            let end = offset + (96 + entries + 7) / 8 * 8
            places.append((name, offset..<end))
            offset = end
        }
    }
    return places
}
