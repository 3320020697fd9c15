import Glibc
import TestSupport
import Testing

@testable import EntitlementsClient

/// What a daemon looks like that is too busy to accept: each connect answers EAGAIN at once.
struct BacklogTests {
    /// A socket whose backlog is full.
    private final class Crowd: Sendable {
        let path: String
        private let scratch: Scratch
        private let listener: Int32
        private let waiting: [Int32]

        init() throws {
            scratch = try Scratch()
            path = scratch.file("s")
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue)
            func withAddress(_ call: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
                withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        call($0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
            }
            let listener = socket(AF_UNIX, type, 0)
            self.listener = listener
            try #require(withAddress { bind(listener, $0, $1) } == 0)
            try #require(listen(listener, 1) == 0)
            var waiting: [Int32] = []
            var failure: Int32 = 0
            while failure == 0, waiting.count < 64 {
                let visitor = socket(AF_UNIX, type, 0)
                waiting.append(visitor)
                failure = withAddress { connect(visitor, $0, $1) } == 0 ? 0 : errno
            }
            self.waiting = waiting
            try #require(failure == EAGAIN)
        }

        /// Lets in who waits.
        func letIn() -> Int {
            var count = 0
            while true {
                let visitor = accept(listener, nil, nil)
                guard visitor >= 0 else { return count }
                close(visitor)
                count += 1
            }
        }

        deinit {
            for descriptor in waiting + [listener] { close(descriptor) }
        }
    }

    @Test func `a full backlog is tried again until there is room`() async throws {
        let crowd = try Crowd()
        let doorkeeper = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(50))
                _ = crowd.letIn()
            }
        }
        defer { doorkeeper.cancel() }
        let client = try EntitlementsClient(socketPath: crowd.path, readTimeout: .seconds(6))
        let error = await #expect(throws: ClientError.self) { try await client.ping() }
        // It got in, and was shown out; without another try it were unreachable.
        #expect(error?.isOutcomeUnknown == true)
    }

    @Test func `a full backlog ends with the caller's patience`() throws {
        let crowd = try Crowd()
        let error = #expect(throws: ClientError.self) {
            _ = try Connection(to: crowd.path, timeout: .milliseconds(100))
        }
        #expect(error?.name == "unreachable")
        #expect(error?.retryable == true)
        #expect(crowd.letIn() > 0)
    }
}
