import Entitlements
import Glibc
import TestSupport
import Testing
import Threads

@testable import Ledger

struct QueueTests {
    @Test func `a full queue takes nothing more, and answers all that it took`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let said = Notebook<Said>()
        let gate = try Gate(ledger)
        for number in 0..<LedgerLimits.queueCommandsMax {
            ledger.submit(try registration(number)) { said.note($0) }
        }
        #expect(ledger.figures.queueDepth == LedgerLimits.queueCommandsMax)
        #expect(said.notes.isEmpty)
        let refused = Notebook<Said>()
        ledger.submit(try registration(70_000)) { refused.note($0) }
        #expect(refused.notes == [.failure(.overloaded)])
        gate.open()
        ledger.finish()
        #expect(said.notes.count == LedgerLimits.queueCommandsMax)
        #expect(said.notes.allSatisfy { (try? $0.get()) != nil })
        ledger.stop()
        let report = try expectClean(scratch.store)
        #expect(report.applied == UInt64(LedgerLimits.queueCommandsMax))
    }

    @Test func `stopping answers what was taken; what comes after is refused`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        let said = Notebook<Said>()
        let gate = try Gate(ledger)
        for number in 0..<300 { ledger.submit(try registration(number)) { said.note($0) } }
        let stopping = try NamedThread(named: "stopping") { ledger.finish() }
        // Refused only once the queue is closed, while the writer is still held.
        let refused = Notebook<Said>()
        var number = 300
        while !refused.notes.contains(.failure(.shuttingDown)), number < 100_000 {
            ledger.submit(try registration(number)) { answer in
                if case .failure = answer { refused.note(answer) } else { said.note(answer) }
            }
            number += 1
            usleep(1_000)
        }
        gate.open()
        stopping.join()
        #expect(refused.notes.last == .failure(.shuttingDown))
        #expect(said.notes.count + refused.notes.count == number)
        #expect(said.notes.count >= 300)
        #expect(said.notes.allSatisfy { (try? $0.get()) != nil })
        #expect(try ledger.putInForce(tariff(), stamp(1)) == .failure(.shuttingDown))
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `a directory has one ledger, and nobody verifies it meanwhile`() throws {
        let scratch = try Scratch()
        let ledger = try open(scratch.store)
        #expect(failure { _ = try open(scratch.store) } == .busy(pid: getpid()))
        #expect(
            failure { _ = try Ledger.verify(options(scratch.store)) } == .busy(pid: getpid())
        )
        try ledger.order(try registration(1))
        ledger.stop()
        try expectClean(scratch.store)
    }

    @Test func `who takes waits for as many as are expected, until the time is up or the end`()
        throws
    {
        let queue = BlockingQueue<Int>(countMax: 8)
        _ = queue.offer(1)
        let sender = try NamedThread(named: "sender") {
            _ = queue.offer(2)
            _ = queue.offer(3)
        }
        #expect(queue.take(8, gathering: 3, for: 600_000_000) == [1, 2, 3])
        sender.join()
        _ = queue.offer(4)
        #expect(queue.take(8, gathering: 2, for: 1_000) == [4], "nobody else came")
        _ = queue.offer(contentsOf: [5, 6])
        #expect(queue.take(1, gathering: 7, for: 600_000_000) == [5], "no more are taken than that")
        queue.close()
        #expect(queue.take(8, gathering: 7, for: 600_000_000) == [6], "nobody will come")
        #expect(queue.take(8, gathering: 7, for: 600_000_000) == nil)
    }
}
