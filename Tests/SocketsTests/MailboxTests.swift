import CLinux
import Glibc
import Synchronization
import Testing
import Threads

@Suite struct MailboxTests {
    @Test func `messages of many threads all arrive, each thread's in order`() throws {
        let box = try Mailbox<Int>(capacity: 1_000_000)
        let threads = try (0..<4)
            .map { index in
                try NamedThread(named: "poster-\(index)") {
                    for count in 0..<10_000 { _ = box.post(index * 100_000 + count) }
                }
            }
        var next = [0, 0, 0, 0]
        while next.reduce(0, +) < 40_000 {
            var poll = pollfd(fd: box.descriptor, events: Int16(POLLIN), revents: 0)
            guard Glibc.poll(&poll, 1, 20_000) == 1 else { break }
            for message in box.takeAll() {
                #expect(message % 100_000 == next[message / 100_000])
                next[message / 100_000] += 1
            }
        }
        for thread in threads { thread.join() }
        #expect(next == [10_000, 10_000, 10_000, 10_000])
    }

    @Test func `a full box takes nothing`() throws {
        let box = try Mailbox<Int>(capacity: 2)
        #expect(box.post([]))
        #expect(box.post(1))
        #expect(!box.post([2, 3]))
        #expect(box.post(2))
        #expect(!box.post(3))
        #expect(box.takeAll() == [1, 2])
        #expect(box.post([4, 5]) && box.takeAll() == [4, 5] && box.takeAll() == [])
    }

    @Test func `a thread runs once, by its name, and can be joined twice`() throws {
        let runs = Atomic<Int>(0)
        let isNamed = Atomic<Bool>(false)
        let thread = try NamedThread(named: "fifteen-letters") {
            let comm = open("/proc/thread-self/comm", O_RDONLY)
            var name = [UInt8](repeating: 0, count: 32)
            let count = max(read(comm, &name, name.count), 0)
            close(comm)
            let text = String(decoding: name[..<count], as: UTF8.self)
            isNamed.store(text == "fifteen-letters\n", ordering: .relaxed)
            runs.add(1, ordering: .relaxed)
        }
        thread.join()
        thread.join()
        let hasName = isNamed.load(ordering: .relaxed)
        let count = runs.load(ordering: .relaxed)
        #expect(hasName && count == 1)
    }
}
